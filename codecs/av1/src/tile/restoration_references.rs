//! Against what the coefficients of loop restoration are coded (AV1 specification, section 5.11.2).

/// Wiener_Taps_Mid.
const WIENER_MID: [i8; 3] = [3, -7, 15];
/// Sgrproj_Xqd_Mid.
const SELF_GUIDED_MID: [i8; 2] = [-32, 31];

/// The last coefficients of each plane, against which the next are coded.
pub(super) struct RestorationReferences {
    /// For each plane the vertical and the horizontal filter.
    pub(super) wiener: [[[i8; 3]; 2]; 3],
    pub(super) self_guided: [[i8; 2]; 3],
}

impl Default for RestorationReferences {
    fn default() -> Self {
        Self { wiener: [[WIENER_MID; 2]; 3], self_guided: [SELF_GUIDED_MID; 3] }
    }
}
