//! The words that both ends of the interface share, so that they cannot drift apart: the media types, their names, and
//! how their bytes are recognized; the codes of errors; and, with the feature `documents`, what is sent and received.
//!
//! Nothing here decodes a file. [`sniff`] looks at the first [`SNIFF_BYTES`] bytes only, allocates nothing and accepts any
//! input whatever.

#[cfg(feature = "documents")]
pub mod documents;

mod error_code;
mod media_type;
mod names;
mod sniff;
mod table;
mod task_error;

pub use error_code::ErrorCode;
pub use media_type::{MediaClass, MediaType};
pub use names::UnknownMediaType;
pub use sniff::{ForeignType, SNIFF_BYTES, Sniffed, sniff};
pub use task_error::TaskErrorCode;
