//! Assembles the samples of a page from its strips or tiles.

use fax::decoder::decode_g4;
use fdeflate::BoundedDecompressionError;
use weezl::{BitOrder, LzwStatus, decode::Decoder};

use crate::containers::tiff_ifd::{Directory, Endian};
use crate::containers::tiff_tags as tag;
use crate::error::Result;
use crate::formats::tiff::decode::field_values::{Compression, Predictor};
use crate::formats::tiff::decode::layout::Layout;
use crate::formats::tiff::decode::samples::Samples;
use crate::formats::tiff::decode::{corrupt, jpeg};
use crate::limits::Limits;

const STRIPS: (u16, u16) = (tag::STRIP_OFFSETS, tag::STRIP_BYTE_COUNTS);
const TILES: (u16, u16) = (tag::TILE_OFFSETS, tag::TILE_BYTE_COUNTS);

/// Chunks may share bytes, plain tiles for example. All together may have so many times the bytes of the file and of the samples.
const MOST_CODED: u64 = 4;

/// Reads all chunks. Fails if the samples and one chunk would need more memory than the limits allow.
pub(crate) fn read(page: &Directory, layout: &Layout, limits: &Limits) -> Result<Samples> {
    let plan = Plan::of(page, layout, limits)?;
    let mut samples = Samples::new(layout);
    let mut chunk = Vec::new();
    let mut budget =
        (plan.file.len() as u64).saturating_add(Samples::size(layout)).saturating_mul(MOST_CODED);
    for plane in 0..samples.planes() {
        for row in 0..plan.down {
            for column in 0..plan.across {
                let top = row * layout.chunk_height as usize;
                let rows = (layout.height as usize - top).min(layout.chunk_height as usize);
                let needed = plan.needed(rows);
                let coded = plan.coded((plane * plan.down + row) * plan.across + column, needed)?;
                let left = budget.checked_sub(coded.len() as u64);
                budget = left.ok_or_else(|| corrupt("its chunks overlap"))?;
                plan.decompress(&plan.in_order(coded), (rows, needed), &mut chunk)?;
                match layout.subsampling {
                    (1, 1) => {
                        let restored = chunk.chunks_exact_mut(plan.row_size).take(rows).enumerate();
                        for (y, row) in restored {
                            undo_predictor(row, layout, page.file.endian);
                            samples.place(row, plane, top + y, column * plan.row_size);
                        }
                    }
                    _ => {
                        plan.upsample_chroma(&chunk, &mut samples, top, column * layout.chunk_width as usize)
                    }
                }
            }
        }
    }
    Ok(samples)
}

/// The offsets and sizes of a page's chunks.
struct Plan<'a> {
    layout: &'a Layout,
    limits: &'a Limits,
    file: &'a [u8],
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    tables: Option<&'a [u8]>,
    across: usize,
    down: usize,
    /// The size of a chunk's row in bytes; with subsampled chroma, of a row of pixel groups.
    row_size: usize,
    /// The size of a whole chunk in bytes.
    chunk_size: usize,
}

impl<'a> Plan<'a> {
    fn of(page: &'a Directory, layout: &'a Layout, limits: &'a Limits) -> Result<Self> {
        let (across, down) = layout.subsampling;
        let (row_size, rows) = match layout.subsampling {
            (1, 1) => (layout.row_bits().div_ceil(8), u64::from(layout.chunk_height)),
            _ => {
                let groups = u64::from(layout.chunk_width).div_ceil(across as u64);
                (groups * (across * down + 2) as u64, u64::from(layout.chunk_height).div_ceil(down as u64))
            }
        };
        let chunk_size = row_size.saturating_mul(rows);
        limits.check_memory(chunk_size.saturating_add(Samples::size(layout)))?;

        let (offsets, lengths) = if layout.tiled { TILES } else { STRIPS };
        let offsets = page.numbers(offsets).ok_or_else(|| corrupt("it does not say where its pixels are"))?;
        let plan = Self {
            layout,
            limits,
            file: page.file.bytes(),
            offsets: offsets.collect(),
            lengths: page.numbers(lengths).into_iter().flatten().collect(),
            tables: page.bytes(tag::JPEG_TABLES),
            across: layout.width.div_ceil(layout.chunk_width) as usize,
            down: layout.height.div_ceil(layout.chunk_height) as usize,
            row_size: row_size as usize,
            chunk_size: chunk_size as usize,
        };
        let planes = if layout.planar { layout.samples } else { 1 };
        let chunks = (plan.across as u64 * plan.down as u64).saturating_mul(planes as u64);
        if (plan.offsets.len() as u64) < chunks {
            return Err(corrupt("it has too few chunks"));
        }
        Ok(plan)
    }

    /// The bytes that a chunk of `rows` rows decompresses to: of all its rows if it is a tile.
    fn needed(&self, rows: usize) -> usize {
        match (self.layout.tiled, self.layout.subsampling) {
            (true, _) => self.chunk_size,
            (false, (_, down)) => rows.div_ceil(down) * self.row_size,
        }
    }

    /// The bytes of a chunk, of which so many are needed if they are not compressed. Without a length, they extend to the end of the file.
    fn coded(&self, index: usize, needed: usize) -> Result<&'a [u8]> {
        let start = self.offsets.get(index).and_then(|&start| usize::try_from(start).ok());
        let rest = start.and_then(|start| self.file.get(start..));
        let coded = match self.lengths.get(index) {
            None => rest,
            Some(&length) => rest.zip(usize::try_from(length).ok()).and_then(|(rest, size)| rest.get(..size)),
        };
        let coded = coded.ok_or_else(|| corrupt("it ends too soon"))?;
        Ok(match self.layout.compression {
            Compression::None => coded.get(..needed).unwrap_or(coded),
            _ => coded,
        })
    }

    /// The bytes of a chunk with their highest bits first.
    fn in_order(&self, coded: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        match self.layout.reversed_bits {
            true => coded.iter().map(|byte| byte.reverse_bits()).collect(),
            false => coded.into(),
        }
    }

    /// Decompresses `rows` rows, or the whole chunk if it has more, to at least `needed` bytes.
    fn decompress(&self, coded: &[u8], (rows, needed): (usize, usize), chunk: &mut Vec<u8>) -> Result<()> {
        chunk.clear();
        match self.layout.compression {
            Compression::None => chunk.extend_from_slice(coded.get(..needed).unwrap_or_default()),
            Compression::PackBits => unpack_bits(coded, needed, chunk),
            Compression::Lzw => unpack_lzw(coded, needed, chunk)?,
            Compression::Deflate => {
                *chunk = match fdeflate::decompress_to_vec_bounded(coded, self.chunk_size) {
                    Ok(unfolded) => unfolded,
                    Err(BoundedDecompressionError::OutputTooLarge { partial_output }) => partial_output,
                    Err(BoundedDecompressionError::DecompressionError { inner }) => {
                        return Err(corrupt(format_args!("a chunk cannot be unfolded: {inner:?}")));
                    }
                };
            }
            Compression::Group4 => self.unpack_fax(coded, rows, chunk)?,
            Compression::Jpeg => {
                *chunk = jpeg::decode(self.tables, coded, self.layout, needed, self.limits)?;
            }
        }
        match chunk.len() < needed {
            true => Err(corrupt("a chunk ends too soon")),
            false => Ok(()),
        }
    }

    /// CCITT Group 4 (ITU-T T.6): one bit per pixel, 1 for black.
    fn unpack_fax(&self, coded: &[u8], rows: usize, chunk: &mut Vec<u8>) -> Result<()> {
        let rows = if self.layout.tiled { self.layout.chunk_height as usize } else { rows };
        let (Ok(width), Ok(height)) = (u16::try_from(self.layout.chunk_width), u16::try_from(rows)) else {
            return Err(super::unsupported("CCITT Group 4 of more than 65,535 pixels a side"));
        };
        let decoded = decode_g4(coded.iter().copied(), width, Some(height), |changes| {
            let start = chunk.len();
            chunk.resize(start + self.row_size, 0);
            let row = &mut chunk[start..];
            // Runs of white and black alternate, white first. The rest of the row has the last color.
            for run in changes.chunks(2) {
                let end = run.get(1).copied().unwrap_or(width).min(width);
                for x in usize::from(run[0])..usize::from(end) {
                    row[x / 8] |= 0x80 >> (x % 8);
                }
            }
        });
        decoded.ok_or_else(|| corrupt("a chunk breaks the rules of CCITT Group 4"))
    }

    /// Expands groups of pixels with shared chroma (section 21) to pixels with their own chroma.
    fn upsample_chroma(&self, chunk: &[u8], samples: &mut Samples, top: usize, left: usize) {
        let (across, down) = self.layout.subsampling;
        for (line, groups) in chunk.chunks_exact(self.row_size).enumerate() {
            for (column, group) in groups.chunks_exact(across * down + 2).enumerate() {
                let (lumas, chroma) = group.split_at(across * down);
                for (place, &luma) in lumas.iter().enumerate() {
                    let (x, y) =
                        (left + column * across + place % across, top + line * down + place / across);
                    if x < self.layout.width as usize && y < self.layout.height as usize {
                        samples.place(&[luma, chroma[0], chroma[1]], 0, y, 3 * x);
                    }
                }
            }
        }
    }
}

/// PackBits (section 9): runs of a byte, and literal bytes.
fn unpack_bits(coded: &[u8], needed: usize, out: &mut Vec<u8>) {
    let mut rest = coded;
    while let Some((&head, behind)) = rest.split_first() {
        rest = behind;
        let head = head as i8;
        match usize::from(head.unsigned_abs()) {
            _ if out.len() >= needed => break,
            128 => {}
            count if head < 0 => {
                let Some((&byte, behind)) = rest.split_first() else { break };
                out.resize(out.len() + count + 1, byte);
                rest = behind;
            }
            count => {
                let (bytes, behind) = rest.split_at(rest.len().min(count + 1));
                out.extend_from_slice(bytes);
                rest = behind;
            }
        }
    }
}

/// LZW (section 13).
fn unpack_lzw(coded: &[u8], needed: usize, out: &mut Vec<u8>) -> Result<()> {
    let mut decoder = Decoder::with_tiff_size_switch(BitOrder::Msb, 8);
    out.resize(needed, 0);
    let (mut from, mut to) = (0, 0);
    while to < needed {
        let step = decoder.decode_bytes(&coded[from..], &mut out[to..]);
        from += step.consumed_in;
        to += step.consumed_out;
        match step.status {
            Ok(LzwStatus::Ok) if step.consumed_in + step.consumed_out > 0 => {}
            Ok(_) => break,
            Err(cause) => return Err(corrupt(cause)),
        }
    }
    out.truncate(to);
    Ok(())
}

/// Converts a row to little-endian samples, and undoes the predictor.
fn undo_predictor(row: &mut [u8], layout: &Layout, endian: Endian) {
    let size = layout.bits / 8;
    let samples = layout.chunk_samples();
    let words = layout.bits.is_power_of_two() && size > 1;
    if layout.predictor == Predictor::FloatingPoint {
        // Adobe Photoshop TIFF Technical Note 3.
        for at in samples..row.len() {
            row[at] = row[at].wrapping_add(row[at - samples]);
        }
        let planes = row.to_vec();
        let count = row.len() / size;
        for (index, word) in row.chunks_exact_mut(size).enumerate() {
            for (significance, byte) in word.iter_mut().rev().enumerate() {
                *byte = planes[significance * count + index];
            }
        }
        return;
    }
    if words && endian == Endian::Big {
        row.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    if layout.predictor == Predictor::Horizontal {
        // Section 14. The carry goes from the low byte of a sample to the high byte.
        for at in (samples * size..row.len()).step_by(size) {
            let mut carry = 0;
            for byte in at..at + size {
                let sum = u16::from(row[byte]) + u16::from(row[byte - samples * size]) + carry;
                row[byte] = sum as u8;
                carry = sum >> 8;
            }
        }
    }
}
