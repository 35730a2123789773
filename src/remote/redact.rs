//! Removes secrets from messages of the host and the server, which may quote URLs and headers.

/// The length, in bytes, at which a message is cut off.
const MAX_LENGTH: usize = 1000;

/// Reduces each URL in `message` to its origin, and removes queries, `secret`, and whatever follows "Bearer".
pub(super) fn redact(message: &str, secret: &str) -> String {
    let mut redacted = String::new();
    let mut is_token = false;
    for word in message.split_ascii_whitespace() {
        if !redacted.is_empty() {
            redacted.push(' ');
        }
        let kept = match find(word, "://") {
            _ if is_token || (!secret.is_empty() && find(word, secret).is_some()) => 0,
            // Characters before the URL, such as a quotation mark, are kept; characters after it are removed with it.
            Some(scheme) => {
                let host = word.bytes().skip(scheme + 3);
                scheme + 3 + host.take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')).count()
            }
            None if find(word, "=").is_some() => find(word, "?").unwrap_or(word.len()),
            None => word.len(),
        };
        let kept = kept.min(MAX_LENGTH);
        is_token = word.ends_with("Bearer");
        redacted.push_str(word.get(..kept).unwrap_or_default());
        if kept < word.len() || redacted.len() > MAX_LENGTH {
            redacted.push('…');
        }
        if redacted.len() > MAX_LENGTH {
            break;
        }
    }
    redacted
}

fn find(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len()).position(|window| window == part.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn urls_are_reduced_to_their_origin() {
        assert_eq!(
            redact("GET \"https://a.example:1/b/c?signature=x\" failed, see http://b#d or http://c", ""),
            "GET \"https://a.example:1… failed, see http://b… or http://c"
        );
        assert_eq!(redact("Failed to fetch", ""), "Failed to fetch");
        assert_eq!(redact("an ä://ö?ü here", ""), "an ä://ö… here");
    }

    #[test]
    fn long_words_are_cut_off() {
        let redacted = redact(&"ä".repeat(1_000_000), "");
        assert!(redacted.len() < 1100 && redacted.ends_with("ä…"), "{} bytes", redacted.len());
    }

    #[test]
    fn secrets_are_removed() {
        assert_eq!(redact("The key fp_1 is invalid", "fp_1"), "The key … is invalid");
        assert_eq!(redact("Headers: \"Bearer fp_1\" is invalid", ""), "Headers: \"Bearer … is invalid");
        assert_eq!(redact("/v1/files/a?signature=b is over, is it?", ""), "/v1/files/a… is over, is it?");
    }
}
