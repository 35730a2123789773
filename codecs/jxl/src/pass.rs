//! A decoder on its way through a file, and what can be told of a file without one that decodes.

use std::io::{self, IoSliceMut};

use jxl::api::{
    AlphaMode, Event, JxlBitstreamInput, JxlDecoder, JxlDecoderOptions, JxlOutputBuffer, ProfileLevel,
};
use jxl::error::Error as DecoderError;

use crate::boxes::{self, Metadata};
use crate::error::Error;
use crate::memory::Memory;

/// The decoder gets this share of a file at once, and at least so many bytes: between two, progress is told.
const STEPS: usize = 64;
const LEAST_STEP: usize = 1 << 16;

/// Options for frames that have less samples than the limit.
pub(crate) fn options(sample_limit: Option<usize>) -> JxlDecoderOptions {
    let mut options = JxlDecoderOptions::default();
    options.sample_limit = sample_limit;
    options.max_profile_level = ProfileLevel::Main10;
    options.alpha_mode = AlphaMode::Unpremultiplied;
    options
}

/// The same for a pass that reads metadata.
pub(crate) fn options_with_metadata(sample_limit: Option<usize>) -> JxlDecoderOptions {
    let mut options = options(sample_limit);
    options.request_aux_boxes = boxes::wanted();
    options
}

/// Why the decoder stopped. A frame that is too large is one that needs too much memory.
fn translate(error: DecoderError, memory: Option<&Memory>) -> Error {
    match (error, memory) {
        (DecoderError::ImageSizeTooLarge(width, height), Some(memory)) => {
            Error::OutOfMemory(memory.of_frame(width as u64, height as u64))
        }
        (error, _) => error.into(),
    }
}

/// Whether the first frame is shown and is the last one. Decodes no frame.
///
/// # Errors
/// [`Error::Damaged`]; [`Error::OutOfMemory`] if the frame reaches `sample_limit`.
pub(crate) fn is_single(bytes: &[u8], sample_limit: usize, memory: &Memory) -> Result<bool, Error> {
    let mut options = options(Some(sample_limit));
    options.scan_frames_only = true;
    let mut decoder = JxlDecoder::new(options);
    let mut input = Watched { rest: bytes, is_decoded: false };
    loop {
        let event = decoder.process(&mut input, None, None);
        if input.is_decoded {
            return Ok(false);
        }
        match event.map_err(|error| translate(error, Some(memory)))? {
            Event::FrameHeader => {
                return Ok(decoder.scanned_frames().last().is_some_and(|frame| frame.is_last));
            }
            Event::NeedMoreInput { .. } => return Err(Error::damaged(Error::CUT_OFF)),
            _ => {}
        }
    }
}

/// A file for a decoder that skips what is shown. It asks what is available before it decodes anything else, and is refused.
struct Watched<'a> {
    rest: &'a [u8],
    is_decoded: bool,
}

impl JxlBitstreamInput for Watched<'_> {
    fn available_bytes(&mut self) -> io::Result<usize> {
        self.is_decoded = true;
        Err(io::ErrorKind::Other.into())
    }

    fn read(&mut self, buffers: &mut [IoSliceMut]) -> io::Result<usize> {
        JxlBitstreamInput::read(&mut self.rest, buffers)
    }

    fn skip(&mut self, bytes: usize) -> io::Result<usize> {
        JxlBitstreamInput::skip(&mut self.rest, bytes)
    }
}

/// A decoder on its way through a file.
pub(crate) struct Pass<'a> {
    pub(crate) decoder: JxlDecoder,
    /// What frames take, if they are limited.
    memory: Option<Memory>,
    bytes: &'a [u8],
    /// What the decoder has taken, and what it may take.
    taken: usize,
    offered: usize,
    closed: bool,
}

impl<'a> Pass<'a> {
    pub(crate) fn new(bytes: &'a [u8], options: JxlDecoderOptions, memory: Option<Memory>) -> Self {
        Self { decoder: JxlDecoder::new(options), memory, bytes, taken: 0, offered: 0, closed: false }
    }

    /// The next event other than a want of input.
    pub(crate) fn next(
        &mut self,
        mut buffers: Option<&mut [JxlOutputBuffer]>,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Event, Error> {
        loop {
            let mut input = &self.bytes[self.taken..self.offered];
            let event = self.decoder.process(&mut input, buffers.as_deref_mut(), None);
            let event = event.map_err(|error| translate(error, self.memory.as_ref()))?;
            self.taken = self.offered - input.len();
            if !matches!(event, Event::NeedMoreInput { .. }) {
                return Ok(event);
            }
            self.offer()?;
            progress(self.taken as f64 / self.bytes.len() as f64);
        }
    }

    fn offer(&mut self) -> Result<(), Error> {
        if self.offered < self.bytes.len() {
            let step = LEAST_STEP.max(self.bytes.len() / STEPS);
            self.offered = self.bytes.len().min(self.offered + step);
        } else if self.closed {
            return Err(Error::damaged(Error::CUT_OFF));
        } else {
            self.decoder.close_input();
            self.closed = true;
        }
        Ok(())
    }

    /// At the end of the file.
    pub(crate) fn metadata(&self) -> Metadata {
        Metadata::of(&self.decoder, &self.bytes[self.taken..])
    }
}
