//! Filters that leave the difference to a prediction: smooth alpha becomes small numbers.

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Filter {
    None,
    /// From the pixel on the left.
    Horizontal,
    /// From the pixel above.
    Vertical,
    /// From both, less the one between them.
    Gradient,
}

impl Filter {
    /// The one whose differences are the least varied.
    pub(super) fn likely(alpha: &[u8], width: usize) -> Self {
        let filters = [Self::None, Self::Horizontal, Self::Vertical, Self::Gradient];
        filters.into_iter().min_by_key(|filter| variety(alpha, width, *filter)).unwrap_or(Self::None)
    }

    pub(super) fn apply(self, alpha: &[u8], width: usize) -> Vec<u8> {
        (0..alpha.len()).map(|at| self.difference(alpha, width, at)).collect()
    }

    #[inline]
    fn difference(self, alpha: &[u8], width: usize, at: usize) -> u8 {
        let (has_left, has_above) = (!at.is_multiple_of(width), at >= width);
        let left = || alpha[at - 1];
        let above = || alpha[at - width];
        let prediction = match (self, has_left, has_above) {
            (Self::None, ..) | (_, false, false) => 0,
            // At the edges there is but one.
            (_, true, false) => left(),
            (_, false, true) => above(),
            (Self::Horizontal, ..) => left(),
            (Self::Vertical, ..) => above(),
            (Self::Gradient, ..) => {
                let corner = i16::from(alpha[at - width - 1]);
                (i16::from(left()) + i16::from(above()) - corner).clamp(0, 255) as u8
            }
        };
        alpha[at].wrapping_sub(prediction)
    }
}

/// How many bits it would take, symbol by symbol, of one row in four; in 4096ths.
fn variety(alpha: &[u8], width: usize, filter: Filter) -> u64 {
    let mut histogram = [0_u32; 256];
    for row in (0..alpha.len() / width).step_by(4) {
        for at in row * width..(row + 1) * width {
            histogram[usize::from(filter.difference(alpha, width, at))] += 1;
        }
    }
    let total: u32 = histogram.iter().sum();
    let of = |number: u32| u64::from(number) * u64::from(crate::cost::logarithm_of(u64::from(number)));
    of(total.max(1)) - histogram.iter().filter(|&&number| number > 0).map(|&number| of(number)).sum::<u64>()
}
