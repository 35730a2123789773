//! Media types and documents through the crate's public interface.

mod corpus;
#[cfg(feature = "documents")]
mod documents;
mod known;
mod names;
mod robustness;
mod samples;
#[path = "../../../tests/common/seed.rs"]
mod seed;
mod unsupported;
