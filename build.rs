//! Checks that the built-in fonts were made, and sets the stack of the `full` build: the SVG renderer recurses for every group and
//! takes 34 KB each time.

/// Made by `make setup-build`; the repository does not contain them.
const FONTS: [&str; 3] = ["Roboto-Regular.ttf", "Roboto-Bold.ttf", "DejaVuSans-Symbols.ttf"];

/// Bytes for as many steps as `src/formats/svg/decode/complexity.rs` lets through, and the rest of the engine.
const STACK: usize = 8 << 20;

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells build scripts by the environment what they build for"
)]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is_full = std::env::var_os("CARGO_FEATURE_FULL").is_some();
    if is_full {
        for font in FONTS.map(|name| format!("assets/fonts/{name}")) {
            println!("cargo:rerun-if-changed={font}");
            if !std::path::Path::new(&font).exists() {
                println!(
                    "cargo::error={font} is missing: run `make setup-build`, which makes the built-in fonts"
                );
            }
        }
    }
    let is_wasm = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    if is_wasm && is_full {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
