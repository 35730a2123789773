//! The passes over a file: for its header, for the number of its frames, and for its pixels.

use jxl::api::{
    AlphaMode, Endianness, Event, JxlColorType, JxlDataFormat, JxlDecoder, JxlDecoderOptions,
    JxlOutputBuffer, JxlPixelFormat, ProfileLevel,
};

use crate::boxes::{self, Metadata};
use crate::color;
use crate::error::Error;
use crate::frames::{Frames, Outcome};
use crate::header::Header;
use crate::png::{Frame, Sink, Writer};

/// The decoder gets this share of a file at once, and at least so many bytes: between two, progress is told.
const STEPS: usize = 64;
const LEAST_STEP: usize = 1 << 16;

/// Frames, such as those that others refer to, may be larger than the picture: by as much again, and by so many samples.
const MORE_SAMPLES: usize = 1 << 20;

/// A file whose header was read.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    header: Header,
}

impl<'a> Reader<'a> {
    /// Reads the header of a whole file, in a container or bare.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsupported`].
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut pass = Pass::new(bytes, options(None));
        loop {
            if let Some(header) = Header::of(&pass.decoder)? {
                return Ok(Self { bytes, header });
            }
            pass.next(None, &mut |_| {})?;
        }
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Hands out a PNG with everything but pixels, in parts. Only frames that others refer to are decoded, as in
    /// [`write`](Self::write).
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::OutOfMemory`].
    pub fn write_header(&self, sink: Sink) -> Result<(), Error> {
        let (pass, frames) = self.scan()?;
        let color = pass.decoder.output_color_profile().and_then(color::of);
        let mut writer = Writer::new(sink, &self.header, (frames > 1).then_some(frames), color.as_ref());
        if frames > 1 {
            // As many control chunks as frames: readers count them.
            for frame in pass.decoder.scanned_frames() {
                writer.control(&Frame::whole(&self.header, frame.duration_ticks));
            }
        }
        writer.pixels(std::iter::empty(), false);
        writer.finish(&pass.metadata());
        Ok(())
    }

    /// Hands out the PNG in parts; of an animation, at most about `most` bytes. `progress` receives the share of the file
    /// that was decoded, 0 to 1.
    ///
    /// # Errors
    /// [`Error::Damaged`]; [`Error::OutOfMemory`] if there is none, or the frames have more than `most` bytes.
    pub fn write(&self, most: u64, sink: Sink, progress: &mut dyn FnMut(f64)) -> Result<Outcome, Error> {
        let count = if self.header.animated { self.scan()?.1 } else { 1 };
        let mut pass = Pass::new(self.bytes, self.limited());
        while pass.next(None, progress)? != Event::BasicInfo {}
        pass.decoder.set_pixel_format(self.pixel_format())?;
        let color = pass.decoder.output_color_profile().and_then(color::of);
        let writer = Writer::new(sink, &self.header, (count > 1).then_some(count), color.as_ref());
        let mut frames = Frames::new(writer, self.header, count, most)?;
        loop {
            let (width, height) = (self.header.row_bytes(), self.header.height as usize);
            let mut buffer = [JxlOutputBuffer::new(frames.canvas(), height, width)];
            match pass.next(Some(&mut buffer), progress)? {
                Event::FrameComplete { .. } => {
                    let ticks = pass.decoder.scanned_frames().last().map_or(0, |frame| frame.duration_ticks);
                    frames.add(ticks)?;
                }
                Event::Complete => return frames.finish(&pass.metadata()),
                _ => {}
            }
        }
    }

    /// Goes through the file without pixels. Returns the pass at its end, and the number of frames.
    fn scan(&self) -> Result<(Pass<'a>, u32), Error> {
        let mut options = self.limited();
        options.scan_frames_only = true;
        let mut pass = Pass::new(self.bytes, options);
        while pass.next(None, &mut |_| {})? != Event::Complete {}
        let frames = u32::try_from(pass.decoder.scanned_frames().len()).ok().filter(|&frames| frames > 0);
        Ok((pass, frames.ok_or_else(|| Error::damaged("it has no frames"))?))
    }

    /// Options for a picture whose size the caller accepted.
    fn limited(&self) -> JxlDecoderOptions {
        let samples = (self.header.pixels() as usize).saturating_mul(3 + self.header.extra_channels);
        options(Some(samples.saturating_mul(2).saturating_add(MORE_SAMPLES)))
    }

    fn pixel_format(&self) -> JxlPixelFormat {
        let Header { gray, alpha, extra_channels, .. } = self.header;
        let color_type = match (gray, alpha) {
            (true, false) => JxlColorType::Grayscale,
            (true, true) => JxlColorType::GrayscaleAlpha,
            (false, false) => JxlColorType::Rgb,
            (false, true) => JxlColorType::Rgba,
        };
        let data_format = if self.header.deep() {
            JxlDataFormat::U16 { endianness: Endianness::BigEndian, bit_depth: 16 }
        } else {
            JxlDataFormat::U8 { bit_depth: 8 }
        };
        let extra_channel_format = vec![None; extra_channels];
        JxlPixelFormat { color_type, color_data_format: Some(data_format), extra_channel_format }
    }
}

fn options(sample_limit: Option<usize>) -> JxlDecoderOptions {
    let mut options = JxlDecoderOptions::default();
    options.sample_limit = sample_limit;
    options.max_profile_level = ProfileLevel::Main10;
    options.alpha_mode = AlphaMode::Unpremultiplied;
    options.request_aux_boxes = boxes::wanted();
    options
}

/// A decoder on its way through a file.
struct Pass<'a> {
    decoder: JxlDecoder,
    bytes: &'a [u8],
    /// What the decoder has taken, and what it may take.
    taken: usize,
    offered: usize,
    closed: bool,
}

impl<'a> Pass<'a> {
    fn new(bytes: &'a [u8], options: JxlDecoderOptions) -> Self {
        Self { decoder: JxlDecoder::new(options), bytes, taken: 0, offered: 0, closed: false }
    }

    /// The next event other than a want of input.
    fn next(
        &mut self,
        mut buffers: Option<&mut [JxlOutputBuffer]>,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Event, Error> {
        loop {
            let mut input = &self.bytes[self.taken..self.offered];
            let event = self.decoder.process(&mut input, buffers.as_deref_mut(), None)?;
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
    fn metadata(&self) -> Metadata {
        Metadata::of(&self.decoder, &self.bytes[self.taken..])
    }
}
