//! The memory that decoding takes, by what the header says and whether there are several frames.

use crate::error::Error;
use crate::header::Header;

/// The bytes that the decoder needs for a pixel of a frame, of gray and of color, and for each extra channel of it. Measured on
/// lossless pictures that are coded from coarse to fine, which need most, and rounded up (tests/memory).
const GRAY_BYTES: u64 = 14;
const COLOR_BYTES: u64 = 26;
const EXTRA_CHANNEL_BYTES: u64 = 8;
/// What it keeps of each sample of frames that others are drawn on, of which gray has three a pixel too: four frames and the one that is
/// decoded, in `f32`, and frames of an eighth of the sides and less (ISO/IEC 18181-1, FrameHeader: `save_as_reference`, `lf_level`).
const SAVED_SAMPLE_BYTES: u64 = 5 * 4 + 1;
/// What it allocates for each sample before it decodes a frame: an `f32`, and tables of blocks of 8 × 8.
const FRAME_SAMPLE_BYTES: u64 = 4 + 1;
/// Tables and the rows between groups.
const FIXED_BYTES: u64 = 4 << 20;
/// How often compressed bytes are in memory: as the file, and in a buffer of the decoder that grows.
const FILE_COPIES: u64 = 3;
/// How often a color profile is: twice in the decoder, and as what is written, as it is, compressed and in a chunk.
const PROFILE_COPIES: u64 = 5;
/// The decoder's rows have at least so many pixels.
const LEAST_SIDE: u32 = 16;

/// What a decoder has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Tell whether there are several frames. If so, the first one has been allocated.
    Probe,
    /// Decode one frame.
    One,
    /// Decode frames that are drawn on others.
    Several,
}

/// What a decoder takes of which memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    work: Work,
    /// Bytes whatever the size of frames is.
    fixed: u64,
    /// Bytes of each pixel of the largest frame.
    pixel_bytes: u64,
    /// Samples of a pixel as the decoder counts them.
    channels: u64,
    /// The size of the picture.
    size: (u32, u32),
}

impl Memory {
    /// For a file of so many bytes, with a color profile of so many.
    pub(crate) fn new(header: &Header, file: usize, profile: usize, work: Work) -> Self {
        let extra = header.extra_channels as u64;
        let channels = 3 + extra;
        let decoding = if header.gray { GRAY_BYTES } else { COLOR_BYTES } + EXTRA_CHANNEL_BYTES * extra;
        let (pixel_bytes, canvases) = match work {
            Work::Probe => (FRAME_SAMPLE_BYTES * channels, 0),
            Work::One => (decoding, 1),
            // A frame of an animation is compared with the one before.
            Work::Several => (decoding + SAVED_SAMPLE_BYTES * channels, if header.animated { 2 } else { 1 }),
        };
        let fixed = [
            header.frame_bytes().saturating_mul(canvases),
            FILE_COPIES * file as u64,
            PROFILE_COPIES * profile as u64,
        ];
        Self {
            work,
            fixed: fixed.into_iter().fold(FIXED_BYTES, u64::saturating_add),
            pixel_bytes,
            channels,
            size: (header.width, header.height),
        }
    }

    pub(crate) fn work(&self) -> Work {
        self.work
    }

    /// The bytes for frames of the size of the picture.
    pub(crate) fn total(&self) -> u64 {
        let (width, height) = self.size;
        self.of_frame(u64::from(width), u64::from(height))
    }

    /// The bytes if the largest frame has this size.
    pub(crate) fn of_frame(&self, width: u64, height: u64) -> u64 {
        // Whether a picture is turned is not known here.
        let least = u64::from(LEAST_SIDE);
        let pixels = width.max(least).saturating_mul(height.max(least));
        pixels.saturating_mul(self.pixel_bytes).saturating_add(self.fixed)
    }

    /// The number of samples of a frame that the decoder may not reach, so that it takes at most `most` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if that is too little for the picture.
    pub(crate) fn sample_limit(&self, most: u64) -> Result<usize, Error> {
        if self.total() > most {
            return Err(Error::OutOfMemory(self.total()));
        }
        let pixels = (most - self.fixed) / self.pixel_bytes;
        Ok(usize::try_from(pixels.saturating_mul(self.channels)).unwrap_or(usize::MAX).saturating_add(1))
    }
}
