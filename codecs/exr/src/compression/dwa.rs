//! DWAA and DWAB: 8 × 8 blocks of 16-bit floats as coefficients of a cosine transform, after a curve that follows perception; red,
//! green and blue as luminance and two differences ("Technical Introduction to OpenEXR", openexr.com; DreamWorks Animation's
//! format).
//!
//! A block of the file starts with eleven counters and the rules that say how channels are stored: by cosines, as runs of bytes, or by
//! Deflate. Four streams follow: the channels by Deflate, the coefficients, the means of the 8 × 8 blocks, and the runs.

mod cosines;
mod curve;
mod rules;
mod squares;

use crate::channel::Channel;
use crate::compression::bytes::{inflate, unfold};
use crate::compression::piz::huffman;
use crate::compression::rle;
use crate::error::{DAMAGED, Error, Result};
use crate::input::Input;
use crate::shape::Shape;
pub(crate) use curve::Curve;
use rules::Scheme;
use squares::Coefficients;

/// Coefficients of an 8 × 8 block beside its mean.
const MOST_COEFFICIENTS: usize = 63;

/// The counters in the order of the file.
struct Counters {
    version: u64,
    plain_size: usize,
    plain_length: usize,
    coefficients_length: usize,
    means_length: usize,
    runs_length: usize,
    /// Of the runs.
    runs_size: usize,
    /// Of the bytes that the runs stand for.
    bytes_size: usize,
    coefficients: usize,
    means: usize,
    is_deflated: bool,
}

impl Counters {
    fn read(input: &mut Input<'_>) -> Result<Self> {
        let version = input.u64()?;
        let mut count = || usize::try_from(input.u64()?).map_err(|_| DAMAGED);
        let counters = Self {
            version,
            plain_size: count()?,
            plain_length: count()?,
            coefficients_length: count()?,
            means_length: count()?,
            runs_length: count()?,
            runs_size: count()?,
            bytes_size: count()?,
            coefficients: count()?,
            means: count()?,
            is_deflated: match count()? {
                0 => false,
                1 => true,
                _ => return Err(DAMAGED),
            },
        };
        if version > 2 { Err(Error::Unsupported("its version of DWA is unknown")) } else { Ok(counters) }
    }
}

pub(crate) fn decode(compressed: &[u8], shape: &Shape<'_>, curve: &Curve, block: &mut [u8]) -> Result<()> {
    let mut input = Input(compressed);
    let counters = Counters::read(&mut input)?;
    let schemes = rules::schemes(&mut input, counters.version, shape.channels)?;
    let of =
        |scheme| shape.channels.iter().zip(&schemes).filter(move |(_, of)| **of == scheme).map(|(c, _)| c);
    let size =
        |scheme| of(scheme).map(|channel: &Channel<'_>| channel.kind.size() * shape.pixels()).sum::<usize>();

    let plain = input.take(counters.plain_length)?;
    let coefficients = input.take(counters.coefficients_length)?;
    let means = input.take(counters.means_length)?;
    let runs = input.take(counters.runs_length)?;

    let expected =
        (size(Scheme::Plain), size(Scheme::Runs), of(Scheme::Cosines).count() * squares::count(shape));
    if expected != (counters.plain_size, counters.bytes_size, counters.means)
        || counters.coefficients > counters.means * MOST_COEFFICIENTS
        || counters.runs_size > 2 * counters.bytes_size
    {
        return Err(Error::Corrupt("a block claims to hold more or less than it can"));
    }
    if counters.plain_size > 0 {
        let bytes = inflate(plain, counters.plain_size)?;
        let mut rest = &bytes[..];
        for channel in of(Scheme::Plain) {
            let (plane, behind) = rest.split_at(channel.kind.size() * shape.pixels());
            rest = behind;
            shape.place(channel, plane, block);
        }
    }
    if counters.bytes_size > 0 {
        let bytes = rle::decode(&inflate(runs, counters.runs_size)?, counters.bytes_size)?;
        place_runs(&bytes, shape, of(Scheme::Runs), block);
    }
    if counters.means > 0 {
        let mut folded = inflate(means, counters.means * 2)?;
        let mut means = vec![0; folded.len()];
        unfold(&mut folded, &mut means);
        let coefficients = match counters.is_deflated {
            true => words(&inflate(coefficients, counters.coefficients * 2)?),
            false => huffman::decode(coefficients, counters.coefficients)?,
        };
        let mut coefficients = Coefficients { means: &words(&means), others: &coefficients };
        for group in rules::groups(shape.channels, &schemes) {
            squares::decode(&mut coefficients, shape, &group, curve, block)?;
        }
    }
    Ok(())
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word)).collect()
}

/// Copies channels whose bytes of the same weight are together.
fn place_runs<'a>(
    bytes: &[u8],
    shape: &Shape<'_>,
    channels: impl Iterator<Item = &'a Channel<'a>>,
    block: &mut [u8],
) {
    let mut planes = bytes.chunks_exact(shape.pixels());
    for channel in channels {
        let size = channel.kind.size();
        for (weight, plane) in planes.by_ref().take(size).enumerate() {
            for (row, bytes) in shape.rows(channel, block).zip(plane.chunks_exact(shape.width)) {
                row.iter_mut().skip(weight).step_by(size).zip(bytes).for_each(|(to, &byte)| *to = byte);
            }
        }
    }
}
