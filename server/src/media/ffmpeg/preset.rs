//! Encoder presets, with the names of x264.

/// A preset, from the fastest (largest files) to the slowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) enum Preset {
    Ultrafast,
    Superfast,
    Veryfast,
    Faster,
    Fast,
    #[default]
    Medium,
    Slow,
    Slower,
    Veryslow,
}

impl Preset {
    /// Every preset with its name.
    pub(in crate::media) const WORDS: [(&'static str, Self); 9] = [
        ("ultrafast", Self::Ultrafast),
        ("superfast", Self::Superfast),
        ("veryfast", Self::Veryfast),
        ("faster", Self::Faster),
        ("fast", Self::Fast),
        ("medium", Self::Medium),
        ("slow", Self::Slow),
        ("slower", Self::Slower),
        ("veryslow", Self::Veryslow),
    ];

    /// Its name, which x264 and x265 use.
    pub(in crate::media) const fn name(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// `-cpu-used` of libvpx.
    pub(in crate::media) const fn vpx_speed(self) -> &'static str {
        ["8", "8", "6", "5", "5", "4", "2", "1", "0"][self as usize]
    }

    /// `-preset` of SVT-AV1.
    pub(in crate::media) const fn svt_speed(self) -> &'static str {
        ["12", "12", "11", "10", "9", "8", "6", "5", "4"][self as usize]
    }
}
