//! Decodes pictures to planes, and reads rows of luma and upsampled chroma from them.

use rusty_av1d::{Decoder, Picture, PixelLayout, PlanarImageComponent, Rav1dError, Settings};

use crate::containers::isobmff::{Coding, Items, Sequence, Tiles, damaged};
use crate::error::{Error, Result};

/// The scale of the samples in [`Lines::chroma`].
pub(crate) const CHROMA_UNIT: i64 = 16;

/// The decoded tiles.
pub(crate) struct Planes {
    tiles: Vec<Picture>,
    columns: usize,
    tile: (usize, usize),
    size: (usize, usize),
    coding: Coding,
}

impl Planes {
    /// Decodes all tiles.
    pub(crate) fn decode(items: &Items<'_>, tiles: &Tiles) -> Result<Self> {
        let decode = |id: &u32| {
            let item = items.item(*id).ok_or_else(|| damaged("a part of its picture is missing"))?;
            let bytes = items.bytes(item).ok_or_else(|| damaged("it ends too soon"))?;
            decode(bytes.into_owned(), tiles)
        };
        Ok(Self {
            tiles: tiles.items.iter().map(decode).collect::<Result<_>>()?,
            columns: tiles.columns as usize,
            tile: (tiles.tile.0 as usize, tiles.tile.1 as usize),
            size: (tiles.size.0 as usize, tiles.size.1 as usize),
            coding: tiles.coding,
        })
    }

    /// Appends one row of a plane, across the tiles.
    fn row(&self, component: PlanarImageComponent, y: usize, out: &mut Vec<u16>) {
        let is_luma = component == PlanarImageComponent::Y;
        let halves = |half: bool, side: usize| if half && !is_luma { side.div_ceil(2) } else { side };
        let width = halves(self.coding.half_width, self.size.0);
        let tile_width = halves(self.coding.half_width, self.tile.0);
        let tile_height = halves(self.coding.half_height, self.tile.1).max(1);
        let first = y / tile_height * self.columns;
        for (tile, start) in self.tiles.iter().skip(first).zip((0..width).step_by(tile_width.max(1))) {
            let samples = tile_width.min(width - start);
            let bytes = tile.plane(component);
            let at = (y % tile_height) * tile.stride(component) as usize;
            match self.coding.depth {
                8 => {
                    let row = bytes.get(at..at + samples).unwrap_or_default();
                    out.extend(row.iter().map(|sample| u16::from(*sample)));
                }
                _ => {
                    let row = bytes.get(at..at + 2 * samples).unwrap_or_default();
                    out.extend(row.as_chunks().0.iter().map(|sample| u16::from_ne_bytes(*sample)));
                }
            }
        }
    }
}

/// # Errors
/// [`crate::ErrorCode::Corrupt`] if the bytes are not AV1, or if size or sample format differ from the declared ones.
fn decode(bytes: Vec<u8>, tiles: &Tiles) -> Result<Picture> {
    // Another sample format needs other memory than was checked.
    if Sequence::find(&bytes).is_some_and(|sequence| !is_alike(sequence.coding, tiles.coding)) {
        return Err(another_way());
    }
    let (width, height) = tiles.tile;
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_operating_point(tiles.operating_point);
    settings.set_frame_size_limit(width.saturating_mul(height));
    let mut decoder = Decoder::with_settings(&settings).map_err(failed)?;
    match decoder.send_data(bytes.into_boxed_slice(), None, None, None) {
        Ok(()) | Err(Rav1dError::TryAgain) => {}
        Err(cause) => return Err(failed(cause)),
    }
    let picture = decoder.get_picture().map_err(failed)?;
    let coding = tiles.coding;
    let layout = match (coding.gray, coding.half_width, coding.half_height) {
        (true, ..) => PixelLayout::I400,
        (_, true, true) => PixelLayout::I420,
        (_, true, false) => PixelLayout::I422,
        _ => PixelLayout::I444,
    };
    let is_as_said = (picture.width(), picture.height()) == tiles.tile
        && picture.bit_depth() == usize::from(coding.depth)
        && picture.pixel_layout() == layout;
    if !is_as_said {
        return Err(another_way());
    }
    Ok(picture)
}

/// Without chroma, its declared subsampling has no meaning.
fn is_alike(a: Coding, b: Coding) -> bool {
    let halves = |coding: Coding| (coding.half_width, coding.half_height);
    (a.depth, a.gray) == (b.depth, b.gray) && (a.gray || halves(a) == halves(b))
}

fn another_way() -> Error {
    damaged("its picture is coded in another way than it says")
}

fn failed(cause: Rav1dError) -> Error {
    damaged(&format!("its AV1 cannot be decoded ({cause})"))
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
        for (component, line) in
            [PlanarImageComponent::U, PlanarImageComponent::V].into_iter().zip(&mut self.chroma)
        {
            line.clear();
            if coding.gray {
                continue;
            }
            let (near, far) = match coding.half_height {
                true => neighbors(y, planes.size.1.div_ceil(2)),
                false => (y, y),
            };
            self.near.clear();
            planes.row(component, near, &mut self.near);
            self.far.clear();
            planes.row(component, far, &mut self.far);
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
        planes.row(PlanarImageComponent::Y, y, &mut self.luma);
    }
}

/// Among `count` samples that stand for two pixels each: the index of the sample for pixel `place`, and of its next neighbor.
fn neighbors(place: usize, count: usize) -> (usize, usize) {
    let near = place / 2;
    let far = if place % 2 == 1 { (near + 1).min(count.saturating_sub(1)) } else { near.saturating_sub(1) };
    (near, far)
}
