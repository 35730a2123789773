//! What a codec can make of a coded picture without decoding it to pixels.

use filepress_resample::Axis;
use image::DynamicImage;

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::decode::Header;
use crate::formats::prepared::PreparedImage;

/// A file of the format, and the encoding.
pub(crate) type Recode = fn(&[u8], Encoding) -> Result<Option<Vec<u8>>>;

/// A file of the format, and the first encoding.
pub(crate) type PrepareFile = fn(&[u8], Encoding) -> Result<Option<Box<dyn PreparedImage>>>;

/// How pictures are resized without decoding them to pixels.
pub(crate) struct ResizeCoded {
    /// Whether a file with this header can be.
    pub(crate) takes: fn(&Header) -> bool,
    pub(crate) resize: ResizeFile,
}

/// Reads a file once, its sides divided as by `read_rows`, and prepares lossy outputs. The fourth argument says whether the pixels are returned
/// too. The last one is called before the first sample of an output is there.
pub(crate) type ResizeFile =
    fn(&[u8], u32, &[(Resampling, Encoding)], bool, &mut dyn FnMut()) -> Result<Resized>;

/// What becomes of a file that is read once.
pub(crate) struct Resized {
    /// By output, what makes its file.
    pub(crate) outputs: Vec<Finish>,
    /// As `pixels` decodes them.
    pub(crate) pixels: Option<DynamicImage>,
}

/// Makes a file.
pub(crate) type Finish = Box<dyn FnOnce() -> Result<Vec<u8>>>;

/// What the pixels of a picture become, as they are read at a reduction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resampling {
    /// From the left to the right.
    pub(crate) across: Axis,
    /// From the top to the bottom.
    pub(crate) down: Axis,
}
