//! How prediction modes are coded (RFC 6386, section 11): the way through the tree of each, as bits with the
//! probability that each is 0.

use crate::tables::modes::{CHROMA, IN_PIECES, LUMA, SMALL};

/// At most this many bits lead to a mode.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    steps: [(bool, u8); 9],
    length: usize,
}

impl Way {
    /// `nodes` are taken in turn, each with its bit.
    fn new(nodes: &[(bool, u8)]) -> Self {
        let mut way = Self { steps: [(false, 0); 9], length: nodes.len() };
        way.steps[..nodes.len()].copy_from_slice(nodes);
        way
    }

    pub(crate) fn as_slice(&self) -> &[(bool, u8)] {
        &self.steps[..self.length]
    }
}

/// That luma is predicted in pieces.
pub(crate) fn pieces() -> Way {
    Way::new(&[(false, IN_PIECES)])
}

/// Of 16 × 16 pixels, behind the bit that says so: by the numbers in `predict`.
pub(crate) fn luma(mode: usize) -> Way {
    Way::new(match mode {
        0 => &[(true, IN_PIECES), (false, LUMA[0]), (false, LUMA[1])],
        1 => &[(true, IN_PIECES), (true, LUMA[0]), (true, LUMA[2])],
        2 => &[(true, IN_PIECES), (false, LUMA[0]), (true, LUMA[1])],
        _ => &[(true, IN_PIECES), (true, LUMA[0]), (false, LUMA[2])],
    })
}

pub(crate) fn chroma(mode: usize) -> Way {
    Way::new(match mode {
        0 => &[(false, CHROMA[0])],
        1 => &[(true, CHROMA[0]), (true, CHROMA[1]), (true, CHROMA[2])],
        2 => &[(true, CHROMA[0]), (false, CHROMA[1])],
        _ => &[(true, CHROMA[0]), (true, CHROMA[1]), (false, CHROMA[2])],
    })
}

/// Of 4 × 4 pixels, between the modes above and on the left.
pub(crate) fn small(mode: usize, above: usize, left: usize) -> Way {
    // By mode: the nodes passed, each with its bit.
    const WAYS: [&[(usize, bool)]; 10] = [
        &[(0, false)],
        &[(0, true), (1, false)],
        &[(0, true), (1, true), (2, false)],
        &[(0, true), (1, true), (2, true), (3, false), (4, false)],
        &[(0, true), (1, true), (2, true), (3, true), (6, false)],
        &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, false)],
        &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, true)],
        &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, false)],
        &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, false)],
        &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, true)],
    ];
    let probabilities = SMALL[above][left];
    let mut way = Way { steps: [(false, 0); 9], length: WAYS[mode].len() };
    for (step, &(node, bit)) in way.steps.iter_mut().zip(WAYS[mode]) {
        *step = (bit, probabilities[node]);
    }
    way
}
