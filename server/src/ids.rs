//! Random UUIDs: the ids of users, files, tasks and requests, and the names of stored contents.

use std::io;

/// A random UUID (RFC 9562, version 4) in its usual text form.
///
/// # Errors
///
/// If the system provides no random numbers.
pub fn uuid() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let number = u128::from_be_bytes(bytes);
    // Version 4 in the 13th digit, variant `10` in the top bits of the 17th.
    let number = number & !(0xf << 76) | 4 << 76;
    let number = number & !(0b11 << 62) | 0b10 << 62;
    let digits = format!("{number:032x}");
    Ok([&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-"))
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn has_the_form_of_version_4_and_differs_each_time() {
        let (one, other) = (uuid().unwrap(), uuid().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 36);
        assert!(one.chars().enumerate().all(|(index, character)| match index {
            8 | 13 | 18 | 23 => character == '-',
            14 => character == '4',
            19 => "89ab".contains(character),
            _ => character.is_ascii_hexdigit() && !character.is_ascii_uppercase(),
        }));
    }
}
