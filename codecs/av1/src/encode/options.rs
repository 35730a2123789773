//! What the caller asks of the encoder.

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
    /// base_q_idx: two lines that meet where a photo has the SSIMULACRA2 score (75) of a JPEG of quality 80. 0 is
    /// lossless.
    pub(super) fn base_q_idx(&self) -> u8 {
        const MIDDLE: u16 = 60;
        const AT_MIDDLE: u16 = 106;
        if self.lossless {
            return 0;
        }
        let quality = u16::from(self.quality.clamp(1, 100));
        let index = match quality.checked_sub(MIDDLE) {
            Some(above) => AT_MIDDLE - above * AT_MIDDLE / (100 - MIDDLE),
            None => AT_MIDDLE + (MIDDLE - quality) * (255 - AT_MIDDLE) / (MIDDLE - 1),
        };
        index.max(1) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantizer_falls_with_quality() {
        let index = |quality| EncodeOptions { quality, ..EncodeOptions::default() }.base_q_idx();
        assert_eq!([0, 1, 60, 100, 255].map(index), [255, 255, 106, 1, 1]);
        assert!((0..=100).map(index).is_sorted_by(|a, b| a >= b));
    }
}
