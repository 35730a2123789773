//! Decodes pictures to planes, and reads rows of luma and upsampled chroma from them.

use filepress_av1::{self as av1, DecodeOptions, Picture};

use crate::containers::isobmff::{Coding, Items, Tiles, damaged, unsupported};
use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;

/// The scale of the samples in [`Lines::chroma`].
pub(crate) const CHROMA_UNIT: i64 = 16;

/// The bytes that the codec may take in any case: those of its buffers, which estimates by the pixel leave out.
pub(crate) const BUFFERS: u64 = 16 << 20;

/// The decoded tiles.
pub(crate) struct Planes {
    /// Each coded picture once.
    pictures: Vec<Picture>,
    /// The picture of each tile, row by row.
    tiles: Vec<usize>,
    columns: usize,
    tile: (usize, usize),
    size: (usize, usize),
    coding: Coding,
}

impl Planes {
    /// Decodes all tiles. What several of them show is decoded once. `held`: the bytes that are in memory, of which these planes
    /// become a part.
    pub(crate) fn decode(items: &Items<'_>, tiles: &Tiles, held: &mut u64, limits: &Limits) -> Result<Self> {
        let decode = |id: &u32| {
            let item = items.item(*id).ok_or_else(|| damaged("a part of its picture is missing"))?;
            let bytes = items.bytes(item).ok_or_else(|| damaged("it ends too soon"))?;
            let picture = decode(&bytes, tiles, *held, limits)?;
            *held = held.saturating_add(picture.bytes());
            Ok(picture)
        };
        let distinct = tiles.distinct();
        let place = |id: &u32| distinct.binary_search(id).unwrap_or_default();
        Ok(Self {
            pictures: distinct.iter().map(decode).collect::<Result<_>>()?,
            tiles: tiles.items.iter().map(place).collect(),
            columns: tiles.columns as usize,
            tile: (tiles.tile.0 as usize, tiles.tile.1 as usize),
            size: (tiles.size.0 as usize, tiles.size.1 as usize),
            coding: tiles.coding,
        })
    }

    /// Appends one row of a plane, across the tiles.
    fn row(&self, plane: usize, y: usize, out: &mut Vec<u16>) {
        let halves = |half: bool, side: usize| if half && plane > 0 { side.div_ceil(2) } else { side };
        let width = halves(self.coding.half_width, self.size.0);
        let tile_width = halves(self.coding.half_width, self.tile.0);
        let tile_height = halves(self.coding.half_height, self.tile.1).max(1);
        let first = y / tile_height * self.columns;
        for (tile, start) in self.tiles.iter().skip(first).zip((0..width).step_by(tile_width.max(1))) {
            let samples = tile_width.min(width - start);
            out.extend_from_slice(&self.pictures[*tile].row(plane, y % tile_height)[..samples]);
        }
    }
}

/// # Errors
/// [`ErrorCode::Corrupt`] if the bytes are not AV1, or if size or sample format differ from the declared ones;
/// [`ErrorCode::UnsupportedType`] for a picture that is predicted from others; [`ErrorCode::TooMuchMemory`].
fn decode(bytes: &[u8], tiles: &Tiles, held: u64, limits: &Limits) -> Result<Picture> {
    let (width, height) = tiles.tile;
    let failed = |cause| match cause {
        av1::Error::Limit(av1::Limit::Memory { needed, .. }) => {
            let refused = limits.check_memory(held.saturating_add(needed));
            refused.err().unwrap_or_else(no_memory)
        }
        cause => failed(cause),
    };
    // Another sample format needs other memory than was checked.
    let info = av1::Info::read(bytes).map_err(failed)?;
    if !is_alike(Coding::of(&info.color), tiles.coding) {
        return Err(another_way());
    }
    let limits = av1::Limits {
        max_pixels: u64::from(width) * u64::from(height),
        // Upscaling and hidden frames take more than planes of that size.
        max_memory: limits.max_memory_bytes.saturating_sub(held).saturating_add(BUFFERS),
    };
    let options = DecodeOptions {
        operating_point: tiles.operating_point,
        spatial_layer: tiles.layer,
        ..DecodeOptions::default()
    };
    let picture = av1::decode(bytes, &limits, &options).map_err(failed)?;
    let is_as_said = (picture.width(), picture.height()) == (width as usize, height as usize)
        && is_alike(Coding::of(picture.color()), tiles.coding);
    if is_as_said { Ok(picture) } else { Err(another_way()) }
}

/// Without chroma, its declared subsampling has no meaning.
fn is_alike(a: Coding, b: Coding) -> bool {
    let halves = |coding: Coding| (coding.half_width, coding.half_height);
    (a.depth, a.gray) == (b.depth, b.gray) && (a.gray || halves(a) == halves(b))
}

fn another_way() -> Error {
    damaged("its picture is coded in another way than it says")
}

fn failed(cause: av1::Error) -> Error {
    match cause {
        av1::Error::Unsupported(what) => unsupported(&format!("its picture has {what}")),
        // More pixels than declared.
        av1::Error::Limit(av1::Limit::Pixels { .. }) => another_way(),
        av1::Error::OutOfMemory | av1::Error::Limit(_) => no_memory(),
        cause => damaged(&format!("its AV1 cannot be decoded ({cause})")),
    }
}

fn no_memory() -> Error {
    Error::new(ErrorCode::TooMuchMemory, "The AVIF needs more memory than there is.")
}

/// The luma and chroma of the pixels in one row.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) luma: Vec<u16>,
    /// In units of 1/[`CHROMA_UNIT`]. Empty for a gray picture.
    pub(crate) chroma: [Vec<u32>; 2],
    near: Vec<u16>,
    far: Vec<u16>,
}

impl Lines {
    /// Loads row `y`.
    ///
    /// A chroma sample for two pixels is located between them, so a pixel's chroma is ¾ of the nearer and ¼ of the
    /// farther sample, in each direction. libavif and libyuv do the same.
    pub(crate) fn load(&mut self, planes: &Planes, y: usize) {
        self.load_luma(planes, y);
        let coding = planes.coding;
        for (plane, line) in [1, 2].into_iter().zip(&mut self.chroma) {
            line.clear();
            if coding.gray {
                continue;
            }
            let (near, far) = match coding.half_height {
                true => neighbors(y, planes.size.1.div_ceil(2)),
                false => (y, y),
            };
            self.near.clear();
            planes.row(plane, near, &mut self.near);
            self.far.clear();
            planes.row(plane, far, &mut self.far);
            let down = |at: usize| match (self.near.get(at), self.far.get(at)) {
                (Some(near), Some(far)) => 3 * u32::from(*near) + u32::from(*far),
                _ => 0,
            };
            line.extend((0..planes.size.0).map(|x| match coding.half_width {
                true => {
                    let (near, far) = neighbors(x, self.near.len());
                    3 * down(near) + down(far)
                }
                false => 4 * down(x),
            }));
        }
    }

    /// Loads only the luma of row `y`.
    pub(crate) fn load_luma(&mut self, planes: &Planes, y: usize) {
        self.luma.clear();
        planes.row(0, y, &mut self.luma);
    }
}

/// Among `count` samples that stand for two pixels each: the index of the sample for pixel `place`, and of its next neighbor.
fn neighbors(place: usize, count: usize) -> (usize, usize) {
    let near = place / 2;
    let far = if place % 2 == 1 { (near + 1).min(count.saturating_sub(1)) } else { near.saturating_sub(1) };
    (near, far)
}
