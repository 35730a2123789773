//! SVG by resvg, rendered at the size of the output instead of resized.
//!
//! Only the bytes of the call are used: no files, no addresses, no system fonts. Embedded `data:` pictures are
//! rendered; external pictures and style sheets are ignored. A small file can require endless work, so its expanded
//! size ([`complexity`]) and its rendering cost ([`render_cost`]) are estimated first.

mod complexity;
mod embedded_images;
mod fonts;
pub(crate) mod path;
mod render_cost;

use std::borrow::Cow;
use std::sync::Arc;

use image::{DynamicImage, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{ImageHrefResolver, Options, Size, Tree, roxmltree};

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::{DecodeEmbedded, Drawing};
use crate::formats::decode::{ColorModel, Header};
use crate::formats::svg::xml::{self, Token};
use crate::limits::Limits;
use crate::options::Position;
use embedded_images::Pictures;

/// The default size of an SVG, as in browsers (CSS 2.2 §10.3.2).
const DEFAULT_SIZE: (f32, f32) = (300.0, 150.0);

/// Reads the size from the root element. The rest of the file is not read.
pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let size = size(&text(bytes)?)?;
    let whole = |side: f32| (side.round().min(i32::MAX as f32) as u32).clamp(1, i32::MAX as u32);
    Ok(Header {
        width: whole(size.width()),
        height: whole(size.height()),
        frames: 1,
        scalable: true,
        reducible: false,
        has_alpha: true,
        color_model: ColorModel::Rgb,
        bit_depth: 8,
        bytes_per_pixel: 4,
        decoder_bytes: 0,
    })
}

/// Renders at the size of the output, with unpremultiply alpha.
pub(crate) fn draw(bytes: &[u8], drawing: &Drawing) -> Result<DynamicImage> {
    paint(bytes, drawing).map(DynamicImage::ImageRgba8)
}

/// Renders at the largest size that fits into a square, without fonts of the caller.
pub(crate) fn preview(
    bytes: &[u8],
    side: u32,
    limits: &Limits,
    embedded: DecodeEmbedded,
) -> Result<RgbaImage> {
    let size = size(&text(bytes)?)?;
    let scale = side as f32 / size.width().max(size.height());
    let whole = |length: f32| ((length * scale).round() as u32).clamp(1, side);
    let size = (whole(size.width()), whole(size.height()));
    paint(bytes, &Drawing { size, share: [0.0, 0.0, 1.0, 1.0], position: None, fonts: &[], limits, embedded })
}

/// Renders to the whole area.
fn paint(bytes: &[u8], drawing: &Drawing) -> Result<RgbaImage> {
    let Drawing { size: (width, height), fonts: files, limits, embedded, .. } = *drawing;
    let text = text(bytes)?;
    let transform = transform(size(&text)?, drawing);
    let (fonts, family) = fonts::load(files)?;
    let pictures = Pictures::new(limits, embedded);
    let (tree, memory) = tree(bytes, pictures.resolver(false), Arc::new(fonts), &family, limits)?;
    let taken = memory + pictures.finish()? + 4 * u64::from(width) * u64::from(height);
    render_cost::check(&tree, transform, (width, height), taken, limits)?;
    let mut canvas = Pixmap::new(width, height).ok_or_else(|| {
        Error::new(ErrorCode::TooMuchMemory, "The drawing needs more memory than can be addressed.")
    })?;
    resvg::render(&tree, transform, &mut canvas.as_mut());
    drop(tree);
    RgbaImage::from_raw(width, height, unpremultiply(canvas.take()))
        .ok_or_else(|| Error::corrupt("SVG", "it has no pixels"))
}

/// From the user space of a drawing to the pixels of the output.
fn transform(size: Size, drawing: &Drawing) -> Transform {
    let ((width, height), [left, top, wide, high]) = (drawing.size, drawing.share);
    let (width, height) = (width as f32, height as f32);
    let (wide, high) = (size.width() * wide, size.height() * high);
    let (mut across, mut down) = (width / wide, height / high);
    if drawing.position.is_some() {
        across = across.max(down);
        down = across;
    }
    let Position { x, y } = drawing.position.unwrap_or_default();
    let x = (width - wide * across) * x as f32 - size.width() * left * across;
    let y = (height - high * down) * y as f32 - size.height() * top * down;
    Transform::from_row(across, 0.0, 0.0, down, x, y)
}

/// The render tree, and its estimated memory in bytes.
fn tree(
    bytes: &[u8],
    pictures: ImageHrefResolver<'_>,
    fonts: Arc<Database>,
    family: &str,
    limits: &Limits,
) -> Result<(Tree, u64)> {
    let text = text(bytes)?;
    let text = sized(&text)?;
    let document = parse(&text)?;
    let memory = complexity::measure(&document, limits)?;
    let options = Options { image_href_resolver: pictures, fontdb: fonts, ..options(family) };
    let tree = Tree::from_xmltree(&document, &options).map_err(|cause| Error::corrupt("SVG", cause))?;
    Ok((tree, memory))
}

/// The size that the root element declares, in CSS pixels.
pub(crate) fn size(text: &str) -> Result<Size> {
    let text = sized(text)?;
    let (_, end, closed) = root(&text)?;
    let head = text.get(..end).ok_or_else(incomplete)?;
    // Only the root element, with the entities that its attributes may use.
    let head = match closed {
        true => Cow::Borrowed(head),
        false => Cow::Owned(format!("{}/>", head.strip_suffix('>').ok_or_else(incomplete)?)),
    };
    let document = parse(&head)?;
    let tree = Tree::from_xmltree(&document, &options("")).map_err(|cause| Error::corrupt("SVG", cause))?;
    Ok(tree.size())
}

/// The markup with a size in its root element if that is missing or relative: [`DEFAULT_SIZE`]. A view box counts as a
/// size.
fn sized(text: &str) -> Result<Cow<'_, str>> {
    let (start, end, _) = root(text)?;
    let tag = text.get(start..end).ok_or_else(incomplete)?;
    let Some(Ok(Token::Start { name, attributes, .. })) = xml::tokens(tag).next() else {
        return Err(incomplete());
    };
    let given: Vec<(&str, &str, char)> = xml::attributes(attributes).flatten().collect();
    let value = |wanted| given.iter().find(|(name, ..)| *name == wanted).map(|(_, value, _)| value.trim());
    if value("viewBox").is_some() {
        return Ok(Cow::Borrowed(text));
    }
    let mut added = String::new();
    let mut replaced = Vec::new();
    for (side, default) in [("width", DEFAULT_SIZE.0), ("height", DEFAULT_SIZE.1)] {
        match value(side) {
            None => added += &format!(" {side}=\"{default}\""),
            Some(share) => {
                if let Some(share) =
                    share.strip_suffix('%').and_then(|share| share.trim().parse::<f32>().ok())
                {
                    added += &format!(" {side}=\"{}\"", default * share / 100.0);
                    replaced.push(side);
                }
            }
        }
    }
    if added.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let kept = given.iter().filter(|(name, ..)| !replaced.contains(name));
    let kept: String = kept.map(|(name, value, quote)| format!(" {name}={quote}{value}{quote}")).collect();
    let close = if tag.ends_with("/>") { "/>" } else { ">" };
    let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    Ok(Cow::Owned(format!("{before}<{name}{kept}{added}{close}{after}")))
}

/// The start and end of the root element's start tag, and whether it is empty.
fn root(text: &str) -> Result<(usize, usize, bool)> {
    let mut tokens = xml::tokens(text);
    loop {
        let start = text.len() - tokens.rest().len();
        match tokens.next() {
            Some(Ok(Token::Start { empty, .. })) => {
                return Ok((start, text.len() - tokens.rest().len(), empty));
            }
            Some(Ok(Token::Text(_) | Token::Comment(_) | Token::Instruction(_) | Token::Doctype(_))) => {}
            _ => return Err(incomplete()),
        }
    }
}

fn incomplete() -> Error {
    Error::corrupt("SVG", "it has no root element")
}

fn parse(text: &str) -> Result<roxmltree::Document<'_>> {
    complexity::check_markup(text)?;
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).map_err(|cause| Error::corrupt("SVG", cause))
}

fn options(family: &str) -> Options<'static> {
    let default = Options::default();
    Options {
        font_family: family.to_owned(),
        default_size: Size::from_wh(DEFAULT_SIZE.0, DEFAULT_SIZE.1).unwrap_or(default.default_size),
        // The document type after an external identifier is not parsed.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..default
    }
}

/// The markup: UTF-8, or Latin-1 if it is declared.
pub(crate) fn text(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let cause = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(cause) => cause,
    };
    let head: String = bytes.iter().take(128).map(|&byte| char::from(byte.to_ascii_lowercase())).collect();
    let declaration = head.strip_prefix("<?xml").and_then(|head| head.split("?>").next());
    match declaration.is_some_and(|declaration| declaration.contains("8859-1")) {
        true => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
        false => Err(Error::corrupt("SVG", format!("its text is not UTF-8 ({cause})"))),
    }
}

/// Undoes the premultiplication by alpha.
fn unpremultiply(mut pixels: Vec<u8>) -> Vec<u8> {
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let [color @ .., alpha] = pixel;
        let alpha = u32::from(*alpha);
        if alpha != 0 && alpha != 255 {
            for sample in color {
                *sample = ((u32::from(*sample) * 255 + alpha / 2) / alpha).min(255) as u8;
            }
        }
    }
    pixels
}
