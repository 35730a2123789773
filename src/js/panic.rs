//! The message of the last panic, since the trap that follows has none.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

thread_local! {
    static LAST_PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Keeps the message of each panic.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.set(Some(info.to_string()));
    }));
}

/// The message of the panic that trapped this instance, if there was one; returned once.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.take()
}
