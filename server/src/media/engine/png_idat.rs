//! Converts a PNG for a PDF: its compressed rows are used unchanged (ISO 32000-1, 7.4.4.4), unless alpha must be separated from color.

use std::io::Cursor;

use filepress_wire::TaskErrorCode;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

use super::response::EngineError;

/// Chunks that only describe the picture.
const METADATA: [&[u8; 4]; 5] = [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME"];

/// Rows for a `FlateDecode` filter with PNG's predictors.
pub(super) struct Rows {
    pub(super) data: Vec<u8>,
    /// 1 or 3.
    pub(super) channels: u8,
    /// Bits of a channel: 1, 2, 4, 8 or 16.
    pub(super) depth: u8,
}

/// A picture of a PDF.
pub(super) struct Picture {
    pub(super) size: (u32, u32),
    pub(super) color: Rows,
    pub(super) alpha: Option<Rows>,
    pub(super) icc: Option<Vec<u8>>,
}

/// Whether a PNG of the engine has text, XMP, EXIF or a time (PNG, 11.3.3 to 11.3.5). Metadata is before the pixels or after them.
pub(super) fn has_metadata(png: &[u8]) -> bool {
    let mut rest = png.get(8..).unwrap_or_default();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        if after.first_chunk().is_some_and(|name: &[u8; 4]| METADATA.contains(&name)) {
            return true;
        }
        // The name and the checksum have four bytes each.
        let chunk = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        rest = after.get(chunk.saturating_add(8)..).unwrap_or_default();
    }
    false
}

impl Picture {
    /// Reads a PNG of the engine.
    pub(super) fn of_png(png: &[u8]) -> Result<Self, EngineError> {
        Self::read(png).map_err(|error| {
            EngineError::new(
                TaskErrorCode::Internal,
                format!("Reading an intermediate file failed: {error}."),
            )
        })
    }

    fn read(png: &[u8]) -> Result<Self, Box<dyn std::error::Error>> {
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info()?;
        let info = reader.info();
        let size = (info.width, info.height);
        let icc = info.icc_profile.as_deref().map(<[u8]>::to_vec);
        let plain = matches!(info.color_type, ColorType::Grayscale | ColorType::Rgb)
            && info.trns.is_none()
            && !info.interlaced;
        if plain {
            let channels = info.color_type.samples() as u8;
            let color = Rows { data: compressed_rows(png), channels, depth: info.bit_depth as u8 };
            return Ok(Self { size, color, alpha: None, icc });
        }
        let (kind, depth) = reader.output_color_type();
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
        reader.next_frame(&mut pixels)?;
        let bytes = if depth == BitDepth::Sixteen { 2 } else { 1 };
        let (channels, has_alpha) = match kind {
            ColorType::Grayscale => (1, false),
            ColorType::GrayscaleAlpha => (1, true),
            ColorType::Rgba => (3, true),
            ColorType::Rgb | ColorType::Indexed => (3, false),
        };
        let stride = (channels + usize::from(has_alpha)) * bytes;
        let part = |from: usize, to: usize| -> Vec<u8> {
            pixels
                .chunks_exact(stride)
                .flat_map(|pixel| pixel[from * bytes..to * bytes].iter().copied())
                .collect()
        };
        let color = if channels == 1 { ColorType::Grayscale } else { ColorType::Rgb };
        let coded = |kind, samples: Vec<u8>| rows(size, kind, depth, &samples);
        Ok(Self {
            size,
            color: coded(color, part(0, channels))?,
            alpha: has_alpha
                .then(|| coded(ColorType::Grayscale, part(channels, channels + 1)))
                .transpose()?,
            icc,
        })
    }
}

fn rows(
    size: (u32, u32),
    kind: ColorType,
    depth: BitDepth,
    samples: &[u8],
) -> Result<Rows, png::EncodingError> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, size.0, size.1);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(samples)?;
    writer.finish()?;
    Ok(Rows { data: compressed_rows(&png), channels: kind.samples() as u8, depth: depth as u8 })
}

/// The concatenated data of the `IDAT` chunks.
fn compressed_rows(png: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut rest = png.get(8..).unwrap_or_default();
    while let Some((header, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
        let Some((chunk, next)) = after.split_at_checked(length) else { break };
        if header.ends_with(b"IDAT") {
            data.extend_from_slice(chunk);
        }
        rest = next.get(4..).unwrap_or_default();
    }
    data
}
