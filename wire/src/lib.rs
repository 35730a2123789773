//! The words that both ends of the interface share, so that they can not drift apart: the media types, their names, and
//! how their bytes are recognised.
//!
//! Nothing here decodes a file. [`sniff`] looks at the first [`SNIFF_BYTES`] bytes only, allocates nothing and accepts any
//! input whatever.

mod media_type;
mod names;
mod sniff;
mod table;

pub use media_type::{MediaClass, MediaType};
pub use names::UnknownMediaType;
pub use sniff::{ForeignType, SNIFF_BYTES, Sniffed, sniff};
