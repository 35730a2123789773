//! Malicious files: none reaches anything outside its sandbox, and each conversion ends at a limit.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod canary;
mod decompression_bombs;
mod documents;
mod malformed;
mod references;
mod resource_limits;
mod several_inputs;
#[path = "../tools/mod.rs"]
mod tools;
