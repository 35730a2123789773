//! Recognizes the image of the option `overlay`, and finds the build that reads it.

use filepress_wire::{MediaType, SNIFF_BYTES};

use crate::error::{Error, Result};
use crate::media::{self, Build};
use crate::options::{Options, Overlay};

/// An overlay whose type was recognized.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedOverlay {
    /// What the options say.
    pub asked: Overlay,
    /// The type of its image.
    pub media: MediaType,
}

impl PlannedOverlay {
    /// Whether only the build `full` reads the image.
    pub(super) fn needs_full(&self) -> bool {
        media::local_support(self.media).is_some_and(|format| format.build == Build::Full)
    }
}

/// The overlay that the options name.
///
/// # Errors
/// Those of [`media::recognize`], and [`crate::ErrorCode::UnsupportedType`] for what is no image, with the detail `file`.
pub(super) fn planned(options: &Options) -> Result<Option<Box<PlannedOverlay>>> {
    let Some(asked) = &options.overlay else { return Ok(None) };
    let head = &asked.image[..asked.image.len().min(SNIFF_BYTES)];
    let media = media::recognize(head, None, None).map_err(of_overlay)?;
    super::reader_of(media).map_err(of_overlay)?;
    Ok(Some(Box::new(PlannedOverlay { asked: asked.clone(), media })))
}

/// An error that concerns the image of an overlay, not the input.
pub(crate) fn of_overlay(error: Error) -> Error {
    error.with_detail("file", "overlay")
}
