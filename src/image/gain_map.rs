//! Keeps the HDR gain map of a picture that is encoded again: the map goes through the same stages, in its own size, and is encoded as
//! well, in the format of the output. How it is stored are the members `gain_maps` and `add_gain_map` of a format's `CODEC`.
//!
//! A map is never a reason to refuse a file. It is dropped, with a reason for the warning, if it is damaged or if it alone is over a
//! limit.

use filepress_wire::MediaType;
#[cfg(feature = "full")]
use image::{DynamicImage, ImageBuffer};

use crate::error::{ErrorCode, Result};
use crate::formats::codec::GainMaps;
#[cfg(feature = "full")]
use crate::formats::codec::{AddGainMap, GainMapDescription};
use crate::formats::decode::{self, ColorModel, Header};
use crate::formats::{Encoding, codec_of, encode, metadata};
use crate::image::bands;
use crate::image::geometry::Geometry;
use crate::image::memory::Cost;
use crate::image::progress::{Reporter, StageCosts};
use crate::image::source::Source;
use crate::job::{LocalJob, RateControl};
use crate::metadata::Metadata;
use crate::options::MetadataPolicy;
#[cfg(feature = "full")]
use crate::pixels;

/// A part of the map's description, or the map, is damaged.
const DAMAGED: &str = ": it is damaged, or its description does not fit into the metadata";

/// What happens to the gain map of an input.
pub(crate) enum GainMapAction<'a> {
    /// The input has none, the job drops it, or the output has a format without gain maps.
    None,
    /// It is encoded again.
    Encoded(GainMap<'a>),
    /// It cannot be kept. The reason, after "was dropped".
    Dropped(&'static str),
}

/// A gain map that has passed the limits.
pub(crate) struct GainMap<'a> {
    /// A file of the same format as the picture's.
    file: &'a [u8],
    header: Header,
    format: &'static GainMaps,
    /// For an output of another format.
    #[cfg(feature = "full")]
    converted: Option<Converted>,
}

/// How a map is stored in another format.
#[cfg(feature = "full")]
struct Converted {
    description: GainMapDescription,
    add: AddGainMap,
}

#[cfg(feature = "full")]
impl Converted {
    /// How the map of `source` is stored; `None` if the output has the format of the input. The error is why it cannot be.
    fn of(source: &Source<'_>, output: Encoding, format: &GainMaps) -> Result<Option<Self>, &'static str> {
        let adds = codec_of(output.media()).add_gain_map.filter(|_| source.media != output.media());
        adds.map(|add| (format.describe)(source.bytes).map(|description| Self { description, add }))
            .transpose()
    }
}

impl<'a> GainMapAction<'a> {
    /// Decides about the map of `source` by its header. What a map takes is added to the estimated memory of the source.
    ///
    /// # Errors
    /// [`ErrorCode::NotInBuild`] for a map that a larger build reads.
    pub(crate) fn of(source: &mut Source<'a>, job: &LocalJob) -> Result<Self> {
        let keeps = source.metadata.gain_map && job.keeps_gain_map() && is_stored(source.media, job.encoding);
        let Some(format) = codec_of(source.media).gain_maps.as_ref().filter(|_| keeps) else {
            return Ok(Self::None);
        };
        #[cfg(feature = "full")]
        let converted = match Converted::of(source, job.encoding, format) {
            Ok(converted) => converted,
            Err(reason) => return Ok(Self::Dropped(reason)),
        };
        if source.geometry.pads() {
            return Ok(Self::Dropped(": a padded image cannot keep it"));
        }
        let Some(file) = (format.find)(source.bytes) else { return Ok(Self::Dropped(DAMAGED)) };
        let header = match decode::header(file, source.media) {
            Ok(header) if header.color_model != ColorModel::Cmyk => header,
            Err(error) if error.code() == ErrorCode::NotInBuild => return Err(error),
            _ => return Ok(Self::Dropped(DAMAGED)),
        };
        let map = GainMap {
            file,
            header,
            format,
            #[cfg(feature = "full")]
            converted,
        };
        let size = (source.geometry.width, source.geometry.height);
        let taken = map.source(source, job.encoding, (source.geometry, size)).memory;
        let memory = source.memory.saturating_add(taken);
        let limits = &source.limits;
        if limits.check_pixels("input", header.width, header.height).and(limits.check_memory(memory)).is_err()
        {
            return Ok(Self::Dropped(": with it, the file is over a limit"));
        }
        source.memory = memory;
        source.memory_of_whole = source.memory_of_whole.saturating_add(taken);
        Ok(Self::Encoded(map))
    }
}

impl<'a> GainMap<'a> {
    /// The map as the source of a picture for an output of `size`, with the geometry of the picture.
    fn source(
        &self,
        picture: &Source<'a>,
        encoding: Encoding,
        (geometry, size): (Geometry, (u32, u32)),
    ) -> Source<'a> {
        let geometry = geometry.over((self.header.width, self.header.height), size);
        let cost = Cost::of_encoding(encoding_of_map(encoding), RateControl::Settings);
        picture.beside(self.file, self.header, geometry, &cost)
    }

    /// The map, encoded for a picture of this encoding, geometry and upright size. `None` if the map keeps its coded form, because its
    /// geometry stays and another encoding saves nothing.
    fn encode(
        &self,
        picture: &Source<'a>,
        encoding: Encoding,
        shape: (Geometry, (u32, u32)),
    ) -> Result<Option<Vec<u8>>> {
        let source = self.source(picture, encoding, shape);
        let encoding = encoding_of_map(encoding);
        let mut unheard = |_| {};
        let costs = StageCosts { decode: 0.0, resize: 0.0, encode: 0.0, attempts: 1 };
        let mut progress = Reporter::new(&mut unheard, costs);
        let coded = match bands::encode(&source, encoding, None, &mut progress)? {
            Some(coded) => coded,
            None => {
                let picture = source.picture(None, None, &mut Vec::new())?;
                #[cfg(feature = "full")]
                let picture = self.described(picture);
                encode::encode(picture, encoding, false, &mut Vec::new())?
            }
        };
        if source.media != encoding.media() {
            return Ok(Some(coded));
        }
        let stays = source.geometry.keeps_rows() && !source.geometry.crops();
        let own = metadata::write(self.file, source.media, &Metadata::default()).filter(|_| stays);
        Ok(Some(coded).filter(|coded| own.is_none_or(|own| coded.len() < own.len())))
    }
}

#[cfg(feature = "full")]
impl GainMap<'_> {
    /// The samples that the description of the map applies to.
    fn described(&self, picture: DynamicImage) -> DynamicImage {
        let curve = self.converted.as_ref().and_then(|converted| converted.description.curve.as_ref());
        let Some(curve) = curve else { return picture };
        let gray = pixels::gray8(picture);
        let samples = gray.as_raw().iter().map(|&sample| curve[usize::from(sample)]).collect();
        ImageBuffer::from_raw(gray.width(), gray.height(), samples)
            .map_or(DynamicImage::ImageLuma8(gray), DynamicImage::ImageLuma16)
    }

    /// `picture` with `coded`, its map, in the format of the output. `None` if that is the format of the input, or if something is
    /// damaged.
    fn add(&self, picture: &[u8], coded: Option<&[u8]>) -> Option<Vec<u8>> {
        let Converted { description, add } = self.converted.as_ref()?;
        add(picture, coded?, &description.parameters)
    }
}

/// Whether the output can hold the gain map of an input of this type.
fn is_stored(input: MediaType, encoding: Encoding) -> bool {
    #[cfg(feature = "full")]
    if codec_of(encoding.media()).add_gain_map.is_some() {
        return true;
    }
    input == encoding.media()
}

/// The encoding of a map beside a picture of this encoding. What a map loses is lost in stops of light, and it has few of the bytes: the
/// loss is half of the picture's.
fn encoding_of_map(encoding: Encoding) -> Encoding {
    encoding.at_quality(encoding.quality().map_or(100, |quality| 50 + quality / 2))
}

impl<'a> GainMapAction<'a> {
    /// `picture`, which has this encoding, geometry and upright size, with the map of `source`. Unchanged if there is none that can be
    /// kept.
    pub(crate) fn attach(
        &self,
        picture: Vec<u8>,
        (source, job): (&Source<'a>, &LocalJob),
        encoding: Encoding,
        shape: (Geometry, (u32, u32)),
    ) -> Vec<u8> {
        let Self::Encoded(map) = self else { return picture };
        let Ok(coded) = map.encode(source, encoding, shape) else { return picture };
        #[cfg(feature = "full")]
        if source.media != encoding.media() {
            return map.add(&picture, coded.as_deref()).unwrap_or(picture);
        }
        let everything = job.metadata == MetadataPolicy::Keep;
        (map.format.attach)(&picture, source.bytes, coded.as_deref(), everything).unwrap_or(picture)
    }

    /// Why an output of the input's format has no map although the job keeps it, for the warning.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Dropped(reason) => reason,
            Self::Encoded(_) => DAMAGED,
            Self::None => "",
        }
    }
}

/// `picture`, which has the coded pixels of `source`, with its map as it is coded. Unchanged if there is none, or if the job drops it.
pub(crate) fn attach_coded(picture: Vec<u8>, source: &Source<'_>, job: &LocalJob) -> Vec<u8> {
    let keeps = source.metadata.gain_map && job.keeps_gain_map();
    let everything = job.metadata == MetadataPolicy::Keep;
    let format = codec_of(source.media).gain_maps.as_ref().filter(|_| keeps);
    let attached = format.and_then(|format| (format.attach)(&picture, source.bytes, None, everything));
    attached.unwrap_or(picture)
}
