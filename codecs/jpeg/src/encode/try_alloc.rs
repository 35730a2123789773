//! Allocations that may fail.

use crate::error::{Error, Limit};

/// A vector with room for so many elements.
pub(crate) fn reserved<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut vector = Vec::new();
    let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
    vector
        .try_reserve_exact(count)
        .map_err(|_| Error::Limit(Limit::Memory { needed, limit: needed.saturating_sub(1) }))?;
    Ok(vector)
}

/// So many times the value.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Error> {
    let mut vector = reserved(count)?;
    vector.resize(count, value);
    Ok(vector)
}

/// The same elements.
pub(crate) fn copied<T: Copy>(elements: &[T]) -> Result<Vec<T>, Error> {
    let mut vector = reserved(elements.len())?;
    vector.extend_from_slice(elements);
    Ok(vector)
}
