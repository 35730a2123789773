//! The rows of a still WebP. Lossy files are decoded to planes by image-webp, lossless ones and alpha row by row by filepress-webp, so
//! that the pixels are never all in memory. They are those that [`READER`](crate::formats::webp::decode::READER) gives.

mod yuv;

use std::io::{Cursor, Read};

use filepress_webp::{AlphaRows, DecodeError, LosslessRows, decoding_memory};
use filepress_wire::MediaType;
use image_webp::vp8::Vp8Decoder;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::decode::Header;
use crate::formats::rows::{RowReader, Samples};
use crate::formats::webp::metadata::Chunks;
use yuv::YuvRows;

/// The coded pixels of a still file.
enum Coded<'a> {
    /// With the data of alpha, if there is any.
    Lossy(&'a [u8], Option<&'a [u8]>),
    Lossless(&'a [u8]),
}

impl<'a> Coded<'a> {
    /// `None` for an animation, and for files in which not everything is there once.
    fn find(bytes: &'a [u8], has_alpha: bool) -> Option<Self> {
        let (mut pixels, mut alpha) = (None, None);
        let mut chunks = Chunks::new(bytes);
        for chunk in &mut chunks {
            match &chunk.kind {
                b"VP8 " | b"VP8L" if pixels.is_some() => return None,
                b"ALPH" if alpha.is_some() => return None,
                b"ANIM" | b"ANMF" => return None,
                b"VP8 " => pixels = Some(Self::Lossy(chunk.data, None)),
                b"VP8L" => pixels = Some(Self::Lossless(chunk.data)),
                b"ALPH" => alpha = Some(chunk.data),
                _ => {}
            }
        }
        match (pixels.filter(|_| !chunks.broken)?, alpha) {
            (Self::Lossy(data, _), None) if !has_alpha => Some(Self::Lossy(data, None)),
            (Self::Lossy(data, _), Some(alpha)) if has_alpha => Some(Self::Lossy(data, Some(alpha))),
            (Self::Lossless(data), None) => Some(Self::Lossless(data)),
            _ => None,
        }
    }
}

/// The bytes that [`rows`] takes, at most. `None` if it does not read the file.
pub(crate) fn memory(bytes: &[u8], header: &Header) -> Option<u64> {
    let pixels = u64::from(header.width) * u64::from(header.height);
    let in_rows = |data: &[u8]| decoding_memory(pixels, data.len() as u64);
    Some(match Coded::find(bytes, header.has_alpha)? {
        Coded::Lossy(data, alpha) => {
            let side = |side: u32| u64::from(side.next_multiple_of(16));
            // The planes, modes of macroblocks, and a copy of the data.
            let planes = side(header.width) * side(header.height) * 2 + 2 * data.len() as u64;
            planes + alpha.map_or(0, in_rows)
        }
        Coded::Lossless(data) => in_rows(data),
    })
}

/// The rows of a file that has the size and the alpha of this header.
pub(crate) fn rows<'a>(bytes: &'a [u8], header: &Header) -> Result<Box<dyn RowReader + 'a>> {
    let size = (header.width, header.height);
    let coded = Coded::find(bytes, header.has_alpha).ok_or_else(|| damaged("its pixels are missing"))?;
    Ok(match coded {
        Coded::Lossless(data) => {
            let rows = LosslessRows::new(data).map_err(failed)?;
            if rows.size() != size {
                return Err(damaged("its pixels have another size than its canvas"));
            }
            Box::new(Lossless { rows, has_alpha: header.has_alpha })
        }
        Coded::Lossy(data, alpha) => {
            // The same type as in the decoder of whole pictures, so that the module has the code once.
            let mut cursor = Cursor::new(data);
            let frame = Vp8Decoder::decode_frame((&mut cursor).take(data.len() as u64)).map_err(damaged)?;
            if (u32::from(frame.width), u32::from(frame.height)) != size {
                return Err(damaged("its pixels have another size than its canvas"));
            }
            let alpha = alpha.map(|data| AlphaRows::new(data, size)).transpose().map_err(failed)?;
            Box::new(Lossy { rows: YuvRows::new(frame), alpha })
        }
    })
}

struct Lossy<'a> {
    rows: YuvRows,
    alpha: Option<AlphaRows<'a>>,
}

impl RowReader for Lossy<'_> {
    fn size(&self) -> (u32, u32) {
        self.rows.size()
    }

    fn samples(&self) -> Samples {
        if self.alpha.is_some() { Samples::Rgba } else { Samples::Rgb }
    }

    fn read(&mut self, rows: &mut [u8]) -> Result<usize> {
        let length = self.size().0 as usize * self.samples().count();
        let mut count = 0;
        for row in rows.chunks_exact_mut(length) {
            let Some(alpha) = &mut self.alpha else {
                if !self.rows.next_row::<3>(row) {
                    break;
                }
                count += 1;
                continue;
            };
            if !self.rows.next_row::<4>(row) {
                break;
            }
            let alpha = alpha.next_row().map_err(failed)?.unwrap_or_default();
            for (pixel, alpha) in row.as_chunks_mut::<4>().0.iter_mut().zip(alpha) {
                pixel[3] = *alpha;
            }
            count += 1;
        }
        Ok(count)
    }
}

struct Lossless<'a> {
    rows: LosslessRows<'a>,
    has_alpha: bool,
}

impl RowReader for Lossless<'_> {
    fn size(&self) -> (u32, u32) {
        self.rows.size()
    }

    fn samples(&self) -> Samples {
        if self.has_alpha { Samples::Rgba } else { Samples::Rgb }
    }

    fn read(&mut self, rows: &mut [u8]) -> Result<usize> {
        let length = self.size().0 as usize * self.samples().count();
        let mut count = 0;
        for out in rows.chunks_exact_mut(length) {
            let Some(row) = self.rows.next_row().map_err(failed)? else { break };
            match self.has_alpha {
                true => {
                    put(out.as_chunks_mut().0, row, |[alpha, red, green, blue]| [red, green, blue, alpha])
                }
                false => put(out.as_chunks_mut().0, row, |[_, red, green, blue]| [red, green, blue]),
            }
            count += 1;
        }
        Ok(count)
    }
}

/// Stores pixels, of which `order` gets alpha, red, green and blue.
fn put<const N: usize>(out: &mut [[u8; N]], row: &[u32], order: impl Fn([u8; 4]) -> [u8; N]) {
    for (out, pixel) in out.iter_mut().zip(row) {
        *out = order(pixel.to_be_bytes());
    }
}

fn failed(cause: DecodeError) -> Error {
    match cause {
        DecodeError::OutOfMemory => {
            Error::new(ErrorCode::TooMuchMemory, "The WebP needs more memory than there is.")
        }
        cause => damaged(cause),
    }
}

fn damaged(cause: impl std::fmt::Display) -> Error {
    Error::corrupt(MediaType::Webp.name(), cause)
}
