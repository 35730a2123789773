//! Streams are read by other decoders: miniz_oxide, and zlib and gzip of Python.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod generated;
mod python;
mod round_trip;
#[path = "../../../../tests/common/seed.rs"]
mod seed;
mod sizes;
