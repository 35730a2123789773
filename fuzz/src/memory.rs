//! The peak memory of a call, measured by the allocator.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What `maxMemoryBytes` does not count: tables that every call of a codec has, however small its picture.
const TABLES: usize = 24 << 20;

/// Runs `work`.
///
/// # Panics
/// When it takes more than `limit` bytes at once, half as much on top (the limit is held against an estimate), and [`TABLES`].
pub fn within<V>(limit: u64, work: impl FnOnce() -> V) -> V {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let done = work();
    let taken = ALLOCATOR.peak_usage().saturating_sub(before);
    let most = limit as usize / 2 * 3 + TABLES;
    assert!(taken <= most, "{taken} bytes of memory were taken, {limit} allowed");
    done
}
