//! What the caller asks of the encoder.

/// The quantizer index of qualities, with lines between them. At quality 60 a photo has the SSIMULACRA2 score (75 to 80) of a
/// JPEG of quality 80.
const INDICES: [(u8, u8); 7] = [(1, 255), (20, 190), (40, 138), (60, 87), (80, 40), (95, 12), (100, 1)];

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeOptions {
    /// From 0, the smallest, to 100, the best. Default: 60. Larger values count as 100.
    pub quality: u8,
    /// From 0, the fastest, to 9, the smallest at the same quality. Default: 4. Larger values count as 9.
    pub effort: u8,
    /// Whether every sample is kept, whatever the quality. RGB stays exact with the identity matrix. Default: false.
    pub lossless: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { quality: 60, effort: 4, lossless: false }
    }
}

impl EncodeOptions {
    /// base_q_idx, between [`INDICES`]. 0 is lossless.
    pub(super) fn base_q_idx(&self) -> u8 {
        if self.lossless {
            return 0;
        }
        let quality = self.quality.clamp(1, 100);
        let end = INDICES.iter().position(|(knot, _)| quality <= *knot).unwrap_or(INDICES.len() - 1).max(1);
        let [(low, from), (high, to)] =
            [INDICES[end - 1], INDICES[end]].map(|(a, b)| (i32::from(a), i32::from(b)));
        let (above, length) = (i32::from(quality) - low, high - low);
        ((from * (length - above) + to * above + length / 2) / length) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantizer_falls_with_quality() {
        let index = |quality| EncodeOptions { quality, ..EncodeOptions::default() }.base_q_idx();
        assert_eq!([0, 1, 60, 100, 255].map(index), [255, 255, 87, 1, 1]);
        assert!((0..=100).map(index).is_sorted_by(|a, b| a >= b));
    }
}
