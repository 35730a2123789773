//! Files that are made to do harm: none gets at anything outside, and each ends at a bound.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod canary;
mod decompression_bombs;
mod documents;
mod malformed;
mod references;
mod resource_limits;
#[path = "../tools/mod.rs"]
mod tools;
