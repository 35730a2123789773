//! What is written comes back with the same pixels from another decoder, at every effort and in every color type.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests"
)]

mod frames;
mod pictures;
mod reductions;
mod round_trip;
#[path = "../../../../tests/common/seed.rs"]
mod seed;
