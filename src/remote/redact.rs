//! Takes what must not be read out of the words of others: hosts quote addresses and headers in their errors.

/// About as many bytes as are read of what may be megabytes.
const LONGEST: usize = 1000;

/// `words` with each address cut down to its origin, without queries, and without `secret` or what stands behind "Bearer".
pub(super) fn redact(words: &str, secret: &str) -> String {
    let mut clean = String::new();
    let mut is_token = false;
    for word in words.split_ascii_whitespace() {
        if !clean.is_empty() {
            clean.push(' ');
        }
        let kept = match find(word, "://") {
            _ if is_token || (!secret.is_empty() && find(word, secret).is_some()) => 0,
            // What stands before an address (a quotation mark, a bracket) is no part of it; what stands behind it goes with it.
            Some(scheme) => {
                let host = word.bytes().skip(scheme + 3);
                scheme + 3 + host.take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')).count()
            }
            None if find(word, "=").is_some() => find(word, "?").unwrap_or(word.len()),
            None => word.len(),
        };
        let kept = kept.min(LONGEST);
        is_token = word.ends_with("Bearer");
        clean.push_str(word.get(..kept).unwrap_or_default());
        if kept < word.len() || clean.len() > LONGEST {
            clean.push('…');
        }
        if clean.len() > LONGEST {
            break;
        }
    }
    clean
}

fn find(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len()).position(|window| window == part.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn addresses_keep_their_origin_alone() {
        assert_eq!(
            redact("GET \"https://a.example:1/b/c?signature=x\" failed, see http://b#d or http://c", ""),
            "GET \"https://a.example:1… failed, see http://b… or http://c"
        );
        assert_eq!(redact("Failed to fetch", ""), "Failed to fetch");
        assert_eq!(redact("an ä://ö?ü here", ""), "an ä://ö… here");
    }

    #[test]
    fn a_word_without_end_is_cut_off() {
        let clean = redact(&"ä".repeat(1_000_000), "");
        assert!(clean.len() < 1100 && clean.ends_with("ä…"), "{} bytes", clean.len());
    }

    #[test]
    fn the_secret_goes() {
        assert_eq!(redact("The key fp_1 is invalid", "fp_1"), "The key … is invalid");
        assert_eq!(redact("Headers: \"Bearer fp_1\" is invalid", ""), "Headers: \"Bearer … is invalid");
        assert_eq!(redact("/v1/files/a?signature=b is over, is it?", ""), "/v1/files/a… is over, is it?");
    }
}
