//! Huffman codes of 16-bit words, and of runs of them, which PIZ and DWA share ("Technical Introduction to OpenEXR", openexr.com).
//!
//! Codes have up to 58 bits. They are canonical: longer codes are smaller than shorter ones, and of the same length, those of smaller
//! words are smaller. The last code of the table is not a word, but repeats the word before it as often as the 8 bits behind it say.

mod bits;
mod encode;

use crate::error::{DAMAGED, Result};
use crate::input::Input;
use bits::BitReader;
pub(super) use encode::encode;

const WORDS: usize = 1 << 16;
/// The words, and the code of runs.
const SYMBOLS: usize = WORDS + 1;
/// The most bits of a code.
const LONGEST: usize = 58;
/// Code lengths from here on are runs of 2 and more symbols without a code.
const SHORT_RUN: u32 = 59;
/// A run of as many as the next 8 bits say, and 6 more.
const LONG_RUN: u32 = 63;
const LEAST_LONG_RUN: u32 = LONG_RUN - SHORT_RUN + 2;

/// The bits of codes that are found by a table.
const FAST: u32 = 12;

/// The words of a stream, which must be `count`.
pub(crate) fn decode(stream: &[u8], count: usize) -> Result<Vec<u16>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut input = Input(stream);
    let (first, last) = (input.u32()?, input.u32()?);
    // The length of the table, which the number of symbols tells too.
    input.u32()?;
    let bits = input.u32()? as usize;
    input.u32()?;
    if first > last || last as usize >= SYMBOLS {
        return Err(DAMAGED);
    }
    let mut reader = BitReader::new(input.0);
    let codes = Codes::new(&lengths(&mut reader, first, last)?)?;
    let data = reader.rest_of_bytes();
    let data = data.get(..bits.div_ceil(8)).ok_or(DAMAGED)?;
    words(&mut BitReader::new(data), &codes, last, count)
}

/// The symbols that have codes, from `first` to `last`, each with the length of its code in the lowest 6 bits. Those without a code
/// take neither memory nor work.
fn lengths(reader: &mut BitReader<'_>, first: u32, last: u32) -> Result<Vec<u32>> {
    let (mut coded, mut symbol) = (Vec::new(), first);
    while symbol <= last {
        reader.fill();
        let length = reader.peek(6);
        reader.skip(6)?;
        symbol += match length {
            LONG_RUN => {
                let run = reader.peek(8) + LEAST_LONG_RUN;
                reader.skip(8)?;
                run
            }
            SHORT_RUN.. => length - SHORT_RUN + 2,
            0 => 1,
            _ => {
                coded.push(symbol << 6 | length);
                1
            }
        };
    }
    if symbol == last + 1 { Ok(coded) } else { Err(DAMAGED) }
}

fn words(reader: &mut BitReader<'_>, codes: &Codes, run: u32, count: usize) -> Result<Vec<u16>> {
    let mut words = Vec::with_capacity(count);
    while words.len() < count {
        reader.fill();
        let symbol = codes.symbol(reader)?;
        if symbol != run {
            words.push(symbol as u16);
            continue;
        }
        reader.fill();
        let times = reader.peek(8) as usize;
        reader.skip(8)?;
        let last = *words.last().ok_or(DAMAGED)?;
        if times > count - words.len() {
            return Err(DAMAGED);
        }
        words.resize(words.len() + times, last);
    }
    Ok(words)
}

/// The codes of a stream.
struct Codes {
    /// By the next bits: a symbol and, in the lowest 6 bits, the length of its code. 0 for those that begin longer codes.
    fast: Vec<u32>,
    /// By length: the smallest code, its first bit the highest of 64.
    smallest: [u64; LONGEST + 1],
    /// By length: the place of the symbol of that code.
    start: [usize; LONGEST + 2],
    /// Sorted by length, then by symbol.
    symbols: Vec<u32>,
}

/// By length: the first code of symbols with codes of that length, of which there are `counts`.
fn first_codes(counts: &[usize; LONGEST + 1]) -> [u64; LONGEST + 1] {
    let (mut codes, mut code) = ([0; LONGEST + 1], 0_u64);
    for length in (1..=LONGEST).rev() {
        codes[length] = code;
        code = (code + counts[length] as u64) >> 1;
    }
    codes
}

impl Codes {
    /// `coded`: in ascending order, the symbols with codes, each with the length of its code in the lowest 6 bits.
    fn new(coded: &[u32]) -> Result<Self> {
        let length = |&entry: &u32| (entry & 0x3F) as usize;
        let mut counts = [0; LONGEST + 1];
        coded.iter().for_each(|entry| counts[length(entry)] += 1);
        let codes = first_codes(&counts);
        let (mut start, mut smallest) = ([0; LONGEST + 2], [0; LONGEST + 1]);
        for length in 1..=LONGEST {
            // More codes than there are of the length would be found in the place of shorter ones.
            if codes[length] + counts[length] as u64 > 1 << length {
                return Err(DAMAGED);
            }
            start[length + 1] = start[length] + counts[length];
            smallest[length] = codes[length] << (64 - length);
        }
        let mut symbols = vec![0; start[LONGEST + 1]];
        let mut next = start;
        for entry in coded {
            let place = &mut next[length(entry)];
            symbols[*place] = entry >> 6;
            *place += 1;
        }
        let mut fast = vec![0; 1 << FAST];
        for length in 1..=FAST {
            let at = length as usize;
            let mut place = (codes[at] << (FAST - length)) as usize;
            for &symbol in &symbols[start[at]..start[at + 1]] {
                let end = place + (1 << (FAST - length));
                fast[place..end].fill(symbol << 6 | length);
                place = end;
            }
        }
        Ok(Self { fast, smallest, start, symbols })
    }

    /// Reads a code. The reader is filled.
    fn symbol(&self, reader: &mut BitReader<'_>) -> Result<u32> {
        let entry = self.fast[reader.peek(FAST) as usize];
        if entry != 0 {
            reader.skip(entry & 0x3F)?;
            return Ok(entry >> 6);
        }
        let bits = reader.window();
        for length in FAST as usize + 1..=LONGEST {
            let Some(above) = bits.checked_sub(self.smallest[length]) else { continue };
            let (place, symbols) =
                (above >> (64 - length), &self.symbols[self.start[length]..self.start[length + 1]]);
            if place < symbols.len() as u64 {
                // The window may hold more bits than were counted, and fewer than the longest codes have.
                reader.skip(FAST)?;
                reader.fill();
                reader.skip(length as u32 - FAST)?;
                return Ok(symbols[place as usize]);
            }
        }
        Err(DAMAGED)
    }
}
