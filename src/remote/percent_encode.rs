//! Percent-encoding of what stands in a URL (RFC 3986, section 2.1).

/// Percent-encodes all but unreserved characters (RFC 3986, section 2.3).
pub(super) fn percent_encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'A' + value - 10 });
            encoded.push('%');
            encoded.push(digit(byte >> 4));
            encoded.push(digit(byte & 15));
        }
    }
    encoded
}
