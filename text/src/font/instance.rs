//! Sizes and variations, of which there is one each: that of the file.

use crate::font::raw::types::NormalizedCoord;

/// A size of letters.
#[derive(Debug, Clone, Copy)]
pub struct Size;

impl Size {
    /// In the units of the font.
    pub fn unscaled() -> Self {
        Self
    }
}

/// A place along the axes of variation.
#[derive(Debug, Clone, Copy)]
pub struct Location;

impl Location {
    /// None.
    pub fn coords(&self) -> &[NormalizedCoord] {
        &[]
    }
}

/// A borrowed [`Location`].
#[derive(Debug, Clone, Copy, Default)]
pub struct LocationRef<'a>(std::marker::PhantomData<&'a Location>);

impl<'a> From<&'a Location> for LocationRef<'a> {
    fn from(_: &'a Location) -> Self {
        Self::default()
    }
}
