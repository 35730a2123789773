//! The media types through the crate's public interface.

mod corpus;
mod foreign;
mod known;
mod names;
mod robustness;
mod samples;
