//! Files that are made to do harm: none gets at anything outside, and each ends at a bound.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod bait;
mod bombs;
mod bounds;
mod broken;
mod documents;
mod references;
#[path = "../tools/mod.rs"]
mod tools;
