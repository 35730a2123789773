//! A stream that is written piece by piece.

use crate::bit_writer::BitWriter;
use crate::block::Code;
use crate::block_split;
use crate::checksum::{Adler32, Crc32};
use crate::greedy::Greedy;
use crate::histogram::Histogram;
use crate::lazy::Lazy;
use crate::level::Level;
use crate::match_finder::{FIRST, View};
use crate::optimal::Optimal;
use crate::symbols::{MAX_LENGTH, Token, WINDOW};

/// Bytes behind those that are coded: a match may reach into them.
const AHEAD: usize = MAX_LENGTH + 8;
/// Blocks of the levels without a shortest path have at least so many tokens.
const STEP: usize = 2048;

/// What is around the compressed blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// Nothing (RFC 1951).
    Raw,
    /// zlib (RFC 1950): PNG, TIFF, PDF.
    Zlib,
    /// gzip (RFC 1952), without a name or a time.
    Gzip,
}

/// The checksum of a container.
enum Checksum {
    None,
    Adler(Adler32),
    Crc(Crc32, u32),
}

/// The parse of a level.
enum Parser {
    Greedy(Greedy),
    Lazy(Lazy),
    Optimal(Box<Optimal>),
}

/// An encoder for one stream. What is written in one piece or in several yields the same bytes.
///
/// It holds a window of 32 KiB and a segment: 128 KiB for the fast levels, 192 KiB with 14 MiB of tables for [`Level::Optimal`],
/// up to 1 MiB with 40 MiB of tables for [`Level::Slow`].
pub struct Encoder {
    level: Level,
    parser: Parser,
    checksum: Checksum,
    out: BitWriter,
    /// The window and what is not coded yet.
    buffer: Vec<u8>,
    /// The first byte of `buffer` that is not coded.
    start: usize,
    /// The position of the first byte of `buffer`.
    base: u32,
    tokens: Vec<Token>,
    is_ended: bool,
}

impl Encoder {
    /// Starts a stream.
    pub fn new(container: Container, level: Level) -> Self {
        let mut out = BitWriter::default();
        let checksum = match container {
            Container::Raw => Checksum::None,
            Container::Zlib => {
                let (method, flags) = (0x78_u8, level.flag() << 6);
                let check = 31 - (u16::from(method) << 8 | u16::from(flags)) % 31;
                out.bytes(&[method, flags | check as u8]);
                Checksum::Adler(Adler32::new())
            }
            Container::Gzip => {
                let extra = match level {
                    Level::Fast => 4,
                    Level::Slow => 2,
                    _ => 0,
                };
                out.bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, extra, 0xFF]);
                Checksum::Crc(Crc32::new(), 0)
            }
        };
        let parser = match (level, level.settings()) {
            (_, Some(settings)) => Parser::Optimal(Box::new(Optimal::new(settings))),
            (Level::Fast, None) => Parser::Greedy(Greedy::new()),
            (_, None) => Parser::Lazy(Lazy::new()),
        };
        Self {
            level,
            parser,
            checksum,
            out,
            buffer: Vec::new(),
            start: 0,
            base: FIRST,
            tokens: Vec::new(),
            is_ended: false,
        }
    }

    /// Adds bytes to the stream.
    pub fn write(&mut self, mut bytes: &[u8]) {
        match &mut self.checksum {
            Checksum::None => {}
            Checksum::Adler(sum) => sum.update(bytes),
            Checksum::Crc(sum, length) => {
                sum.update(bytes);
                *length = length.wrapping_add(bytes.len() as u32);
            }
        }
        let full = self.level.segment() + AHEAD;
        while !bytes.is_empty() {
            let room = full.saturating_sub(self.buffer.len() - self.start);
            let (part, rest) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(part);
            bytes = rest;
            if self.buffer.len() - self.start >= full {
                self.code(self.buffer.len() - AHEAD, false);
            }
        }
    }

    /// The bytes of the stream that are ready, and not taken yet.
    pub fn take(&mut self) -> Vec<u8> {
        self.out.take()
    }

    /// Ends the stream, and returns what was not taken.
    pub fn finish(mut self) -> Vec<u8> {
        while !self.is_ended {
            self.code(self.buffer.len(), true);
        }
        self.out.align();
        match self.checksum {
            Checksum::None => {}
            Checksum::Adler(sum) => self.out.bytes(&sum.value().to_be_bytes()),
            Checksum::Crc(sum, length) => {
                self.out.bytes(&sum.value().to_le_bytes());
                self.out.bytes(&length.to_le_bytes());
            }
        }
        self.out.take()
    }

    /// Codes the bytes before `end`, or those that fit into a segment.
    fn code(&mut self, end: usize, is_last: bool) {
        let view = View { data: &self.buffer, base: self.base };
        let start = self.start;
        self.start = match &mut self.parser {
            Parser::Optimal(optimal) if start < end => optimal.code(view, start, end, is_last, &mut self.out),
            parser => {
                self.tokens.clear();
                let stop = match parser {
                    Parser::Greedy(greedy) => greedy.parse(view, start, end, &mut self.tokens),
                    Parser::Lazy(lazy) => lazy.parse(view, start, end, &mut self.tokens),
                    Parser::Optimal(_) => end,
                };
                blocks(&self.tokens, &view.data[start..stop], is_last, &mut self.out);
                stop
            }
        };
        self.is_ended = is_last && self.start == self.buffer.len();
        let passed = self.start.saturating_sub(WINDOW);
        self.buffer.drain(..passed);
        self.start -= passed;
        self.base = self.base.wrapping_add(passed as u32);
    }
}

/// Writes tokens as blocks.
fn blocks(tokens: &[Token], raw: &[u8], is_last: bool, out: &mut BitWriter) {
    let ends = block_split::blocks(tokens, STEP, false);
    let ends = if ends.is_empty() { vec![0] } else { ends };
    let (count, mut first, mut from) = (ends.len(), 0, 0);
    for (at, last) in ends.into_iter().enumerate() {
        let part = &tokens[first..last];
        let to = from + part.iter().map(|token| token.size()).sum::<usize>();
        Code::new(&Histogram::of(part).ended()).write(part, &raw[from..to], is_last && at + 1 == count, out);
        (first, from) = (last, to);
    }
}
