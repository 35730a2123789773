//! Recompresses the images of a document if that makes them smaller: as JPEG or losslessly, whichever is smaller, and with reduced
//! resolution. Color spaces, masks and all other members of a dictionary stay unchanged. The resolution, the quality and whether JPEGs
//! are re-encoded with loss are chosen in `convert/pdf.rs`.

use std::collections::BTreeSet;

use filepress_wire::MediaType;
use serde_json::{Map, Value, json};

use super::super::convert::{ImageSource, InputLimits};
use super::super::jpeg::Jpeg;
use super::filters::{self, Decoded};
use super::flate;
use super::graph::{Graph, Id, reference};
use super::image_candidates::{self, Candidate, fits};
use super::image_placement::Sizes;
use super::sample_layout::{SampleKind, SampleLayout};
use super::samples;
use super::{ImageCompression, ycck};

/// An image is downsampled if its resolution exceeds the requested one by this factor.
const THRESHOLD: f64 = 1.1;
/// An image with at most this many colors counts as a drawing.
const FEW_COLORS: usize = 256;

/// The parameters for all images.
pub(super) struct ImageCoder<'a> {
    /// `None` for lossless.
    pub(super) compression: Option<ImageCompression>,
    /// Remove metadata from JPEGs.
    pub(super) strip: bool,
    pub(super) limits: InputLimits,
    pub(super) sizes: &'a Sizes,
    /// Images that are masks of others.
    pub(super) masks: &'a BTreeSet<Id>,
}

/// An image and the allowed changes.
struct Image<'a> {
    dictionary: &'a Map<String, Value>,
    layout: SampleLayout,
    /// Lossy compression is allowed.
    may_lose: bool,
    /// The size to downsample to.
    smaller: Option<(u32, u32)>,
}

/// Every image that is the mask of another.
pub(super) fn masks(graph: &Graph) -> BTreeSet<Id> {
    let values = graph.objects.values().filter(|object| object.data.is_some());
    let masks = values.flat_map(|object| [object.value.get("/SMask"), object.value.get("/Mask")]);
    masks.flatten().filter_map(reference).collect()
}

impl ImageCoder<'_> {
    /// A smaller encoding of an image; `None` if there is none or the image is not supported.
    pub(super) fn code(&self, graph: &Graph, id: Id) -> Option<(Value, Vec<u8>)> {
        let object = graph.objects.get(&id)?;
        let layout = SampleLayout::read(graph, &object.value)?;
        let room = self.limits.memory / 8;
        if layout.pixels() > self.limits.pixels
            || layout.size() > room
            || object.value.get("/SMaskInData").is_some()
        {
            return None;
        }
        let data = graph.data(id, self.limits.bytes)?;
        let before = data.len();
        let image = self.image(graph, id, layout)?;
        let coded = match filters::decode(graph, &object.value, data, room)? {
            Decoded::Jpeg(jpeg) => self.jpeg(&image, jpeg),
            Decoded::Plain(samples) => self.samples(&image, samples),
        };
        let best = coded.into_iter().min_by_key(|coded| coded.data.len())?;
        (best.data.len() < before).then(|| best.apply_to(image.dictionary))
    }

    fn image<'g>(&self, graph: &'g Graph, id: Id, layout: SampleLayout) -> Option<Image<'g>> {
        let value = &graph.objects.get(&id)?.value;
        let is_mask = self.masks.contains(&id);
        // Color-key masks and premultiplied colors require exact colors.
        let is_bound = graph.member(value, "/Mask").is_array()
            || value.get("/Matte").is_some()
            || graph.member(value, "/SMask").get("/Matte").is_some();
        let may_change =
            self.compression.is_some() && !is_bound && layout.bits == 8 && layout.space != SampleKind::Opaque;
        let smaller = may_change.then(|| self.smaller(graph, id, &layout)).flatten();
        Some(Image { dictionary: value.as_object()?, layout, may_lose: may_change && !is_mask, smaller })
    }

    /// The size that suffices for the largest use of an image; `None` if it is not larger.
    fn smaller(&self, graph: &Graph, id: Id, layout: &SampleLayout) -> Option<(u32, u32)> {
        let dpi = f64::from(self.compression?.dpi);
        let (width, height) = match self.masks.contains(&id) {
            true => self.size_of_masked(graph, id)?,
            false => *self.sizes.get(&id)?,
        };
        let sides = (f64::from(layout.width), f64::from(layout.height));
        let excess = (sides.0 / (width * dpi)).min(sides.1 / (height * dpi));
        let fewer = |side: f64| ((side / excess).ceil() as u32).max(1);
        (excess.is_finite() && excess > THRESHOLD).then(|| (fewer(sides.0), fewer(sides.1)))
    }

    /// The size of a mask: that of the largest image that it masks; `None` if one is unknown.
    fn size_of_masked(&self, graph: &Graph, mask: Id) -> Option<(f64, f64)> {
        let mut size = (0.0_f64, 0.0_f64);
        for (id, object) in graph.objects.iter().filter(|(_, object)| object.data.is_some()) {
            let refers = |name: &str| object.value.get(name).and_then(reference) == Some(mask);
            if refers("/SMask") || refers("/Mask") {
                let (width, height) = self.sizes.get(id)?;
                size = (size.0.max(*width), size.1.max(*height));
            }
        }
        Some(size)
    }

    fn jpeg(&self, image: &Image<'_>, bytes: Vec<u8>) -> Vec<Candidate> {
        let layout = &image.layout;
        let Some(jpeg) = Jpeg::parse(&bytes) else { return Vec::new() };
        let stored = (u32::from(jpeg.width), u32::from(jpeg.height));
        if stored != (layout.width, layout.height) || jpeg.components != layout.channels || layout.bits != 8 {
            return Vec::new();
        }
        let source = if self.strip { &jpeg.bare } else { &bytes };
        let mut coded = vec![Candidate::jpeg(source.clone(), stored)];
        let lossless =
            [("lossless", json!(true)), ("metadata", json!(if self.strip { "strip" } else { "keep" }))];
        if let Some(same) = self.engine(source, MediaType::Jpeg, &lossless)
            && Jpeg::parse(&same).is_some_and(|same| same.has_shape_of(&jpeg))
        {
            coded.push(Candidate::jpeg(same, stored));
        }
        let Some(compression) = self.compression.filter(|_| image.may_lose && !jpeg.is_ambiguous()) else {
            return coded;
        };
        if image.smaller.is_none() && !compression.recode {
            return coded;
        }
        let size = image.smaller.unwrap_or(stored);
        // PDF ignores EXIF orientation, but the engine would apply it.
        let made = match layout.space {
            SampleKind::Cmyk => ycck::decode(&jpeg).and_then(|samples| {
                let samples = match image.smaller {
                    Some(size) => samples::resize(&samples, layout, size)?,
                    None => samples,
                };
                self.lossy_inks(&samples, size, compression.quality)
            }),
            _ => self.lossy(&jpeg.bare, MediaType::Jpeg, size, compression.quality),
        };
        coded.extend(
            made.filter(|made| fits(made, size, layout.channels)).map(|made| Candidate::jpeg(made, size)),
        );
        coded
    }

    fn samples(&self, image: &Image<'_>, mut samples: Vec<u8>) -> Vec<Candidate> {
        let Ok(size) = usize::try_from(image.layout.size()) else { return Vec::new() };
        if samples.len() < size {
            return Vec::new();
        }
        samples.truncate(size);
        let mut layout = image.layout;
        if let Some((width, height)) = image.smaller
            && let Some(fewer) = samples::resize(&samples, &layout, (width, height))
        {
            samples = fewer;
            layout = SampleLayout { width, height, ..layout };
        }
        let lossy = self.lossy_samples(image, &samples, &layout);
        let is_drawing = !samples::has_more_colors(&samples, layout.channels, FEW_COLORS);
        // Lossless compression of a photograph is slow and larger than its JPEG.
        let is_photograph = |jpeg: &Candidate| flate::estimate(&samples) >= 4 * jpeg.data.len();
        let mut coded = match lossy.as_ref().is_some_and(is_photograph) && !is_drawing {
            true => Vec::new(),
            false => image_candidates::lossless(samples, &layout),
        };
        let least = coded.iter().map(|coded| coded.data.len()).min();
        // JPEG artifacts are visible at the edges of a drawing, so JPEG must save much.
        let saves =
            |jpeg: &Candidate| !is_drawing || least.is_none_or(|least| 3 * jpeg.data.len() < 2 * least);
        coded.extend(lossy.filter(saves));
        coded
    }

    fn lossy_samples(&self, image: &Image<'_>, samples: &[u8], layout: &SampleLayout) -> Option<Candidate> {
        let quality = self.compression.filter(|_| image.may_lose)?.quality;
        let size = (layout.width, layout.height);
        let made = match layout.space {
            SampleKind::Cmyk => self.lossy_inks(samples, size, quality)?,
            _ => self.lossy(&samples::pnm(samples, size, layout.channels), MediaType::Pnm, size, quality)?,
        };
        fits(&made, size, layout.channels).then(|| Candidate::jpeg(made, size))
    }

    fn lossy(
        &self,
        bytes: &[u8],
        from: MediaType,
        (width, height): (u32, u32),
        quality: u8,
    ) -> Option<Vec<u8>> {
        let resize = json!({ "width": width, "height": height });
        let options = [("quality", json!(quality)), ("resize", resize), ("metadata", json!("strip"))];
        self.engine(bytes, from, &options)
    }

    /// Encodes CMYK samples as a JPEG.
    fn lossy_inks(&self, samples: &[u8], size: (u32, u32), quality: u8) -> Option<Vec<u8>> {
        let part = |samples: Vec<u8>, channels| {
            let pnm = samples::pnm(&samples, size, channels);
            self.lossy(&pnm, MediaType::Pnm, size, quality)
        };
        let (colors, gray) = ycck::split(samples);
        ycck::join(&part(colors, 3)?, &part(gray, 1)?)
    }

    /// Encodes a JPEG with the image engine; `None` if it fails or the result is not smaller.
    fn engine(&self, bytes: &[u8], from: MediaType, options: &[(&str, Value)]) -> Option<Vec<u8>> {
        let source = ImageSource { input: String::new(), from, limits: self.limits, is_upright: false };
        let options = options.iter().cloned().chain([("to", json!("image/jpeg"))]);
        let options = options.map(|(name, value)| (name.to_owned(), value)).collect();
        source.process(bytes, options).ok()?.bytes
    }
}
