//! Canonical prefix codes (RFC 9649, section 3.7.2.1), as tables that are looked up by the next bits.
//!
//! An entry has a symbol in its upper twelve bits and the length of its code in the lower four. Where codes are longer than the index of
//! the table has bits, the entry has the place of another table instead, and the length of the longest code in that.

use super::DecodeError;
use super::bit_reader::BitReader;

/// The longest code.
const MAX_LENGTH: usize = 15;
/// The bits of the index of a code's first table, at most.
const ROOT_BITS: u32 = 8;
/// The order in which the lengths of the codes for lengths are stored.
const LENGTH_ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A code in a list of entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrefixCode {
    start: u32,
    /// Of the bits that are the index of the first table.
    mask: u32,
}

impl PrefixCode {
    /// Reads the lengths of the codes of `size` symbols, and appends the tables for them.
    ///
    /// # Errors
    /// [`DecodeError::Corrupt`].
    pub(super) fn read(
        reader: &mut BitReader<'_>,
        size: usize,
        entries: &mut Vec<u16>,
    ) -> Result<Self, DecodeError> {
        let mut lengths = vec![0; size];
        match reader.bit() {
            true => read_simple(reader, &mut lengths)?,
            false => read_lengths(reader, &mut lengths)?,
        }
        reader.check()?;
        Self::build(&lengths, entries)
    }

    /// The code for symbols with codes of these lengths, 0 to [`MAX_LENGTH`]; 0: the symbol does not occur.
    fn build(lengths: &[u8], entries: &mut Vec<u16>) -> Result<Self, DecodeError> {
        let start = entries.len();
        let mut counts = [0u32; MAX_LENGTH + 1];
        lengths.iter().for_each(|length| counts[usize::from(*length)] += 1);
        counts[0] = 0;
        let longest = counts.iter().rposition(|count| *count > 0).ok_or(WRONG)? as u32;
        if counts.iter().sum::<u32>() == 1 {
            // No bits are needed to tell it from others.
            let symbol = lengths.iter().position(|length| *length > 0).ok_or(WRONG)?;
            entries.push((symbol as u16) << 4);
            return Ok(Self { start: start as u32, mask: 0 });
        }
        let mut next = [0u32; MAX_LENGTH + 2];
        for length in 1..=MAX_LENGTH {
            next[length + 1] = (next[length] + counts[length]) << 1;
        }
        // Every sequence of bits is a code.
        if next[MAX_LENGTH + 1] != 2 << MAX_LENGTH {
            return Err(WRONG);
        }
        let root = longest.min(ROOT_BITS);
        entries.resize(start + (1 << root), 0);
        let mut codes: Vec<_> = codes(lengths, next).collect();
        // The longest come first, so that they tell the size of their table.
        codes.sort_unstable_by_key(|(_, length, _)| std::cmp::Reverse(*length));
        for (symbol, length, code) in codes {
            let reversed = (code.reverse_bits() >> (32 - length)) as usize;
            let entry = (symbol << 4) as u16 | length as u16;
            if length <= root {
                fill(&mut entries[start..start + (1 << root)], reversed, length, entry);
                continue;
            }
            let (index, rest) = (start + (reversed & ((1 << root) - 1)), reversed >> root);
            if entries[index] == 0 {
                let place = entries.len() - start;
                entries[index] = u16::try_from(place << 4).map_err(|_| WRONG)? | length as u16;
                entries.resize(entries.len() + (1 << (length - root)), 0);
            }
            let place = start + usize::from(entries[index] >> 4);
            let bits = u32::from(entries[index] & 15) - root;
            fill(&mut entries[place..place + (1 << bits)], rest, length - root, entry);
        }
        Ok(Self { start: start as u32, mask: (1 << root) - 1 })
    }

    /// Takes a symbol, whose code has at most 15 bits.
    #[inline(always)]
    pub(super) fn take(self, reader: &mut BitReader<'_>, entries: &[u16]) -> usize {
        let next = reader.peek();
        let mut entry = entries[self.start as usize + (next & self.mask as usize)];
        let length = u32::from(entry & 15);
        if length > ROOT_BITS {
            let rest = (next >> ROOT_BITS) & ((1 << (length - ROOT_BITS)) - 1);
            entry = entries[self.start as usize + usize::from(entry >> 4) + rest];
        }
        reader.skip(u32::from(entry & 15));
        usize::from(entry >> 4)
    }

    /// The symbol of a code that takes no bits.
    pub(super) fn only_symbol(self, entries: &[u16]) -> Option<usize> {
        (self.mask == 0).then(|| usize::from(entries[self.start as usize] >> 4))
    }
}

const WRONG: DecodeError = DecodeError::Corrupt("a prefix code is not complete");

/// The symbols with their lengths and codes. `next` has the first code of each length.
fn codes(lengths: &[u8], mut next: [u32; MAX_LENGTH + 2]) -> impl Iterator<Item = (usize, u32, u32)> {
    let used = lengths.iter().enumerate().filter(|(_, length)| **length > 0);
    used.map(move |(symbol, length)| {
        let code = &mut next[usize::from(*length)];
        *code += 1;
        (symbol, u32::from(*length), *code - 1)
    })
}

/// Writes an entry wherever the lowest bits of the index are its code.
fn fill(table: &mut [u16], code: usize, length: u32, entry: u16) {
    table.iter_mut().skip(code).step_by(1 << length).for_each(|place| *place = entry);
}

/// One or two symbols.
fn read_simple(reader: &mut BitReader<'_>, lengths: &mut [u8]) -> Result<(), DecodeError> {
    let wrong = DecodeError::Corrupt("a prefix code has a symbol that there is not");
    let has_two = reader.bit();
    let first_bits = if reader.bit() { 8 } else { 1 };
    let mut put = |symbol: u32| lengths.get_mut(symbol as usize).map(|length| *length = 1).ok_or(wrong);
    put(reader.bits(first_bits))?;
    if has_two { put(reader.bits(8)) } else { Ok(()) }
}

/// The lengths of all codes, coded by another prefix code.
fn read_lengths(reader: &mut BitReader<'_>, lengths: &mut [u8]) -> Result<(), DecodeError> {
    let mut of_lengths = [0; LENGTH_ORDER.len()];
    let count = 4 + reader.bits(4) as usize;
    for place in LENGTH_ORDER.iter().take(count) {
        of_lengths[*place] = reader.bits(3) as u8;
    }
    let mut entries = Vec::new();
    let code = PrefixCode::build(&of_lengths, &mut entries)?;
    let mut left = lengths.len();
    if reader.bit() {
        let bits = 2 + 2 * reader.bits(3);
        left = 2 + reader.bits(bits) as usize;
        if left > lengths.len() {
            return Err(DecodeError::Corrupt("a prefix code has too many lengths"));
        }
    }
    let (mut at, mut last) = (0, 8);
    while at < lengths.len() && left > 0 {
        left -= 1;
        reader.refill();
        let (length, count) = match code.take(reader, &entries) {
            16 => (last, 3 + reader.take(2)),
            17 => (0, 3 + reader.take(3)),
            18 => (0, 11 + reader.take(7)),
            length => {
                last = if length > 0 { length as u8 } else { last };
                (length as u8, 1)
            }
        };
        let run = lengths.get_mut(at..at + count as usize);
        run.ok_or(DecodeError::Corrupt("a prefix code has too many lengths"))?.fill(length);
        at += count as usize;
    }
    Ok(())
}
