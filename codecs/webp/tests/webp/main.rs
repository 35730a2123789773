//! The public interface, tested with an independent decoder.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod alpha;
mod alpha_rows;
mod chroma;
#[path = "../../../../tests/common/light.rs"]
mod light;
mod lossless;
mod pictures;
mod prepared;
#[path = "../common/seed.rs"]
mod seed;
mod settings;
mod sizes;
