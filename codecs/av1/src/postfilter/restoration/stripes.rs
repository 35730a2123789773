//! Where the stripes of a plane are (section 7.17.1).

/// Luma rows of a stripe.
const HEIGHT: usize = 64;
/// Luma rows that stripes are above superblocks.
const OFFSET: usize = 8;

/// The first row of each stripe and that after its last one.
pub(super) struct Stripes {
    height: usize,
    ss_y: usize,
    number: usize,
}

impl Stripes {
    pub(super) fn new(height: usize, ss_y: usize) -> Self {
        Self { height, ss_y, number: 0 }
    }
}

impl Iterator for Stripes {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let edge = |number: usize| (number * HEIGHT).saturating_sub(OFFSET) >> self.ss_y;
        let (from, to) = (edge(self.number), edge(self.number + 1).min(self.height));
        self.number += 1;
        (from < to).then_some((from, to))
    }
}
