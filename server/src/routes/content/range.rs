//! Parses the header `Range` of a download (`download.rs`): byte ranges (RFC 9110, section 14).

/// The requested part of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// All of it: the range is malformed, has another unit, or is one of several, which a server may ignore.
    Whole,
    /// `length` bytes from `start`; at least one.
    Partial { start: u64, length: u64 },
    /// The range lies outside of the content.
    Unsatisfiable,
}

impl ByteRange {
    /// Parses a `Range` header for a content of `size` bytes.
    pub(super) fn parse(header: &str, size: u64) -> Self {
        let header = header.trim();
        let unit = header.get(..6).filter(|unit| unit.eq_ignore_ascii_case("bytes="));
        let Some((first, last)) = unit.and_then(|_| header[6..].trim().split_once('-')) else {
            return Self::Whole;
        };
        match (number(first), number(last)) {
            (Some(start), None) if last.is_empty() => Self::from(start, u64::MAX, size),
            (Some(start), Some(end)) if start <= end => Self::from(start, end, size),
            (None, Some(0)) if first.is_empty() => Self::Unsatisfiable,
            (None, Some(suffix)) if first.is_empty() => {
                Self::from(size.saturating_sub(suffix), u64::MAX, size)
            }
            _ => Self::Whole,
        }
    }

    fn from(start: u64, end: u64, size: u64) -> Self {
        if start >= size {
            return Self::Unsatisfiable;
        }
        Self::Partial { start, length: end.min(size - 1) - start + 1 }
    }
}

/// Parses digits; a number that is too large becomes `u64::MAX`.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::ByteRange::{self, Partial, Unsatisfiable, Whole};

    #[test]
    fn ranges_mean_what_the_rfc_says() {
        for (header, expected) in [
            ("bytes=0-0", Partial { start: 0, length: 1 }),
            ("bytes=0-9", Partial { start: 0, length: 10 }),
            ("Bytes=2-", Partial { start: 2, length: 8 }),
            ("bytes=-3", Partial { start: 7, length: 3 }),
            ("bytes=-99", Partial { start: 0, length: 10 }),
            ("bytes=5-99999999999999999999999", Partial { start: 5, length: 5 }),
            ("bytes=10-", Unsatisfiable),
            ("bytes=99999999999999999999999-", Unsatisfiable),
            ("bytes=-0", Unsatisfiable),
            ("bytes=5-4", Whole),
            ("bytes=0-1,4-5", Whole),
            ("bytes=-", Whole),
            ("bytes=a-b", Whole),
            ("bytes=+1-2", Whole),
            ("lines=0-1", Whole),
            ("", Whole),
            ("é€–bytes", Whole),
        ] {
            assert_eq!(ByteRange::parse(header, 10), expected, "{header}");
        }
    }
}
