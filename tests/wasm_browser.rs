//! The boundary to JavaScript in a browser's worker, where the package runs it.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod wasm;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
