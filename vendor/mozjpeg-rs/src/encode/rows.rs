//! Where blocks are cut from: one row of MCUs at a time, so that no plane of the whole image need be there.

use super::prepared::Blocks;
use super::{Encoder, try_alloc_vec};
use crate::color::convert_rgb_to_ycbcr_c_compat;
use crate::consts::DCTSIZE;
use crate::error::{Error, Result};
use crate::sample;

/// The samples of an image, one row of MCUs after another.
pub(crate) trait McuRows {
    /// Luma, blue and red chroma of a row of MCUs: whole MCUs, the edge repeated where the image ends. Asked for in order.
    fn row(&mut self, mcu_row: usize) -> [&[u8]; 3];

    /// The blocks of each component, where they are there already.
    fn blocks(&self) -> Option<&[Blocks]> {
        None
    }
}

/// Planes that are there as a whole.
pub(crate) struct PlaneRows<'a> {
    pub(crate) planes: [&'a [u8]; 3],
    /// Samples of each plane in a row of MCUs.
    pub(crate) lens: [usize; 3],
}

impl McuRows for PlaneRows<'_> {
    fn row(&mut self, mcu_row: usize) -> [&[u8]; 3] {
        let row = |component: usize| {
            let len = self.lens[component];
            &self.planes[component][mcu_row * len..][..len]
        };
        [row(0), row(1), row(2)]
    }
}

/// RGB pixels, of which each row of MCUs is converted when it is asked for.
pub(crate) struct RgbRows<'a> {
    encoder: &'a Encoder,
    rgb: &'a [u8],
    width: usize,
    height: usize,
    /// Sampling factors of luma: horizontal, vertical.
    factors: (usize, usize),
    /// As wide as the image, chroma as dense as luma.
    full: [Vec<u8>; 3],
    /// Chroma in its own resolution.
    sampled: Vec<u8>,
    /// As wide as its MCUs.
    mcus: [Vec<u8>; 3],
}

impl<'a> RgbRows<'a> {
    pub(crate) fn new(encoder: &'a Encoder, rgb: &'a [u8], width: usize, height: usize) -> Result<Self> {
        let (horizontal, vertical) = encoder.subsampling.luma_factors();
        let factors = (horizontal as usize, vertical as usize);
        let rows = DCTSIZE * factors.1;
        let (mcu_width, _) = sample::mcu_aligned_dimensions(width, height, factors.0, factors.1);
        let plane = |width: usize, rows: usize| {
            try_alloc_vec(0u8, width.checked_mul(rows).ok_or(Error::AllocationFailed)?)
        };
        let chroma = mcu_width / factors.0;
        Ok(Self {
            encoder,
            rgb,
            width,
            height,
            factors,
            full: [plane(width, rows)?, plane(width, rows)?, plane(width, rows)?],
            sampled: plane(width.div_ceil(factors.0), DCTSIZE)?,
            mcus: [plane(mcu_width, rows)?, plane(chroma, DCTSIZE)?, plane(chroma, DCTSIZE)?],
        })
    }

    /// Width and height of a chroma plane.
    pub(crate) fn chroma_size(&self) -> (usize, usize) {
        sample::subsampled_dimensions(self.width, self.height, self.factors.0, self.factors.1)
    }

    /// Width and height of the luma plane in whole MCUs, width of the chroma planes.
    pub(crate) fn mcu_size(&self) -> (usize, usize, usize) {
        let (horizontal, vertical) = self.factors;
        let (width, height) = sample::mcu_aligned_dimensions(self.width, self.height, horizontal, vertical);
        (width, height, width / horizontal)
    }
}

impl McuRows for RgbRows<'_> {
    // Called from several places, and large.
    #[inline(never)]
    fn row(&mut self, mcu_row: usize) -> [&[u8]; 3] {
        let (horizontal, vertical) = self.factors;
        let rows = DCTSIZE * vertical;
        let first = mcu_row * rows;
        let present = rows.min(self.height - first);
        let pixels = present * self.width;
        let rgb = &self.rgb[first * self.width * 3..][..pixels * 3];
        let [y, cb, cr] = &mut self.full;
        let (y, cb, cr) = (&mut y[..pixels], &mut cb[..pixels], &mut cr[..pixels]);
        match self.encoder.c_compat_color {
            true => convert_rgb_to_ycbcr_c_compat(rgb, y, cb, cr, pixels),
            false => (self.encoder.simd.color_convert_rgb_to_ycbcr)(rgb, y, cb, cr, pixels),
        }
        let mcu_width = self.mcus[0].len() / rows;
        sample::expand_to_mcu(y, self.width, present, &mut self.mcus[0], mcu_width, rows);
        for (chroma, mcus) in [cb, cr].into_iter().zip(&mut self.mcus[1..]) {
            let (width, height) =
                sample::downsample_plane(chroma, self.width, present, horizontal, vertical, &mut self.sampled);
            let mcu_width = mcus.len() / DCTSIZE;
            sample::expand_to_mcu(&self.sampled[..width * height], width, height, mcus, mcu_width, DCTSIZE);
        }
        let [y, cb, cr] = &self.mcus;
        [y, cb, cr]
    }
}
