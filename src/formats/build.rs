//! The builds of this module that have an image engine.

use serde::{Serialize, Serializer};

/// A build with an image engine, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Build {
    /// JPEG in, JPEG or lossy WebP out.
    Photo,
    /// The types of the web and the simple ones.
    Core,
    /// Every image type.
    Full,
}

impl Build {
    /// The one that this crate was compiled as.
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
