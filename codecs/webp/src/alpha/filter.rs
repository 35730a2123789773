//! The filters of `ALPH` (RFC 9649, section 2.7.1.2): each leaves the difference from a prediction, so that smooth alpha
//! becomes small numbers.

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Filter {
    None,
    /// Predicts from the left pixel.
    Horizontal,
    /// Predicts from the pixel above.
    Vertical,
    /// Predicts left + above − upper left, clamped.
    Gradient,
}

impl Filter {
    /// The filter whose differences have the least entropy on a sample of the rows.
    pub(super) fn estimate_best(alpha: &[u8], width: usize) -> Self {
        let filters = [Self::None, Self::Horizontal, Self::Vertical, Self::Gradient];
        filters.into_iter().min_by_key(|filter| entropy(alpha, width, *filter)).unwrap_or(Self::None)
    }

    pub(super) fn apply(self, alpha: &[u8], width: usize) -> Vec<u8> {
        (0..alpha.len()).map(|at| self.difference(alpha, width, at)).collect()
    }

    #[inline]
    fn difference(self, alpha: &[u8], width: usize, at: usize) -> u8 {
        let (has_left, has_top) = (!at.is_multiple_of(width), at >= width);
        let left = || alpha[at - 1];
        let top = || alpha[at - width];
        let prediction = match (self, has_left, has_top) {
            (Self::None, ..) | (_, false, false) => 0,
            // In the first row and the first column there is one neighbor for all filters.
            (_, true, false) => left(),
            (_, false, true) => top(),
            (Self::Horizontal, ..) => left(),
            (Self::Vertical, ..) => top(),
            (Self::Gradient, ..) => {
                let corner = i16::from(alpha[at - width - 1]);
                (i16::from(left()) + i16::from(top()) - corner).clamp(0, 255) as u8
            }
        };
        alpha[at].wrapping_sub(prediction)
    }
}

/// The entropy of the filtered samples of every fourth row, in 4096ths of a bit.
fn entropy(alpha: &[u8], width: usize, filter: Filter) -> u64 {
    let mut histogram = [0_u32; 256];
    for row in (0..alpha.len() / width).step_by(4) {
        for at in row * width..(row + 1) * width {
            histogram[usize::from(filter.difference(alpha, width, at))] += 1;
        }
    }
    let total: u32 = histogram.iter().sum();
    let n_log_n = |n: u32| u64::from(n) * u64::from(crate::bit_cost::log2(u64::from(n)));
    n_log_n(total.max(1)) - histogram.iter().filter(|&&n| n > 0).map(|&n| n_log_n(n)).sum::<u64>()
}
