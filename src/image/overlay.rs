//! The overlay stage: lays a picture over the output, such as a watermark. The picture itself is made in `overlay_source.rs`.

use image::{DynamicImage, Primitive, RgbaImage};

use crate::error::Result;
use crate::formats::rows::RowWriter;
#[cfg(feature = "full")]
use crate::image::tone_map;
use crate::image::widen;

/// An overlay as it lies on an output: what is within the edges.
pub(crate) struct Mark {
    /// With the opacity in its alpha.
    pixels: RgbaImage,
    left: usize,
    top: usize,
    is_color: bool,
}

impl Mark {
    /// What is within the edges of an output of (width, height) if the corner of the overlay is at (left, top); `None` if nothing is. The
    /// opacity is from 0 to 256.
    pub(crate) fn new(
        mut pixels: RgbaImage,
        opacity: u32,
        corner: (i64, i64),
        size: (u32, u32),
    ) -> Option<Self> {
        for pixel in pixels.pixels_mut() {
            pixel.0[3] = ((u32::from(pixel.0[3]) * opacity + 128) >> 8) as u8;
        }
        Self::within(pixels, corner, size)
    }

    fn within(pixels: RgbaImage, (left, top): (i64, i64), (width, height): (u32, u32)) -> Option<Self> {
        let span = |start: i64, length: u32, all: u32| {
            let end = (start + i64::from(length)).min(i64::from(all));
            let visible = end - start.max(0);
            // All three are within the sides of a picture.
            (visible > 0).then(|| (start.max(0) as usize, (-start).max(0) as u32, visible as u32))
        };
        let (left, cut_left, across) = span(left, pixels.width(), width)?;
        let (top, cut_top, down) = span(top, pixels.height(), height)?;
        let pixels = match (across, down) == pixels.dimensions() {
            true => pixels,
            false => image::imageops::crop_imm(&pixels, cut_left, cut_top, across, down).to_image(),
        };
        let is_color = pixels
            .pixels()
            .any(|pixel| pixel.0[3] > 0 && (pixel.0[0] != pixel.0[1] || pixel.0[1] != pixel.0[2]));
        Some(Self { pixels, left, top, is_color })
    }

    /// Lays it over a picture of the size that it was made for. Gray becomes color if it has to.
    pub(crate) fn lay(&self, image: DynamicImage) -> DynamicImage {
        let kind = image.color();
        let mut image = widen::apply(image, (kind.has_color() || self.is_color, kind.has_alpha()));
        let (width, channels) = (image.width() as usize, usize::from(image.color().channel_count()));
        match &mut image {
            DynamicImage::ImageLuma8(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageLumaA8(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageRgb8(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageRgba8(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageLuma16(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageLumaA16(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageRgb16(p) => self.lay_on(p, width, channels, over),
            DynamicImage::ImageRgba16(p) => self.lay_on(p, width, channels, over),
            #[cfg(feature = "full")]
            DynamicImage::ImageRgb32F(p) => self.lay_on(p, width, channels, over_light),
            #[cfg(feature = "full")]
            DynamicImage::ImageRgba32F(p) => self.lay_on(p, width, channels, over_light),
            _ => {}
        }
        image
    }

    /// The same on samples: one function for each type of these takes less of the module than one for each kind of pixels.
    #[inline(never)]
    fn lay_on<S>(&self, samples: &mut [S], width: usize, channels: usize, over: fn(&mut [S], [u8; 4])) {
        for y in 0..self.pixels.height() as usize {
            let row = (self.top + y) * width * channels;
            self.lay_on_row(&mut samples[row..row + width * channels], y, channels, over);
        }
    }

    /// Lays the row `y` of the overlay over a row of the picture.
    fn lay_on_row<S>(&self, row: &mut [S], y: usize, channels: usize, over: fn(&mut [S], [u8; 4])) {
        let width = self.pixels.width() as usize;
        let above = &self.pixels.as_chunks::<4>().0[y * width..][..width];
        let below = row[self.left * channels..].chunks_exact_mut(channels);
        below.zip(above).filter(|(_, above)| above[3] > 0).for_each(|(below, above)| over(below, *above));
    }

    /// A writer that lays the overlay over the rows of a picture of `width` pixels before it passes them on.
    pub(crate) fn over_rows<'a>(
        &'a self,
        writer: Box<dyn RowWriter + 'a>,
        (width, is_color): (u32, bool),
    ) -> Box<dyn RowWriter + 'a> {
        let channels = if is_color { 3 } else { 1 };
        Box::new(MarkedRows { mark: self, writer, width: width as usize, channels, y: 0, rows: Vec::new() })
    }
}

/// Lays an overlay over rows as they come.
struct MarkedRows<'a> {
    mark: &'a Mark,
    writer: Box<dyn RowWriter + 'a>,
    width: usize,
    channels: usize,
    /// The next row of the picture.
    y: usize,
    rows: Vec<u8>,
}

impl RowWriter for MarkedRows<'_> {
    fn push(&mut self, rows: &[u8]) -> Result<()> {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        let marked = self.mark.top..self.mark.top + self.mark.pixels.height() as usize;
        for row in self.rows.chunks_exact_mut(self.width * self.channels) {
            if marked.contains(&self.y) {
                self.mark.lay_on_row(row, self.y - marked.start, self.channels, over);
            }
            self.y += 1;
        }
        self.writer.push(&self.rows)
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        self.writer.finish()
    }
}

/// Composites a pixel over one of gray or RGB, with or without alpha, whose colors are not premultiplied ("over" of Porter and Duff). The
/// colors are mixed in the encoding of the pixels, as browsers do.
fn over<S: Primitive + Into<u64> + TryFrom<u64>>(below: &mut [S], above: [u8; 4]) {
    let most: u64 = S::DEFAULT_MAX_VALUE.into();
    let deep = |level: u8| u64::from(level) * (most / 255);
    let colors = below.len() - usize::from(below.len().is_multiple_of(2));
    let under = below.get(colors).map_or(most, |&alpha| alpha.into());
    // Shares of the two colors, which add up to the alpha of the result. All are scaled by `most`.
    let (share, rest) = (deep(above[3]) * most, under * (most - deep(above[3])));
    let whole = share + rest;
    let sample = |value: u64| S::try_from(value).unwrap_or(S::DEFAULT_MAX_VALUE);
    for (below, color) in below[..colors].iter_mut().zip(above) {
        *below = sample((deep(color) * share + (*below).into() * rest + whole / 2) / whole);
    }
    if let Some(alpha) = below.get_mut(colors) {
        *alpha = sample((whole + most / 2) / most);
    }
}

/// The same over linear light.
#[cfg(feature = "full")]
fn over_light(below: &mut [f32], above: [u8; 4]) {
    let [red, green, blue, share] = tone_map::light(above);
    let under = below.get(3).copied().unwrap_or(1.0);
    let rest = under * (1.0 - share);
    let whole = share + rest;
    for (below, color) in below.iter_mut().zip([red, green, blue]) {
        *below = (color * share + *below * rest) / whole;
    }
    if let Some(alpha) = below.get_mut(3) {
        *alpha = whole;
    }
}
