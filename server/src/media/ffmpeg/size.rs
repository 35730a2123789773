//! The requested size of a picture: `settings/resize.rs` reads it from a request, and `filters.rs` makes the scaling and cropping
//! filters of ffmpeg from it.

/// The requested size in pixels, of the upright picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) struct Resize {
    pub(in crate::media) width: Option<u32>,
    pub(in crate::media) height: Option<u32>,
    pub(in crate::media) max_width: Option<u32>,
    pub(in crate::media) max_height: Option<u32>,
    pub(in crate::media) fit: Fit,
}

/// How to fit a picture into `width` and `height`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) enum Fit {
    /// Stretched to exactly that size.
    #[default]
    Fill,
    /// The largest that fits inside.
    Inside,
    /// Exactly that size; the excess is cropped evenly.
    Cover,
}
