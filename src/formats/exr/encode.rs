//! OpenEXR 2 in scan lines ("OpenEXR File Layout" and "Technical Introduction", openexr.com). Samples are 32-bit
//! floats, or 16-bit floats if these are exact or if lossy output was requested. Gray has one luminance channel.
//! Compressed by Deflate (ZIP) or wavelets (PIZ), whichever is smaller. Pictures of few, long lines are not tried with PIZ:
//! one of its blocks, whose compression takes several times its bytes, would be most of the picture.

use filepress_deflate::{Container, Level, compress};
use filepress_exr::{Kind, half, piz};
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::exr::ENCODER_BYTES;

const MAGIC: [u8; 4] = [0x76, 0x2F, 0x31, 0x01];
const VERSION: u32 = 2;
const HALF: u32 = 1;
const FLOAT: u32 = 2;
const MAX_HALF: f32 = 65_504.0;

/// A compression: its number, and its lines per block.
const ZIP: (u8, usize) = (3, 16);
const PIZ: (u8, usize) = (4, 32);
/// What `piz` takes beside a block, in bytes of the block.
const PIZ_WORK: u64 = 4;
/// Blocks of up to these bytes take no more than tables do.
const SMALL_BLOCK: u64 = 1 << 19;

/// Writes linear light. `half`: 16 bits per channel even if that is not exact.
pub(crate) fn encode(image: DynamicImage, half: bool) -> Result<Vec<u8>> {
    let mut picture = Picture::of(image, half)?;
    let zip = picture.blocks(ZIP, |block, _| deflate(block));
    let kind = if picture.half { Kind::Half } else { Kind::Float };
    let piz = picture
        .has_memory_for_piz()
        .then(|| picture.blocks(PIZ, |block, lines| piz(block, kind, picture.width as usize, lines)));
    picture.light = Vec::new();
    let size = |blocks: &[Vec<u8>]| blocks.iter().map(|block| block.len() + 16).sum::<usize>();
    match piz.filter(|piz| size(piz) < size(&zip)) {
        Some(piz) => picture.write(PIZ, &piz),
        None => picture.write(ZIP, &zip),
    }
}

/// The samples to store.
struct Picture {
    width: u32,
    height: u32,
    light: Vec<f32>,
    /// The channels per pixel in `light`.
    pixel_size: usize,
    /// In ascending order of names, each with its position in a pixel.
    channels: &'static [(&'static str, usize)],
    half: bool,
}

impl Picture {
    fn of(image: DynamicImage, half: bool) -> Result<Self> {
        let (width, height) = (image.width(), image.height());
        let (light, pixel_size) = match image {
            DynamicImage::ImageRgb32F(light) => (light.into_raw(), 3),
            DynamicImage::ImageRgba32F(mut light) => {
                // Colors are stored premultiplied by alpha.
                for pixel in light.pixels_mut() {
                    let [colors @ .., alpha] = &mut pixel.0;
                    colors.iter_mut().for_each(|color| *color *= *alpha);
                }
                (light.into_raw(), 4)
            }
            _ => return Err(failed("it needs linear light")),
        };
        let is_gray =
            light.chunks_exact(pixel_size).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]);
        let channels: &[_] = match (is_gray, pixel_size) {
            (true, 4) => &[("A", 3), ("Y", 0)],
            (true, _) => &[("Y", 0)],
            (false, 4) => &[("A", 3), ("B", 2), ("G", 1), ("R", 0)],
            (false, _) => &[("B", 2), ("G", 1), ("R", 0)],
        };
        let half = half || light.iter().all(|&light| half::to_f32(half::from_f32(light)) == light);
        Ok(Self { width, height, light, pixel_size, channels, half })
    }

    /// Whether the blocks of both compressions, and what works on a block of PIZ, take no more than is estimated.
    fn has_memory_for_piz(&self) -> bool {
        let (width, height) = (u64::from(self.width), u64::from(self.height));
        let line = width * self.channels.len() as u64 * if self.half { 2 } else { 4 };
        let block = line * height.min(PIZ.1 as u64);
        block <= SMALL_BLOCK || 2 * line * height + PIZ_WORK * block <= ENCODER_BYTES * width * height
    }

    /// The compressed blocks. `compress` receives the bytes of a block and its number of lines.
    fn blocks(&self, (_, lines): (u8, usize), compress: impl Fn(Vec<u8>, usize) -> Vec<u8>) -> Vec<Vec<u8>> {
        let line_size = self.width as usize * self.pixel_size;
        let blocks = self.light.chunks(line_size * lines);
        blocks
            .map(|block| {
                let mut bytes = Vec::with_capacity(block.len() * if self.half { 2 } else { 4 });
                for line in block.chunks_exact(line_size) {
                    for &(_, place) in self.channels {
                        let samples = line.iter().skip(place).step_by(self.pixel_size);
                        match self.half {
                            true => bytes.extend(samples.flat_map(|light| {
                                half::from_f32(light.clamp(-MAX_HALF, MAX_HALF)).to_le_bytes()
                            })),
                            false => bytes.extend(samples.flat_map(|light| light.to_le_bytes())),
                        }
                    }
                }
                compress(bytes, block.len() / line_size)
            })
            .collect()
    }

    fn write(&self, (compression, lines): (u8, usize), blocks: &[Vec<u8>]) -> Result<Vec<u8>> {
        let mut out = self.attributes(compression);
        let mut offset = out.len() + 8 * blocks.len();
        for block in blocks {
            out.extend((offset as u64).to_le_bytes());
            offset += 8 + block.len();
        }
        out.reserve_exact(offset - out.len());
        for (index, block) in blocks.iter().enumerate() {
            out.extend(((index * lines) as u32).to_le_bytes());
            out.extend(u32::try_from(block.len()).map_err(failed)?.to_le_bytes());
            out.extend(block);
        }
        Ok(out)
    }

    /// Everything before the offset table.
    fn attributes(&self, compression: u8) -> Vec<u8> {
        let mut list = Vec::new();
        for (name, _) in self.channels {
            list.extend(name.as_bytes());
            list.push(0);
            // The sample type, that it is linear, and no subsampling.
            for number in [if self.half { HALF } else { FLOAT }, 0, 1, 1] {
                list.extend(number.to_le_bytes());
            }
        }
        list.push(0);
        let sides = [0, 0, self.width - 1, self.height - 1];
        let window: Vec<u8> = sides.iter().flat_map(|side| side.to_le_bytes()).collect();
        let one = 1.0_f32.to_le_bytes();
        let attributes: [(&str, &str, &[u8]); 8] = [
            ("channels", "chlist", &list),
            ("compression", "compression", &[compression]),
            ("dataWindow", "box2i", &window),
            ("displayWindow", "box2i", &window),
            ("lineOrder", "lineOrder", &[0]),
            ("pixelAspectRatio", "float", &one),
            ("screenWindowCenter", "v2f", &[0; 8]),
            ("screenWindowWidth", "float", &one),
        ];
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        for (name, kind, value) in attributes {
            for text in [name, kind] {
                out.extend(text.as_bytes());
                out.push(0);
            }
            out.extend((value.len() as u32).to_le_bytes());
            out.extend(value);
        }
        out.push(0);
        out
    }
}

/// Even bytes before odd bytes, then differences, then Deflate. Stored uncompressed if that is not smaller.
fn deflate(block: Vec<u8>) -> Vec<u8> {
    let (even, odd) = (block.iter().step_by(2), block.iter().skip(1).step_by(2));
    let mut bytes: Vec<u8> = even.chain(odd).copied().collect();
    for at in (1..bytes.len()).rev() {
        bytes[at] = bytes[at].wrapping_sub(bytes[at - 1]).wrapping_add(128);
    }
    // Higher levels take twice the time and save 1 %.
    let folded = compress(&bytes, Container::Zlib, Level::Lazy);
    if folded.len() < block.len() { folded } else { block }
}

fn failed(cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::EncodeFailed, format!("The OpenEXR file could not be written: {cause}."))
}
