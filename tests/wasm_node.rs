//! The boundary to JavaScript in Node.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod wasm;
