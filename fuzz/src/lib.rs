//! What the fuzz targets share: how bytes become a call, what has to hold of its result, and the inputs to begin with.
//!
//! A target is given any bytes and fails by a panic. Panics of the engine and of its codecs count too: in WebAssembly each is a
//! trap. `make fuzz` compiles the targets with counters of coverage and runs them.

#![allow(clippy::expect_used, clippy::panic, reason = "a broken promise ends the run")]

pub mod asked;
pub mod converted;
#[path = "../../server/tests/client/doc.rs"]
pub mod doc;
pub mod memory;
pub mod samples;
pub mod script;
pub mod seeds;
