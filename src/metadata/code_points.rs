//! Color spaces that a file names by code points of ITU-T H.273, and for which [`matrix_profile`](super::matrix_profile) makes no ICC
//! profile: PQ and HLG (HDR, ITU-R BT.2100), and rare primaries.

/// The code points of a picture of RGB with full range, and what its HDR was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePoints {
    /// `ColourPrimaries` and `TransferCharacteristics` (tables 2 and 3).
    pub(crate) primaries: u8,
    pub(crate) transfer: u8,
    /// The color volume of the display that it was mastered on, as the chunk `mDCV` has it.
    pub(crate) mastering: Option<[u8; 24]>,
    /// The light levels of its content, as the chunk `cLLI` has them.
    pub(crate) light_levels: Option<[u8; 8]>,
}

impl CodePoints {
    /// PQ and HLG, as values of `transfer`.
    pub(crate) const PQ: u8 = 16;
    pub(crate) const HLG: u8 = 18;

    /// Whether values are HDR: shown as sRGB they are flat and gray.
    pub(crate) fn is_hdr(&self) -> bool {
        matches!(self.transfer, Self::PQ | Self::HLG)
    }
}
