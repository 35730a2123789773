//! The stack of the `full` build: a renderer of drawings steps into itself for every group, and takes 34 KB each time.

/// Bytes for as many steps as `src/formats/svg/decode/complexity.rs` lets through, and the rest of the engine.
const STACK: usize = 8 << 20;

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells build scripts by the environment what they build for"
)]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is_wasm = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    if is_wasm && std::env::var_os("CARGO_FEATURE_FULL").is_some() {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
