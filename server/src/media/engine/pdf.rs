//! An image into a PDF of one page: a JPEG goes in as it is, other images without loss.
//!
//! ISO 32000-1: images 8.9, DCTDecode 7.4.8, soft masks 11.6.5.3, ICC profiles 8.6.5.5.

use std::fs;

use filepress::image;
use filepress_wire::MediaType;
use pdf_writer::types::Predictor;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::convert::ImageSource;
use super::jpeg::Jpeg;
use super::png_idat::Picture;
use super::response::{EngineError, EngineOutput, Warning, in_api_terms};

/// An image, and how it is to lie on its page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct Embedding {
    pub(in crate::media) source: ImageSource,
    pub(in crate::media) output: String,
    /// Options of the engine in its own spelling; a JPEG is coded again only where `resize`, `quality` or `targetSize` is
    /// among them.
    pub(in crate::media) options: Map<String, Value>,
    /// A JPEG that is kept as it is loses what is no part of its picture.
    pub(in crate::media) strip: bool,
    /// Pixels to an inch of paper.
    pub(in crate::media) dpi: u32,
}

/// Points to an inch.
const POINTS: f32 = 72.0;
/// The longest side of a page in points that all readers take (ISO 32000-1, annex C.2), and the shortest.
const SIDES: (f32, f32) = (3.0, 14_400.0);
/// What a page costs besides its picture, in bytes.
const FRAME: u64 = 2048;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const IMAGE: Ref = Ref::new(5);
const MASK: Ref = Ref::new(6);
const PROFILE: Ref = Ref::new(7);
const NAME: Name<'static> = Name(b"Im");

impl Embedding {
    pub(super) fn run(mut self) -> Result<EngineOutput, EngineError> {
        let bytes = self.source.read()?;
        let info = self.source.info(&bytes)?;
        let recodes = ["resize", "quality", "targetSize"].iter().any(|name| self.options.contains_key(*name));
        let kept = (self.source.from == MediaType::Jpeg && !recodes).then(|| Jpeg::parse(&bytes)).flatten();
        let (pdf, warnings) = match kept {
            Some(jpeg) => {
                let coded = if self.strip { &jpeg.bare } else { &bytes };
                (self.jpeg(&jpeg, coded, self.orientation(&bytes)?), Vec::new())
            }
            None => self.coded(&bytes)?,
        };
        fs::write(&self.output, pdf).map_err(|error| EngineError::of_file(&error))?;
        let mut made = EngineOutput { warnings, ..info };
        if made.input_frames > 1 {
            made.warnings.retain(|warning| !warning.code.ends_with("_dropped"));
            let message = "The image has several pictures; the document holds the first.";
            made.warnings.push(Warning::new("pages_dropped", message));
        }
        Ok(made)
    }

    /// EXIF's number, 1 to 8.
    fn orientation(&self, bytes: &[u8]) -> Result<u8, EngineError> {
        let limits = filepress::limits::Limits { max_input_bytes: u64::MAX, ..Default::default() };
        Ok(image::inspect(bytes, self.source.from, &limits)?.orientation)
    }

    /// Coded by the engine: to JPEG where something lossy was asked for or the input is one, else to PNG.
    fn coded(&mut self, bytes: &[u8]) -> Result<(Vec<u8>, Vec<Warning>), EngineError> {
        let mut options = std::mem::take(&mut self.options);
        let asks = options.contains_key("quality") || options.contains_key("targetSize");
        let lossy = asks || self.source.from == MediaType::Jpeg;
        let (to, from) = if lossy { ("image/jpeg", MediaType::Jpeg) } else { ("image/png", MediaType::Png) };
        options.insert("to".to_owned(), json!(to));
        options.insert("animation".to_owned(), json!("first"));
        if let Some(target) = options.get("targetSize").and_then(Value::as_u64) {
            options.insert("targetSize".to_owned(), json!(target.saturating_sub(FRAME).max(1)));
        }
        let output = self.source.process(bytes, options)?;
        let coded = output.bytes.as_deref().unwrap_or(bytes);
        let warnings = output.report.warnings.iter();
        let warnings =
            warnings.map(|warning| Warning::new(warning.code, in_api_terms(&warning.message))).collect();
        let pdf = match (from, Jpeg::parse(coded)) {
            (MediaType::Jpeg, Some(jpeg)) => self.jpeg(&jpeg, &jpeg.bare, 1),
            _ => self.picture(&Picture::of_png(coded)?),
        };
        Ok((pdf, warnings))
    }

    fn jpeg(&self, jpeg: &Jpeg, coded: &[u8], orientation: u8) -> Vec<u8> {
        let stored = (u32::from(jpeg.width), u32::from(jpeg.height));
        let icc = jpeg.icc.as_deref().filter(|icc| fits(icc, jpeg.components));
        let mut pdf = self.page(stored, orientation);
        let mut image = pdf.image_xobject(IMAGE, coded);
        image.filter(Filter::DctDecode);
        image.width(i32::from(jpeg.width)).height(i32::from(jpeg.height)).bits_per_component(8);
        match (icc, jpeg.components) {
            (Some(_), _) => image.color_space().icc_based(PROFILE),
            (None, 1) => image.color_space().device_gray(),
            (None, 3) => image.color_space().device_rgb(),
            (None, _) => image.color_space().device_cmyk(),
        }
        if jpeg.components == 4 && jpeg.adobe {
            image.decode([1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        }
        image.finish();
        profile(&mut pdf, icc, jpeg.components);
        pdf.finish()
    }

    fn picture(&self, picture: &Picture) -> Vec<u8> {
        let channels = picture.color.channels;
        let icc = picture.icc.as_deref().filter(|icc| fits(icc, channels));
        let mut pdf = self.page(picture.size, 1);
        for (id, rows) in [(IMAGE, Some(&picture.color)), (MASK, picture.alpha.as_ref())] {
            let Some(rows) = rows else { continue };
            let mut image = pdf.image_xobject(id, &rows.data);
            image.filter(Filter::FlateDecode);
            let mut rules = image.decode_parms();
            rules.predictor(Predictor::PngOptimum).columns(side(picture.size.0));
            rules.colors(i32::from(rows.channels)).bits_per_component(i32::from(rows.depth));
            rules.finish();
            image.width(side(picture.size.0)).height(side(picture.size.1));
            image.bits_per_component(i32::from(rows.depth));
            match (id == IMAGE && icc.is_some(), rows.channels) {
                (true, _) => image.color_space().icc_based(PROFILE),
                (false, 1) => image.color_space().device_gray(),
                (false, _) => image.color_space().device_rgb(),
            }
            if id == IMAGE && picture.alpha.is_some() {
                image.s_mask(MASK);
            }
        }
        profile(&mut pdf, icc, channels);
        pdf.finish()
    }

    /// A page of the picture's size that shows [`IMAGE`] upright.
    fn page(&self, stored: (u32, u32), orientation: u8) -> Pdf {
        let upright = if orientation >= 5 { (stored.1, stored.0) } else { stored };
        let scale = POINTS / self.dpi as f32;
        let longest = upright.0.max(upright.1) as f32 * scale;
        let scale = scale * (SIDES.1 / longest).min(1.0);
        let points = |pixels: u32| (pixels as f32 * scale).max(SIDES.0);
        let (width, height) = (points(upright.0), points(upright.1));
        let mut content = Content::new();
        content.save_state();
        content.transform(matrix(orientation, width, height));
        content.x_object(NAME);
        content.restore_state();
        let mut pdf = Pdf::new();
        pdf.set_version(1, 5);
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
        page.resources().x_objects().pair(NAME, IMAGE);
        page.finish();
        pdf.stream(CONTENT, &content.finish());
        pdf
    }
}

fn side(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}

/// Whether a profile is one for so many channels: its header (ICC.1, 7.2) says so.
fn fits(icc: &[u8], channels: u8) -> bool {
    let space: &[u8] = match channels {
        1 => b"GRAY",
        3 => b"RGB ",
        _ => b"CMYK",
    };
    icc.get(16..20) == Some(space) && icc.get(36..40) == Some(b"acsp")
}

fn profile(pdf: &mut Pdf, icc: Option<&[u8]>, channels: u8) {
    if let Some(icc) = icc {
        pdf.icc_profile(PROFILE, icc).n(i32::from(channels));
    }
}

/// Puts the unit square, whose first row lies at the top, onto a page of `w` × `h` as EXIF's orientation says.
fn matrix(orientation: u8, w: f32, h: f32) -> [f32; 6] {
    match orientation {
        2 => [-w, 0.0, 0.0, h, w, 0.0],
        3 => [-w, 0.0, 0.0, -h, w, h],
        4 => [w, 0.0, 0.0, -h, 0.0, h],
        5 => [0.0, -h, -w, 0.0, w, h],
        6 => [0.0, -h, w, 0.0, 0.0, h],
        7 => [0.0, h, w, 0.0, 0.0, 0.0],
        8 => [0.0, h, -w, 0.0, w, 0.0],
        _ => [w, 0.0, 0.0, h, 0.0, 0.0],
    }
}
