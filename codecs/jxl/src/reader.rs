//! The passes over a file: for its header, for its frames, and for its pixels.

use jxl::api::{Endianness, Event, JxlColorType, JxlDataFormat, JxlOutputBuffer, JxlPixelFormat};

use crate::color;
use crate::error::Error;
use crate::frames::{Frames, Outcome};
use crate::header::Header;
use crate::memory::{Memory, Work};
use crate::pass::{Pass, is_single, options, options_with_metadata};
use crate::png::{Frame, Sink, Writer};

/// A file whose header was read.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    header: Header,
    /// The length of the color profile.
    profile: usize,
}

impl<'a> Reader<'a> {
    /// Reads the header of a whole file, in a container or bare. A color profile is decoded too. Its size is only known then, so a
    /// damaged file may take up to 320 MiB: if that is too much, let the allocator have a limit.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsupported`]; [`Error::OutOfMemory`] if there is none for a color profile.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut pass = Pass::new(bytes, options(None), None);
        loop {
            if let Some((header, profile)) = Header::of(&pass.decoder)? {
                return Ok(Self { bytes, header, profile });
            }
            pass.next(None, &mut |_| {})?;
        }
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The estimated peak of memory of [`Picture::write`] in bytes if the file has one frame: with the file, and without what the
    /// caller does with the PNG. Metadata may take up to 100 MiB more, if it is compressed.
    pub fn memory(&self) -> u64 {
        self.memory_for(Work::One).total()
    }

    fn memory_for(&self, work: Work) -> Memory {
        Memory::new(&self.header, self.bytes.len(), self.profile, work)
    }

    /// Looks at the frames, of which those that are shown are not decoded. `most` is the memory that decoding them may take in bytes,
    /// as [`Picture::memory`] says.
    ///
    /// # Errors
    /// [`Error::Damaged`]; [`Error::OutOfMemory`], also if `most` is too little.
    pub fn scan(self, most: u64) -> Result<Picture<'a>, Error> {
        let (memory, sample_limit) = self.frames_within(Work::One, most)?;
        let mut picture = Picture { reader: self, memory, sample_limit, frames: 1 };
        if memory.work() == Work::Several && self.header.animated {
            picture.frames = self.go_through(memory, sample_limit)?.1;
        }
        Ok(picture)
    }

    /// Hands out a PNG with everything but pixels, in parts. Only frames that others are drawn on are decoded. `most` is the memory
    /// that may be taken in bytes: if there are such frames, that of [`Picture::memory`], and otherwise 5 bytes per sample, in case
    /// there are.
    ///
    /// # Errors
    /// [`Error::Damaged`]; [`Error::OutOfMemory`], also if `most` is too little.
    pub fn write_header(&self, most: u64, sink: Sink) -> Result<(), Error> {
        let (memory, sample_limit) = self.frames_within(Work::Probe, most)?;
        let (pass, frames) = self.go_through(memory, sample_limit)?;
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

    /// What `work` takes, or [`Work::Several`] if there are several frames, and the number of samples of a frame with which that is
    /// less than `most` bytes.
    fn frames_within(&self, work: Work, most: u64) -> Result<(Memory, usize), Error> {
        let memory = self.memory_for(work);
        let sample_limit = memory.sample_limit(most)?;
        if is_single(self.bytes, sample_limit, &memory)? {
            return Ok((memory, sample_limit));
        }
        let memory = self.memory_for(Work::Several);
        Ok((memory, memory.sample_limit(most)?))
    }

    /// Goes through the file without the pixels of frames that are shown. Returns the pass at its end, and the number of frames.
    fn go_through(&self, memory: Memory, sample_limit: usize) -> Result<(Pass<'a>, u32), Error> {
        let mut options = options_with_metadata(Some(sample_limit));
        options.scan_frames_only = true;
        let mut pass = Pass::new(self.bytes, options, Some(memory));
        while pass.next(None, &mut |_| {})? != Event::Complete {}
        let frames = u32::try_from(pass.decoder.scanned_frames().len()).ok().filter(|&frames| frames > 0);
        Ok((pass, frames.ok_or_else(|| Error::damaged("it has no frames"))?))
    }
}

/// A file whose frames were counted.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    reader: Reader<'a>,
    memory: Memory,
    sample_limit: usize,
    frames: u32,
}

impl Picture<'_> {
    /// The number of frames that are shown.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The estimated peak of memory of [`write`](Self::write) in bytes: as [`Reader::memory`], and with the frames that others are
    /// drawn on.
    pub fn memory(&self) -> u64 {
        self.memory.total()
    }

    /// Hands out the PNG in parts; of an animation, at most about `most` bytes. `progress` receives the share of the file
    /// that was decoded, 0 to 1.
    ///
    /// # Errors
    /// [`Error::Damaged`]; [`Error::OutOfMemory`] if there is none, a frame is so large that the decoder needs more than was allowed,
    /// or the frames have more than `most` bytes.
    pub fn write(&self, most: u64, sink: Sink, progress: &mut dyn FnMut(f64)) -> Result<Outcome, Error> {
        let (header, count) = (self.reader.header, self.frames);
        let options = options_with_metadata(Some(self.sample_limit));
        let mut pass = Pass::new(self.reader.bytes, options, Some(self.memory));
        while pass.next(None, progress)? != Event::BasicInfo {}
        pass.decoder.set_pixel_format(pixel_format(&header))?;
        let color = pass.decoder.output_color_profile().and_then(color::of);
        let writer = Writer::new(sink, &header, (count > 1).then_some(count), color.as_ref());
        let mut frames = Frames::new(writer, header, count, most)?;
        loop {
            let (width, height) = (header.row_bytes(), header.height as usize);
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
}

fn pixel_format(header: &Header) -> JxlPixelFormat {
    let Header { gray, alpha, extra_channels, .. } = *header;
    let color_type = match (gray, alpha) {
        (true, false) => JxlColorType::Grayscale,
        (true, true) => JxlColorType::GrayscaleAlpha,
        (false, false) => JxlColorType::Rgb,
        (false, true) => JxlColorType::Rgba,
    };
    let data_format = if header.deep() {
        JxlDataFormat::U16 { endianness: Endianness::BigEndian, bit_depth: 16 }
    } else {
        JxlDataFormat::U8 { bit_depth: 8 }
    };
    let extra_channel_format = vec![None; extra_channels];
    JxlPixelFormat { color_type, color_data_format: Some(data_format), extra_channel_format }
}
