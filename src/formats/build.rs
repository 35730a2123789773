//! The builds of this module that contain an image engine.

use serde::{Serialize, Serializer};

/// A build with an image engine, in ascending order of size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Build {
    /// JPEG to JPEG or lossy WebP.
    Photo,
    /// The formats of the web and simple formats.
    Core,
    /// All image formats.
    Full,
}

impl Build {
    /// The build that this crate was compiled as.
    #[cfg(feature = "photo")]
    pub const HERE: Self = match (cfg!(feature = "full"), cfg!(feature = "core")) {
        (true, _) => Self::Full,
        (_, true) => Self::Core,
        _ => Self::Photo,
    };

    /// The name, as JavaScript sees it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Photo => "photo",
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
