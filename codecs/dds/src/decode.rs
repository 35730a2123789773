//! Decodes the first surface of a file.

use crate::bc;
use crate::error::Error;
use crate::format::{Coding, Format};
use crate::header::{self, Header};
use crate::sample::{Channels, Depth, Pixel};
use crate::yuv;

/// A file whose header was read.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    header: Header,
    /// What follows the header.
    stored: &'a [u8],
}

/// Decoded samples, row by row, the channels of a pixel side by side.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// 0 to 255.
    U8(Vec<u8>),
    /// 0 to 65535.
    U16(Vec<u16>),
    /// As they are stored: less than 0, more than 1, infinite and not a number, too.
    F32(Vec<f32>),
}

/// The pixels of a row that are decoded at once, unless they are blocks.
const RUN: u32 = 64;
/// The pixels of the largest block.
const MOST: usize = 144;

impl<'a> File<'a> {
    /// Reads the header. Nothing is allocated.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] if there is no header or no pixel, [`Error::Unsupported`] for a format that is not read.
    pub fn new(file: &'a [u8]) -> Result<Self, Error> {
        let header = header::read(file)?;
        Ok(Self { header, stored: file.get(header.bytes..).unwrap_or_default() })
    }

    /// In pixels, at least 1.
    pub fn width(&self) -> u32 {
        self.header.width
    }

    /// In pixels, at least 1.
    pub fn height(&self) -> u32 {
        self.header.height
    }

    /// The number of faces, array elements and slices, without mipmaps: at least 1.
    pub fn pictures(&self) -> u32 {
        self.header.pictures
    }

    /// The number of sizes of each picture, the full one among them: at least 1.
    pub fn mipmaps(&self) -> u32 {
        self.header.mipmaps
    }

    /// The channels of the decoded pixels. A format that is declared to be opaque has no alpha; gray of floating point is
    /// RGB. Of RGB, a color that is not stored is 0, or the middle, 128 or 32768, if the others are signed.
    pub fn channels(&self) -> Channels {
        self.header.format.channels
    }

    /// The type of the decoded samples: the next that holds all of those that are stored.
    pub fn depth(&self) -> Depth {
        self.header.format.depth
    }

    /// Decodes the first picture at full size: the first face of a cube map, the first slice of a volume.
    ///
    /// Colors that are multiplied by alpha are divided by it: those of `DXT2` and `DXT4`, and of `BC2_UNORM` and
    /// `BC3_UNORM` whose alpha mode says so. The alpha mode of other formats is ignored unless it is opaque. The result
    /// has at most `max_bytes` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] if the file ends too soon, [`Error::TooMuchMemory`] if the result is larger than `max_bytes`.
    /// Both are found before anything is allocated.
    pub fn decode(&self, max_bytes: u64) -> Result<Samples, Error> {
        let Header { width, height, format, .. } = self.header;
        let stored = format.surface_bytes(width, height).filter(|&bytes| bytes <= self.stored.len() as u64);
        if stored.is_none() {
            return Err(Error::Corrupt("it ends too soon"));
        }
        let (depth, channels) = (format.depth, format.channels);
        let count = u64::from(width) * u64::from(height);
        let fits =
            |count: &u64| count.checked_mul(depth.bytes() as u64).is_some_and(|bytes| bytes <= max_bytes);
        let count = count
            .checked_mul(channels.count() as u64)
            .filter(fits)
            .and_then(|count| usize::try_from(count).ok())
            .ok_or(Error::TooMuchMemory)?;
        let mut samples = match depth {
            Depth::U8 => Samples::U8(vec![0; count]),
            Depth::U16 => Samples::U16(vec![0; count]),
            Depth::F32 => Samples::F32(vec![0.0; count]),
        };
        match format.coding {
            Coding::Planes(wide) => self.decode_planes(wide, &mut samples),
            _ => self.decode_units(&mut samples),
        }
        Ok(samples)
    }

    /// Runs of pixels or of pairs, or single blocks.
    fn decode_units(&self, samples: &mut Samples) {
        let Header { width, height, format, .. } = self.header;
        let (columns, rows, bytes) = format.unit();
        let bytes = bytes as usize;
        let at_once = if rows == 1 { RUN / columns } else { 1 };
        let across = width.div_ceil(columns);
        let mut pixels = [[0; 4]; MOST];
        let mut stored = self.stored.chunks_exact(bytes * across as usize);
        for top in (0..height).step_by(rows as usize) {
            let Some(row) = stored.next() else { return };
            for (run, stored) in row.chunks(bytes * at_once as usize).enumerate() {
                decode_run(format, stored, &mut pixels);
                let left = run as u32 * at_once * columns;
                let stride = (at_once * columns) as usize;
                let shown = (width - left).min(stride as u32) as usize;
                for (y, pixels) in (top..height).zip(pixels.chunks(stride)).take(rows as usize) {
                    let at = y as usize * width as usize + left as usize;
                    samples.put(at, &pixels[..shown], format.channels);
                }
            }
        }
    }

    fn decode_planes(&self, wide: bool, samples: &mut Samples) {
        let Header { width, height, format, .. } = self.header;
        let bytes = if wide { 2 } else { 1 };
        let across = width as usize * bytes;
        let (luma, chroma) = self.stored.split_at(across * height as usize);
        let shared = width.div_ceil(2) as usize * 2 * bytes;
        let mut pixels = [[0; 4]; MOST];
        let run = RUN as usize;
        for (y, luma) in luma.chunks_exact(across).enumerate() {
            let Some(chroma) = chroma.get(y / 2 * shared..).and_then(|rest| rest.get(..shared)) else {
                return;
            };
            for (at, (luma, chroma)) in luma.chunks(run * bytes).zip(chroma.chunks(run * bytes)).enumerate() {
                let pixels = &mut pixels[..luma.len() / bytes];
                yuv::decode_planes(luma, chroma, wide, pixels);
                samples.put(y * width as usize + at * run, pixels, format.channels);
            }
        }
    }
}

/// Decodes what is stored side by side.
fn decode_run(format: Format, stored: &[u8], pixels: &mut [Pixel; MOST]) {
    match format.coding {
        Coding::Packed(packed) => packed.decode(stored, format.depth, pixels),
        Coding::Pairs(pairs) => pairs.decode(stored, pixels),
        Coding::Bits => {
            for (&byte, pixels) in stored.iter().zip(pixels.chunks_exact_mut(8)) {
                for (at, pixel) in pixels.iter_mut().enumerate() {
                    pixel[0] = if byte << at & 0x80 == 0 { 0 } else { 255 };
                }
            }
        }
        Coding::Block(block) => {
            if let Some(texels) = pixels.first_chunk_mut() {
                bc::decode(block, stored, texels);
            }
        }
        Coding::Astc(columns, rows) => {
            let Some(block) = stored.first_chunk() else { return };
            let footprint = astc_decode::Footprint::new(columns.into(), rows.into());
            astc_decode::astc_decode_block(block, footprint, |x, y, color| {
                if let Some(pixel) = pixels.get_mut((y * u32::from(columns) + x) as usize) {
                    *pixel = color.map(u32::from);
                }
            });
        }
        Coding::Planes(_) => (),
    }
}

impl Samples {
    /// Writes pixels of a row, from a pixel on.
    fn put(&mut self, at: usize, pixels: &[Pixel], channels: Channels) {
        let count = channels.count();
        let range = at * count..(at + pixels.len()) * count;
        let kept = pixels.iter().flat_map(|pixel| &pixel[..count]);
        match self {
            Self::U8(all) => all[range].iter_mut().zip(kept).for_each(|(to, &from)| *to = from as u8),
            Self::U16(all) => all[range].iter_mut().zip(kept).for_each(|(to, &from)| *to = from as u16),
            Self::F32(all) => {
                all[range].iter_mut().zip(kept).for_each(|(to, &from)| *to = f32::from_bits(from));
            }
        }
    }
}
