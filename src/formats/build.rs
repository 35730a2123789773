//! The builds of this module that contain an image engine.

use serde::{Serialize, Serializer};

/// A build with an image engine. [`Full`](Self::Full) contains the others, [`Core`](Self::Core) contains [`Photo`](Self::Photo), and
/// [`Avif`](Self::Avif) contains [`PhotoAvif`](Self::PhotoAvif).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// JPEG to JPEG or lossy WebP.
    Photo,
    /// JPEG to AVIF.
    PhotoAvif,
    /// JPEG, PNG and WebP to AVIF.
    Avif,
    /// The formats of the web and simple formats.
    Core,
    /// All image formats.
    Full,
}

impl Build {
    /// Whether this crate was compiled with all that the build contains.
    #[cfg(feature = "engine")]
    pub const fn is_here(self) -> bool {
        match self {
            Self::Photo => cfg!(feature = "photo"),
            Self::PhotoAvif => cfg!(feature = "photo_avif"),
            Self::Avif => cfg!(feature = "avif"),
            Self::Core => cfg!(feature = "core"),
            Self::Full => cfg!(feature = "full"),
        }
    }

    /// The name, as JavaScript sees it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::PhotoAvif => "photo_avif",
            Self::Avif => "avif",
            Self::Core => "core",
            Self::Full => "full",
        }
    }
}

impl Serialize for Build {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
