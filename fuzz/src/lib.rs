//! Shared code of the fuzz targets: how bytes become a call, the properties of results, and the seed inputs.
//!
//! A target accepts any bytes and fails by a panic. Panics of the engine and of its codecs count too, because in
//! WebAssembly each is a trap. `make fuzz` compiles the targets with coverage counters and runs them.

#![allow(clippy::expect_used, clippy::panic, reason = "a broken promise ends the run")]

pub mod check_conversion;
#[path = "../../server/tests/client/doc.rs"]
pub mod doc;
pub mod fuzz_call;
pub mod memory;
pub mod samples;
pub mod script;
#[path = "../../tests/common/seed.rs"]
mod seed;
pub mod seeds;
