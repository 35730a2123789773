//! Sorts a few elements by insertion: the sorts of the standard library are made for many, and each type that they sort adds kilobytes to a
//! WebAssembly module.

/// Sorts in ascending order; elements of which neither comes before the other keep their order. Its time grows with the square of the
/// length.
pub(crate) fn sort_few<T>(elements: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 1..elements.len() {
        let mut at = end;
        while at > 0 && is_before(&elements[at], &elements[at - 1]) {
            elements.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_stable_sort_of_the_standard_library() {
        let mut state = 1_u32;
        for length in 0..40 {
            let mut ours: Vec<(u32, usize)> = (0..length)
                .map(|at| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 29, at)
                })
                .collect();
            let mut theirs = ours.clone();
            theirs.sort_by_key(|(key, _)| *key);
            sort_few(&mut ours, |a, b| a.0 < b.0);
            assert_eq!(ours, theirs);
        }
    }
}
