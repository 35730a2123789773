//! Divides tokens into blocks: small pieces are joined with a neighbor as long as a common code saves more than it costs.

use crate::block::Code;
use crate::cost::entropy;
use crate::histogram::Histogram;
use crate::symbols::Token;

/// The longest side of a list of pieces.
const MAX_PIECES: usize = 512;

/// Neighboring tokens with their symbols.
struct Piece {
    end: usize,
    histogram: Histogram,
    bits: u64,
    /// The bits that joining this piece with the next one saves.
    gain: i64,
}

/// The ends of the blocks, in tokens. `step`: the least number of tokens of a block. `exact`: blocks are compared by what they
/// would take in the end.
pub(crate) fn blocks(tokens: &[Token], step: usize, exact: bool) -> Vec<usize> {
    let step = step.max(tokens.len().div_ceil(MAX_PIECES));
    let size = if exact { exact_bits } else { estimated_bits };
    let mut pieces: Vec<Piece> = tokens
        .chunks(step)
        .enumerate()
        .map(|(at, part)| {
            let histogram = Histogram::of(part);
            Piece { end: at * step + part.len(), bits: size(&histogram), histogram, gain: 0 }
        })
        .collect();
    (0..pieces.len()).for_each(|at| regain(&mut pieces, at, size));
    loop {
        let best = (0..pieces.len().saturating_sub(1)).max_by_key(|&at| pieces[at].gain);
        let Some(at) = best.filter(|&at| pieces[at].gain >= 0) else { break };
        let next = pieces.remove(at + 1);
        let piece = &mut pieces[at];
        piece.bits = (piece.bits + next.bits).saturating_add_signed(-piece.gain);
        piece.end = next.end;
        piece.histogram.merge(&next.histogram);
        regain(&mut pieces, at, size);
        if at > 0 {
            regain(&mut pieces, at - 1, size);
        }
    }
    pieces.iter().map(|piece| piece.end).collect()
}

fn regain(pieces: &mut [Piece], at: usize, size: fn(&Histogram) -> u64) {
    if let Some([piece, next, ..]) = pieces.get_mut(at..) {
        let mut joined = piece.histogram.clone();
        joined.merge(&next.histogram);
        piece.gain = (piece.bits + next.bits) as i64 - size(&joined) as i64;
    }
}

fn exact_bits(histogram: &Histogram) -> u64 {
    Code::new(&histogram.clone().ended()).bits()
}

/// The entropy of the symbols, and about what a header takes with what whole bits lose: more where more symbols are used.
fn estimated_bits(histogram: &Histogram) -> u64 {
    let used = |counts: &[u32]| counts.iter().filter(|count| **count > 0).count() as u64;
    let (litlens, distances) = (&histogram.litlens, &histogram.distances);
    80 + 6 * (used(litlens) + used(distances)) + entropy(litlens) + entropy(distances)
}
