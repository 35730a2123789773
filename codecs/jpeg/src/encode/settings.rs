//! What can be asked of the encoder.

/// What pixels consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Red, green and blue, 8 bits each.
    Rgb,
    /// 8 bits of luma.
    Gray,
}

impl Color {
    pub(crate) const fn components(self) -> usize {
        match self {
            Self::Rgb => 3,
            Self::Gray => 1,
        }
    }
}

/// The resolution of chroma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// That of luma.
    S444,
    /// Half of luma's across.
    S422,
    /// Half of luma's across and down.
    S420,
}

impl Sampling {
    /// The sampling factors of luma: the pixels for each sample of chroma, across and down.
    pub const fn factors(self) -> (usize, usize) {
        match self {
            Self::S444 => (1, 1),
            Self::S422 => (2, 1),
            Self::S420 => (2, 2),
        }
    }
}

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// 0 to 100: the larger, the more like the original. Default: 80.
    pub quality: f32,
    /// Several scans, or one for a small picture if that takes fewer bytes. Default: yes; otherwise always one.
    pub progressive: bool,
    /// Coefficients are chosen by what they cost in bits rather than rounded: fewer bytes, three times the time. Default: yes.
    pub trellis: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { quality: 80.0, progressive: true, trellis: true }
    }
}
