//! The seeds of the tests' random numbers. `FILEPRESS_SEED` (default 0) is added to each, so that one number changes all of
//! them and repeats a run. It is printed where a test that takes a seed fails.

/// The seed of a generator whose own number is `own`.
#[allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test runs natively and may print"
)]
pub(crate) fn seed(own: u64) -> u64 {
    let base = match std::env::var("FILEPRESS_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("FILEPRESS_SEED is no whole number: {text}")),
        Err(_) => 0_u64,
    };
    eprintln!("seed {own}, FILEPRESS_SEED={base}");
    base.wrapping_add(own)
}
