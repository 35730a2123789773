//! The peak memory of a call, measured by the allocator.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Memory that `maxMemoryBytes` does not count: tables that a codec allocates for images of any size.
const TABLES: usize = 24 << 20;

/// Runs `work`.
///
/// # Panics
/// If its peak exceeds 1.5 times `limit` (limits are compared with an estimate) plus [`TABLES`].
pub fn within<V>(limit: u64, work: impl FnOnce() -> V) -> V {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let done = work();
    let taken = ALLOCATOR.peak_usage().saturating_sub(before);
    let most = limit as usize / 2 * 3 + TABLES;
    assert!(taken <= most, "{taken} bytes of memory were taken, {limit} allowed");
    done
}
