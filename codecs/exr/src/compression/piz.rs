//! PIZ: a Haar wavelet transform of 16-bit words, and Huffman codes of its coefficients ("Technical Introduction to OpenEXR",
//! openexr.com). 32-bit samples are two words, each transformed on its own.
//!
//! The words that occur in a block are numbered first, as a set of bits says, so that the transform has small numbers to work on.

pub(crate) mod huffman;
mod wavelet;

use crate::channel::Kind;
use crate::error::{DAMAGED, Result};
use crate::input::Input;
use crate::shape::Shape;
use wavelet::Plane;

const WORDS: usize = 1 << 16;
/// The bytes of a bit per word.
const SET: usize = WORDS / 8;

pub(crate) fn decode(compressed: &[u8], shape: &Shape<'_>, block: &mut [u8]) -> Result<()> {
    let mut input = Input(compressed);
    let (numbered, largest) = numbered_words(&mut input)?;
    let length = input.length()?;
    let mut words = huffman::decode(input.take(length)?, block.len() / 2)?;
    let mut rest = &mut words[..];
    for channel in shape.channels {
        let (plane, behind) = rest.split_at_mut(shape.pixels() * channel.kind.size() / 2);
        rest = behind;
        for part in planes(channel.kind, shape.width, shape.height) {
            wavelet::decode(plane, &part, largest);
        }
        let row_size = shape.width * channel.kind.size();
        for (row, samples) in shape.rows(channel, block).zip(plane.chunks_exact(row_size / 2)) {
            for (bytes, &number) in row.as_chunks_mut().0.iter_mut().zip(samples) {
                *bytes = numbered.get(usize::from(number)).copied().unwrap_or_default().to_le_bytes();
            }
        }
    }
    Ok(())
}

/// The words by their number, and the largest number. What has no number stands for zero.
fn numbered_words(input: &mut Input<'_>) -> Result<(Vec<u16>, u16)> {
    let (first, last) = (usize::from(input.u16()?), usize::from(input.u16()?));
    if last >= SET {
        return Err(DAMAGED);
    }
    // Zero always has a number.
    let mut words = vec![0];
    if first <= last {
        words.reserve_exact((last - first + 1) * 8);
        for (at, &bits) in (first..).zip(input.take(last - first + 1)?) {
            let set = (0..8).filter(|bit| bits >> bit & 1 != 0).map(|bit| (at * 8 + bit) as u16);
            words.extend(set.filter(|&word| word != 0));
        }
    }
    let largest = (words.len() - 1) as u16;
    Ok((words, largest))
}

/// The planes of words that the samples of a channel consist of.
fn planes(kind: Kind, width: usize, height: usize) -> impl Iterator<Item = Plane> {
    let words = kind.size() / 2;
    (0..words).map(move |first| Plane { first, width, height, column: words, row: words * width })
}

/// Compresses a block whose channels all hold samples of a kind.
///
/// `block`: `height` lines of `width` pixels. In a line, the little-endian samples of each channel are together. Returns the block
/// itself if it would not become smaller, which is how it is stored then. Beside the block, up to four times its bytes and 2 MiB are
/// taken.
pub fn encode(block: Vec<u8>, kind: Kind, width: usize, height: usize) -> Vec<u8> {
    let row = width * kind.size();
    let channels = block.len() / (row * height).max(1);
    let mut words = Vec::with_capacity(block.len() / 2);
    for channel in 0..channels {
        for line in block.chunks_exact((row * channels).max(1)) {
            let samples = line[channel * row..][..row].as_chunks().0;
            words.extend(samples.iter().map(|&bytes| u16::from_le_bytes(bytes)));
        }
    }
    let mut set = vec![0_u8; SET];
    words.iter().for_each(|&word| set[usize::from(word / 8)] |= 1 << (word % 8));
    // Zero has a number without its bit.
    set[0] &= !1;
    let mut numbers = vec![0_u16; WORDS];
    let mut largest = 0_u16;
    for word in (1..WORDS).filter(|word| set[word / 8] >> (word % 8) & 1 != 0) {
        largest += 1;
        numbers[word] = largest;
    }
    words.iter_mut().for_each(|word| *word = numbers[usize::from(*word)]);
    for plane in words.chunks_exact_mut((width * height * kind.size() / 2).max(1)) {
        for part in planes(kind, width, height) {
            wavelet::encode(plane, &part, largest);
        }
    }
    let range = set.iter().position(|&bits| bits != 0).zip(set.iter().rposition(|&bits| bits != 0));
    let (first, last) = range.unwrap_or((SET - 1, 0));
    let mut out = Vec::new();
    out.extend((first as u16).to_le_bytes());
    out.extend((last as u16).to_le_bytes());
    out.extend(set.get(first..=last).unwrap_or_default());
    let codes = huffman::encode(&words);
    out.extend((codes.len() as u32).to_le_bytes());
    out.extend(codes);
    if out.len() < block.len() { out } else { block }
}
