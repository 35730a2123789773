//! Chunks of a PNG that is not compressed (PNG, third edition; RFC 1950; RFC 1951, 3.2.4).

use simd_adler32::Adler32;

use crate::boxes::Metadata;
use crate::color::Color;
use crate::header::Header;

/// The most bytes of a stored block.
const BLOCK: usize = 65_535;

/// Takes a part of the PNG.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&[u8]);

/// A frame's place on the canvas, and its time.
pub(crate) struct Frame {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Seconds, as a fraction.
    pub(crate) delay: (u16, u16),
}

impl Frame {
    /// One that covers the canvas, for so many ticks.
    pub(crate) fn whole(header: &Header, ticks: u32) -> Self {
        Self { left: 0, top: 0, width: header.width, height: header.height, delay: delay(header, ticks) }
    }
}

/// Writes chunks.
pub(crate) struct Writer<'a> {
    sink: Sink<'a>,
    /// The number of the next chunk of an animation.
    sequence: u32,
}

impl<'a> Writer<'a> {
    /// The signature, `IHDR`, for an animation of so many frames `acTL`, and the color space.
    pub(crate) fn new(sink: Sink<'a>, header: &Header, frames: Option<u32>, color: Option<&Color>) -> Self {
        sink(b"\x89PNG\r\n\x1a\n");
        let mut writer = Self { sink, sequence: 0 };
        let color_type = (if header.gray { 0 } else { 2 }) + (if header.alpha { 4 } else { 0 });
        let depth = if header.deep() { 16 } else { 8 };
        let size = [header.width.to_be_bytes(), header.height.to_be_bytes()].concat();
        writer.chunk(b"IHDR", &[&size, &[depth, color_type, 0, 0, 0]]);
        match color {
            Some(Color::CodePoints(primaries, transfer)) => {
                writer.chunk(b"cICP", &[&[*primaries, *transfer, 0, 1]])
            }
            Some(Color::Profile(icc)) => {
                let stored = stored(icc);
                writer.chunk(b"iCCP", &[b"ICC profile\0\0", &stored]);
            }
            None => {}
        }
        if let Some(frames) = frames {
            writer.chunk(b"acTL", &[&frames.to_be_bytes(), &header.loops.to_be_bytes()]);
        }
        writer
    }

    /// The control chunk of a frame.
    pub(crate) fn control(&mut self, frame: &Frame) {
        let sequence = self.next();
        let place = [frame.width, frame.height, frame.left, frame.top].map(u32::to_be_bytes).concat();
        let (seconds, parts) = frame.delay;
        // The canvas stays, and the frame replaces what it covers.
        self.chunk(b"fcTL", &[&sequence, &place, &seconds.to_be_bytes(), &parts.to_be_bytes(), &[0, 0]]);
    }

    /// The pixels of a picture, row by row: as `fdAT` if they are those of a later frame, and otherwise as `IDAT`.
    pub(crate) fn pixels<'b>(&mut self, rows: impl Iterator<Item = &'b [u8]>, later: bool) {
        let mut adler = Adler32::new();
        let mut block = Vec::with_capacity(BLOCK);
        let mut start: &[u8] = &[0x78, 1];
        for row in rows {
            for mut part in [&[0], row] {
                while !part.is_empty() {
                    if block.len() == BLOCK {
                        self.block(start, &block, None, later);
                        start = &[];
                        block.clear();
                    }
                    let (now, then) = part.split_at(part.len().min(BLOCK - block.len()));
                    block.extend_from_slice(now);
                    adler.write(now);
                    part = then;
                }
            }
        }
        self.block(start, &block, Some(adler.finish()), later);
    }

    /// A stored block in a chunk of its own. The last one ends with the checksum.
    fn block(&mut self, start: &[u8], block: &[u8], checksum: Option<u32>, later: bool) {
        let checksum = checksum.map(u32::to_be_bytes);
        let end = checksum.as_ref().map_or(&[][..], |checksum| checksum);
        let header = block_header(block.len(), checksum.is_some());
        if later {
            let sequence = self.next();
            self.chunk(b"fdAT", &[&sequence, start, &header, block, end]);
        } else {
            self.chunk(b"IDAT", &[start, &header, block, end]);
        }
    }

    /// The metadata, and the end.
    pub(crate) fn finish(mut self, metadata: &Metadata) {
        if let Some(exif) = &metadata.exif {
            self.chunk(b"eXIf", &[exif]);
        }
        if let Some(xmp) = &metadata.xmp {
            // Not compressed, no language, no translated keyword (XMP part 3, 1.1.5).
            self.chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", xmp]);
        }
        self.chunk(b"IEND", &[]);
    }

    fn next(&mut self) -> [u8; 4] {
        self.sequence += 1;
        (self.sequence - 1).to_be_bytes()
    }

    /// No chunk is longer than a block, a profile or a box of metadata.
    fn chunk(&mut self, kind: &[u8; 4], data: &[&[u8]]) {
        let length: usize = data.iter().map(|part| part.len()).sum();
        let mut whole = Vec::with_capacity(length + 12);
        whole.extend_from_slice(&(length as u32).to_be_bytes());
        whole.extend_from_slice(kind);
        data.iter().for_each(|part| whole.extend_from_slice(part));
        let checksum = crc32fast::hash(&whole[4..]);
        whole.extend_from_slice(&checksum.to_be_bytes());
        (self.sink)(&whole);
    }
}

/// A zlib stream of stored blocks.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 1];
    let mut rest = bytes;
    loop {
        let (block, after) = rest.split_at(rest.len().min(BLOCK));
        out.extend_from_slice(&block_header(block.len(), after.is_empty()));
        out.extend_from_slice(block);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    out.extend_from_slice(&simd_adler32::adler32(&bytes).to_be_bytes());
    out
}

/// The header of a stored block of at most [`BLOCK`] bytes.
fn block_header(length: usize, last: bool) -> [u8; 5] {
    let [low, high] = (length as u16).to_le_bytes();
    [u8::from(last), low, high, !low, !high]
}

/// A number of ticks in seconds: exact if the fraction is one of 16 bits, and otherwise as fine as the seconds allow, from thousandths to
/// whole ones; at most 65,535 seconds.
fn delay(header: &Header, ticks: u32) -> (u16, u16) {
    let (over, under) = (u64::from(ticks) * u64::from(header.tick.0), u64::from(header.tick.1.max(1)));
    let divisor = greatest_common_divisor(over, under);
    if let (Ok(over), Ok(under)) = (u16::try_from(over / divisor), u16::try_from(under / divisor)) {
        return (over, under);
    }
    let parts = |denominator: u16| (over as f64 * f64::from(denominator) / under as f64).round() as u64;
    let denominator =
        [1000, 100, 10].into_iter().find(|&each| parts(each) <= u64::from(u16::MAX)).unwrap_or(1);
    (u16::try_from(parts(denominator)).unwrap_or(u16::MAX), denominator)
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The delay of so many ticks, of which a second has `per_second`.
    fn of(ticks: u32, per_second: (u32, u32)) -> (u16, u16) {
        let header = Header {
            width: 1,
            height: 1,
            bits: 8,
            gray: true,
            alpha: false,
            animated: true,
            extra_channels: 0,
            loops: 0,
            tick: (per_second.1, per_second.0),
        };
        delay(&header, ticks)
    }

    #[test]
    fn a_delay_is_as_exact_as_16_bits_allow() {
        assert_eq!(of(25, (100, 1)), (1, 4));
        assert_eq!(of(1, (30_000, 1001)), (1001, 30_000));
        // 33.366… milliseconds, of a fraction that does not fit.
        assert_eq!(of(1_000_003, (30_000_000, 1001)), (33_367, 1000));
        assert_eq!(of(100_001, (1000, 1)), (10_000, 100));
        assert_eq!(of(1_000_003, (1000, 1)), (10_000, 10));
        assert_eq!(of(10_000_001, (1000, 1)), (10_000, 1));
        assert_eq!(of(u32::MAX, (1, 1)), (u16::MAX, 1));
        assert_eq!(of(u32::MAX, (1, u32::MAX)), (u16::MAX, 1));
    }
}
