//! The sizes of a picture's parts at the scale that it is decoded at.

use crate::decode::headers::Headers;

/// The sizes of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The size of the output in pixels.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Columns and rows of MCUs of an interleaved scan of all components.
    pub(crate) mcus: (usize, usize),
    pub(crate) components: Vec<ComponentLayout>,
    /// Whether chroma is interpolated, as everywhere but at an eighth.
    pub(crate) smooth: bool,
}

/// The sizes of a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComponentLayout {
    /// Blocks of an MCU.
    pub(crate) h: usize,
    pub(crate) v: usize,
    /// The width and the height of a block in samples: 8 each at full size.
    pub(crate) block: (usize, usize),
    /// Blocks, padded to whole MCUs of an interleaved scan.
    pub(crate) blocks: (usize, usize),
    /// Blocks of a scan of this component alone.
    pub(crate) scan_blocks: (usize, usize),
    /// Samples without padding.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Samples of a row, with padding.
    pub(crate) stride: usize,
    /// Pixels for each sample, as fractions: of `h_scale.0` pixels `h_scale.1` samples.
    pub(crate) h_scale: (usize, usize),
    pub(crate) v_scale: (usize, usize),
}

/// The samples of a component at the scale that a picture is decoded at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentSize {
    /// Samples of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// From the left to the right: for how many pixels there are how many samples, in lowest terms. There are not more samples than
    /// pixels. The last sample can be outside the picture in part.
    pub across: (u32, u32),
    /// The same from the top to the bottom.
    pub down: (u32, u32),
}

impl From<&ComponentLayout> for ComponentSize {
    fn from(sizes: &ComponentLayout) -> Self {
        let share = |(pixels, samples): (usize, usize)| (pixels as u32, samples as u32);
        Self {
            width: sizes.width as u32,
            height: sizes.height as u32,
            across: share(sizes.h_scale),
            down: share(sizes.v_scale),
        }
    }
}

impl Layout {
    /// At `eighths` eighths of the size. A component with fewer samples keeps more of its block, as long as that makes no more
    /// samples than pixels: as much in both directions, or with `sharp_chroma` what each of them allows.
    pub(crate) fn new(headers: &Headers<'_>, eighths: usize, sharp_chroma: bool) -> Self {
        let frame = &headers.frame;
        let single = frame.components.len() == 1;
        let (max_h, max_v) = if single { (1, 1) } else { frame.max_sampling() };
        let (max_h, max_v) = (usize::from(max_h), usize::from(max_v));
        let (full_width, full_height) = (usize::from(frame.width), usize::from(frame.height));
        let mcus = (full_width.div_ceil(8 * max_h), full_height.div_ceil(8 * max_v));
        let component = |c: &crate::frame::FrameComponent| {
            let (h, v) = if single { (1, 1) } else { (usize::from(c.h), usize::from(c.v)) };
            let allowed = |max: usize, own: usize| {
                let mut side = eighths;
                while side < 8 && (max * eighths).is_multiple_of(own * 2 * side) {
                    side *= 2;
                }
                side
            };
            let (width, height) = (allowed(max_h, h), allowed(max_v, v));
            let block = if sharp_chroma { (width, height) } else { (width.min(height), width.min(height)) };
            let blocks = (mcus.0 * h, mcus.1 * v);
            ComponentLayout {
                h,
                v,
                block,
                blocks,
                scan_blocks: ((full_width * h).div_ceil(8 * max_h), (full_height * v).div_ceil(8 * max_v)),
                width: (full_width * h * block.0).div_ceil(8 * max_h),
                height: (full_height * v * block.1).div_ceil(8 * max_v),
                stride: blocks.0 * block.0,
                h_scale: reduced(max_h * eighths, h * block.0),
                v_scale: reduced(max_v * eighths, v * block.1),
            }
        };
        Self {
            width: (full_width * eighths).div_ceil(8),
            height: (full_height * eighths).div_ceil(8),
            mcus,
            components: frame.components.iter().map(component).collect(),
            smooth: eighths > 1,
        }
    }
}

/// A fraction in lowest terms.
fn reduced(a: usize, b: usize) -> (usize, usize) {
    let divisor = (1..=b.min(a)).rev().find(|d| a.is_multiple_of(*d) && b.is_multiple_of(*d)).unwrap_or(1);
    (a / divisor, b / divisor)
}
