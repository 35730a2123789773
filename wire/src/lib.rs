//! What clients and the service share: media types and their recognition, error codes, and, with the feature `documents`, the JSON:API
//! documents of the API.
//!
//! No file is decoded here. [`sniff`] reads at most the first [`SNIFF_BYTES`] bytes, allocates nothing and accepts any input.

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
pub use sniff::{SNIFF_BYTES, Sniffed, UnsupportedType, sniff};
pub use task_error::TaskErrorCode;
