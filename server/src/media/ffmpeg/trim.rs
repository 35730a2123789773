//! The setting `trim`: the part of an input that is converted. `arguments.rs` passes it to ffmpeg as `-ss` and a duration.

/// A part, in seconds from the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::media) struct Trim {
    pub(in crate::media) start: f64,
    pub(in crate::media) end: Option<f64>,
}
