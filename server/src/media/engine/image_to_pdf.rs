//! Image → PDF, in the engine's process: puts an image onto a page. A JPEG is stored unchanged, other images without loss.
//! `convert/image_to_pdf.rs` starts a process for each image.
//!
//! ISO 32000-1: images 8.9, DCTDecode 7.4.8, soft masks 11.6.5.3, ICC profiles 8.6.5.5.

use std::io;

use filepress::image;
use filepress_wire::MediaType;
use pdf_writer::types::Predictor;
use pdf_writer::writers::ImageXObject;
use pdf_writer::{Chunk, Content, Filter, Finish, Name, Rect, Ref};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::convert::ImageSource;
use super::jpeg::Jpeg;
use super::pdf_file::{self, DocumentParts, PdfFile};
use super::png_idat::{self, Picture, Rows};
use super::response::{EngineError, EngineOutput, Warning, in_api_terms};

/// An image, and how it is placed on its page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct Embedding {
    pub(in crate::media) source: ImageSource,
    pub(in crate::media) output: String,
    /// Options of the engine in its own spelling. A JPEG is encoded again only if `resize`, `quality` or `targetSize` is among them.
    pub(in crate::media) options: Map<String, Value>,
    /// Metadata is removed from a JPEG that is stored unchanged.
    pub(in crate::media) strip: bool,
    /// Pixels per inch of the page.
    pub(in crate::media) dpi: u32,
    /// What the output contains already: this page is appended.
    pub(in crate::media) before: DocumentParts,
    /// This page is the last one, so that the document is completed.
    pub(in crate::media) is_last: bool,
}

/// Points per inch.
const POINTS: f32 = 72.0;
/// The shortest and the longest side of a page in points that all readers accept (ISO 32000-1, annex C.2).
const SIDES: (f32, f32) = (3.0, 14_400.0);
/// The bytes of a document of one page besides its image, at most.
const FRAME: u64 = 2048;

const NAME: Name<'static> = Name(b"Im");

impl Embedding {
    pub(super) fn run(mut self) -> Result<EngineOutput, EngineError> {
        let bytes = self.source.read()?;
        let info = self.source.info(&bytes)?;
        let mut file = PdfFile::open(&self.output, std::mem::take(&mut self.before)).map_err(fault)?;
        let recodes = ["resize", "quality", "targetSize"].iter().any(|name| self.options.contains_key(*name));
        let kept = (self.source.from == MediaType::Jpeg && !recodes).then(|| Jpeg::parse(&bytes)).flatten();
        let warnings = match kept {
            Some(jpeg) => {
                self.source.check_complete(&bytes)?;
                let coded = if self.strip { &jpeg.bare } else { &bytes };
                self.jpeg(&mut file, &jpeg, coded, self.orientation(&bytes)?).map_err(fault)?;
                Vec::new()
            }
            None => self.coded(&mut file, &bytes)?,
        };
        let document = if self.is_last { file.finish() } else { file.parts() }.map_err(fault)?;
        let mut made = EngineOutput { warnings, document, ..info };
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

    /// Encodes the image: to JPEG if a lossy setting was given or the input is one, else to PNG.
    fn coded(&mut self, file: &mut PdfFile, bytes: &[u8]) -> Result<Vec<Warning>, EngineError> {
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
        let mut warnings: Vec<_> =
            warnings.map(|warning| Warning::new(warning.code, in_api_terms(&warning.message))).collect();
        match (from, Jpeg::parse(coded)) {
            (MediaType::Jpeg, Some(jpeg)) => {
                let stored: &[u8] = if self.strip { &jpeg.bare } else { coded };
                self.jpeg(file, &jpeg, stored, 1).map_err(fault)?;
            }
            _ => {
                self.picture(file, &Picture::of_png(coded)?).map_err(fault)?;
                if png_idat::has_metadata(coded) {
                    let message = "Only a JPEG keeps its metadata in a document.";
                    warnings.push(Warning::new("metadata_dropped", message));
                }
            }
        }
        Ok(warnings)
    }

    fn jpeg(&self, file: &mut PdfFile, jpeg: &Jpeg, coded: &[u8], orientation: u8) -> io::Result<()> {
        let size = (u32::from(jpeg.width), u32::from(jpeg.height));
        let profile = profile(file, jpeg.icc.as_deref(), jpeg.components)?;
        let id = file.next_id();
        let mut chunk = Chunk::new();
        let mut image = chunk.image_xobject(id, coded);
        image.filter(Filter::DctDecode);
        image.width(side(size.0)).height(side(size.1)).bits_per_component(8);
        set_color_space(&mut image, profile, jpeg.components);
        if jpeg.components == 4 && jpeg.adobe {
            image.decode([1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        }
        image.finish();
        file.add(id, &chunk)?;
        self.page(file, id, size, orientation)
    }

    fn picture(&self, file: &mut PdfFile, picture: &Picture) -> io::Result<()> {
        let profile = profile(file, picture.icc.as_deref(), picture.color.channels)?;
        let mask = match &picture.alpha {
            Some(rows) => {
                let gray = |image: &mut ImageXObject<'_>| set_color_space(image, None, rows.channels);
                Some(add_rows(file, rows, picture.size, gray)?)
            }
            None => None,
        };
        let image = add_rows(file, &picture.color, picture.size, |image| {
            set_color_space(image, profile, picture.color.channels);
            if let Some(mask) = mask {
                image.s_mask(mask);
            }
        })?;
        self.page(file, image, picture.size, 1)
    }

    /// Adds a page of the image's size that shows `image` upright.
    fn page(&self, file: &mut PdfFile, image: Ref, stored: (u32, u32), orientation: u8) -> io::Result<()> {
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
        let id = file.next_id();
        let mut chunk = Chunk::new();
        chunk.stream(id, &content.finish());
        file.add(id, &chunk)?;
        file.add_page(|page| {
            page.media_box(Rect::new(0.0, 0.0, width, height)).parent(pdf_file::PAGES).contents(id);
            page.resources().x_objects().pair(NAME, image);
        })
    }
}

/// Adds an image of PNG rows; `set` sets what else belongs to it.
fn add_rows(
    file: &mut PdfFile,
    rows: &Rows,
    size: (u32, u32),
    set: impl FnOnce(&mut ImageXObject<'_>),
) -> io::Result<Ref> {
    let id = file.next_id();
    let mut chunk = Chunk::new();
    let mut image = chunk.image_xobject(id, &rows.data);
    image.filter(Filter::FlateDecode);
    let mut parameters = image.decode_parms();
    parameters.predictor(Predictor::PngOptimum).columns(side(size.0));
    parameters.colors(i32::from(rows.channels)).bits_per_component(i32::from(rows.depth));
    parameters.finish();
    image.width(side(size.0)).height(side(size.1)).bits_per_component(i32::from(rows.depth));
    set(&mut image);
    image.finish();
    file.add(id, &chunk)?;
    Ok(id)
}

fn fault(error: io::Error) -> EngineError {
    EngineError::of_file(&error)
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

/// Adds the profile of an image, if it is one for so many channels.
fn profile(file: &mut PdfFile, icc: Option<&[u8]>, channels: u8) -> io::Result<Option<Ref>> {
    let Some(icc) = icc.filter(|icc| fits(icc, channels)) else { return Ok(None) };
    let id = file.next_id();
    let mut chunk = Chunk::new();
    chunk.icc_profile(id, icc).n(i32::from(channels));
    file.add(id, &chunk)?;
    Ok(Some(id))
}

fn set_color_space(image: &mut ImageXObject<'_>, profile: Option<Ref>, channels: u8) {
    match (profile, channels) {
        (Some(profile), _) => image.color_space().icc_based(profile),
        (None, 1) => image.color_space().device_gray(),
        (None, 3) => image.color_space().device_rgb(),
        (None, _) => image.color_space().device_cmyk(),
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
