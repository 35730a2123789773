//! Pixels of stills and animations as chunks of a PNG.

use crate::boxes::Metadata;
use crate::error::Error;
use crate::header::Header;
use crate::png::{Frame, Writer};

/// What the pixels turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Whether no pixel is transparent.
    pub opaque: bool,
    /// The number of frames.
    pub frames: u32,
}

/// Writes one frame after the other.
pub(crate) struct Frames<'a> {
    writer: Writer<'a>,
    header: Header,
    canvas: Canvas,
    /// The frame before, if there are several.
    previous: Option<Canvas>,
    /// The number of frames that were announced, and of those written.
    count: u32,
    done: u32,
    opaque: bool,
    /// The most bytes of all frames, and those written.
    most: u64,
    written: u64,
}

impl<'a> Frames<'a> {
    pub(crate) fn new(writer: Writer<'a>, header: Header, count: u32, most: u64) -> Result<Self, Error> {
        let previous = if count > 1 { Some(Canvas::new(&header)?) } else { None };
        let canvas = Canvas::new(&header)?;
        Ok(Self { writer, header, canvas, previous, count, done: 0, opaque: true, most, written: 0 })
    }

    /// Where the decoder puts the pixels of the next frame.
    pub(crate) fn canvas(&mut self) -> &mut [u8] {
        self.canvas.bytes()
    }

    /// Writes the frame on the canvas, which is shown for so many ticks.
    pub(crate) fn add(&mut self, ticks: u32) -> Result<(), Error> {
        if self.done == self.count {
            return Err(Error::damaged("it has more frames than it says"));
        }
        let Self { header, canvas, previous, .. } = self;
        let bytes = canvas.bytes();
        self.opaque &= !header.alpha || is_opaque(bytes, header);
        let mut frame = Frame::whole(header, ticks);
        if let Some(previous) = previous.as_mut().filter(|_| self.done > 0) {
            changed(&mut frame, bytes, previous.bytes(), header);
        }
        let pixel = header.pixel_bytes();
        self.written += u64::from(frame.width) * u64::from(frame.height) * pixel as u64;
        if self.count > 1 {
            if self.written > self.most {
                return Err(Error::OutOfMemory(self.written));
            }
            self.writer.control(&frame);
        }
        let columns = frame.left as usize * pixel..(frame.left + frame.width) as usize * pixel;
        let rows =
            bytes.chunks_exact(header.row_bytes()).skip(frame.top as usize).take(frame.height as usize);
        self.writer.pixels(rows.map(|row| &row[columns.clone()]), self.done > 0);
        if let Some(previous) = &mut self.previous {
            previous.bytes().copy_from_slice(self.canvas.bytes());
        }
        self.done += 1;
        Ok(())
    }

    pub(crate) fn finish(self, metadata: &Metadata) -> Result<Outcome, Error> {
        if self.done < self.count {
            return Err(Error::damaged(Error::CUT_OFF));
        }
        self.writer.finish(metadata);
        Ok(Outcome { opaque: self.opaque, frames: self.count })
    }
}

/// Pixels whose address is even, as the decoder wants for 16 bits.
struct Canvas {
    memory: Vec<u8>,
    start: usize,
}

impl Canvas {
    fn new(header: &Header) -> Result<Self, Error> {
        let none = || Error::OutOfMemory(header.frame_bytes());
        let length = usize::try_from(header.frame_bytes()).map_err(|_| none())?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(length.checked_add(1).ok_or_else(none)?).map_err(|_| none())?;
        memory.resize(length + 1, 0);
        let start = memory.as_ptr().addr() % 2;
        memory.truncate(start + length);
        Ok(Self { memory, start })
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..]
    }
}

/// Whether every sample of alpha is the highest one.
fn is_opaque(pixels: &[u8], header: &Header) -> bool {
    let alpha = if header.deep() { 2 } else { 1 };
    let opaque = |pixel: &[u8]| pixel[pixel.len() - alpha..].iter().all(|&byte| byte == 255);
    pixels.chunks_exact(header.pixel_bytes()).all(opaque)
}

/// Makes a frame as small as what differs from the one before, at least a pixel.
fn changed(frame: &mut Frame, pixels: &[u8], previous: &[u8], header: &Header) {
    let row_bytes = header.row_bytes();
    let rows = || pixels.chunks_exact(row_bytes).zip(previous.chunks_exact(row_bytes));
    let differing = || rows().enumerate().filter(|(_, (row, other))| row != other);
    let (Some((first, _)), Some((last, _))) = (differing().next(), differing().next_back()) else {
        (frame.width, frame.height) = (1, 1);
        return;
    };
    let (mut left, mut right) = (row_bytes, 0);
    for (_, (row, other)) in differing() {
        let differs = |(one, other): (&u8, &u8)| one != other;
        left = left.min(row.iter().zip(other).position(differs).unwrap_or(left));
        right = right.max(row.iter().zip(other).rposition(differs).unwrap_or(right));
    }
    let pixel = header.pixel_bytes();
    (frame.top, frame.height) = (first as u32, (last - first + 1) as u32);
    (frame.left, frame.width) = ((left / pixel) as u32, (right / pixel - left / pixel + 1) as u32);
}
