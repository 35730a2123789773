//! Finds what a crop keeps: `position: "attention"` and `"entropy"` of `fit: "cover"`.
//!
//! A strategy looks at an overview, a small picture of the whole part that may be kept. It does not depend on the size of the output,
//! on its format, or on whether the picture passes in bands, so outputs of one shape show the same. A window as long as the crop slides
//! along the overview. All scores are integers, so that every machine finds the same place.

mod attention;
mod entropy;

use image::RgbaImage;

use crate::error::Result;
use crate::image::color_profile::ProfileAction;
use crate::image::geometry::Geometry;
use crate::image::progress::Reporter;
use crate::image::request::Request;
use crate::options::{CropStrategy, Position};
use crate::pixels;

/// The overview that was made last, and what it depends on.
#[derive(Default)]
pub(crate) struct Overviews {
    last: Option<((Geometry, ProfileAction), RgbaImage)>,
}

impl Overviews {
    /// Finds the position of a request that is cropped by a strategy. The file of all requests is the same. Pages have positions of their
    /// own.
    pub(crate) fn settle(&mut self, request: &mut Request<'_>, progress: &mut Reporter<'_>) -> Result<()> {
        if request.source.geometry.strategy.is_none() || request.has_pages() {
            return Ok(());
        }
        let source = &mut request.source;
        let overview = source.overview();
        let key = (overview.geometry, overview.profile);
        let picture = match self.last.take() {
            Some((known, picture)) if known == key => picture,
            _ => {
                progress.decode();
                pixels::rgba8(overview.picture(None, None, &mut Vec::new())?)
            }
        };
        source.geometry = settled(&source.geometry, &picture);
        self.last = Some((key, picture));
        Ok(())
    }
}

/// The geometry with the position that its strategy finds in an overview.
pub(crate) fn settled(geometry: &Geometry, overview: &RgbaImage) -> Geometry {
    match geometry.strategy {
        Some(strategy) => geometry.at(position(strategy, overview, (geometry.width, geometry.height))),
        None => *geometry,
    }
}

/// The position of a crop to the shape of (width, height), in a picture that is turned as the output is.
fn position(strategy: CropStrategy, picture: &RgbaImage, (width, height): (u32, u32)) -> Position {
    let wide = u64::from(picture.width()) * u64::from(height);
    let high = u64::from(picture.height()) * u64::from(width);
    let is_across = wide > high;
    let overview = Overview::new(picture, is_across);
    // What is left of the longer side, as a share of it.
    let (kept, whole) = if is_across { (high, wide) } else { (wide, high) };
    let lines = overview.lines;
    let length = ((lines as u64 * kept + whole / 2) / whole.max(1)).clamp(1, lines as u64) as usize;
    let found = match strategy {
        CropStrategy::Attention => attention::find(&overview, length),
        CropStrategy::Entropy => entropy::find(&overview, length),
    };
    let free = lines - length;
    let share = if free == 0 { 0.5 } else { found as f64 / free as f64 };
    match is_across {
        true => Position { x: share, y: 0.5 },
        false => Position { x: 0.5, y: share },
    }
}

/// A small picture as lines across the direction in which a crop can move: columns or rows.
struct Overview {
    lines: usize,
    /// The pixels of a line.
    width: usize,
    /// Red, green and blue over black, and luma: line by line, each from 0 to 255.
    pixels: Vec<[i32; 4]>,
}

impl Overview {
    /// The lines are columns if a crop moves across, otherwise rows.
    #[inline(never)]
    fn new(picture: &RgbaImage, is_across: bool) -> Self {
        let (columns, rows) = (picture.width() as usize, picture.height() as usize);
        let (lines, width, line_step, step) =
            if is_across { (columns, rows, 1, columns) } else { (rows, columns, columns, 1) };
        let samples = picture.as_chunks::<4>().0;
        let mut pixels = Vec::with_capacity(lines * width);
        for line in 0..lines {
            for at in 0..width {
                let [red, green, blue, alpha] = samples[line * line_step + at * step].map(i32::from);
                let [red, green, blue] = [red, green, blue].map(|level| level * alpha / 255);
                // The weights of ITU-R BT.601.
                pixels.push([red, green, blue, (77 * red + 150 * green + 29 * blue) >> 8]);
            }
        }
        Self { lines, width, pixels }
    }
}

/// The start of the window of `length` among `lines` lines that has the highest score. Of equal ones, the one nearest to the middle.
fn best(lines: usize, length: usize, mut score: impl FnMut(usize) -> u64) -> usize {
    let free = lines - length;
    let mut found = (0, usize::MAX, 0);
    for start in 0..=free {
        let (score, beside) = (score(start), (2 * start).abs_diff(free));
        if score > found.0 || score == found.0 && beside < found.1 {
            found = (score, beside, start);
        }
    }
    found.2
}
