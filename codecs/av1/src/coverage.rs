//! Counts of the branches that a decoded picture took, for tests that have to reach each of them. Without the feature `coverage` there
//! are none.

#[cfg(feature = "coverage")]
use std::{cell::RefCell, collections::BTreeMap};

#[cfg(feature = "coverage")]
thread_local! {
    static COUNTS: RefCell<BTreeMap<(&'static str, usize), u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Counts one use of variant `index` of what is called `name`.
#[cfg(feature = "coverage")]
pub(crate) fn count(name: &'static str, index: usize) {
    COUNTS.with_borrow_mut(|counts| *counts.entry((name, index)).or_default() += 1);
}

#[cfg(not(feature = "coverage"))]
#[inline(always)]
pub(crate) fn count(_name: &'static str, _index: usize) {}

/// How often each variant was used in this thread since the last call, by name and number.
#[cfg(feature = "coverage")]
pub fn take() -> BTreeMap<(&'static str, usize), u64> {
    COUNTS.take()
}
