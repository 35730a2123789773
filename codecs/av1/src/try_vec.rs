//! Vectors whose allocation may fail.

use crate::error::Error;

/// A vector of `length` equal values.
pub(crate) fn filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(length)?;
    values.resize(length, value);
    Ok(values)
}
