//! What the components of a file mean.

/// The color model of the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColorModel {
    /// One component: luma.
    Gray,
    /// Three components: luma and chroma (T.871).
    Ycbcr,
    /// Three components: red, green and blue.
    Rgb,
    /// Four components: inks, or with Adobe's marker their complements.
    Cmyk,
    /// Four components: luma and chroma of the complements of three inks, and black (Adobe Technical Note 5116, section 18).
    Ycck,
    /// Two components, whose meaning no standard tells.
    Unknown,
}

impl ColorModel {
    /// By the markers that precede the first scan, or else the identifiers of the components.
    ///
    /// `adobe` is the color transform of Adobe's marker: 0 none, 1 YCbCr, 2 YCCK.
    pub(crate) fn new(jfif: bool, adobe: Option<u8>, ids: &[u8]) -> Self {
        match (ids, jfif, adobe) {
            ([_], ..) => Self::Gray,
            ([_, _, _], true, _) => Self::Ycbcr,
            ([_, _, _], false, Some(0)) => Self::Rgb,
            ([b'R', b'G', b'B'], false, None) => Self::Rgb,
            ([_, _, _], ..) => Self::Ycbcr,
            ([_, _, _, _], _, None | Some(0)) => Self::Cmyk,
            ([_, _, _, _], ..) => Self::Ycck,
            _ => Self::Unknown,
        }
    }
}
