//! The border to JavaScript, in Node.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test that can not go on has failed")]

mod wasm;
