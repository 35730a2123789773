//! A lexer of content streams (ISO 32000-1, 7.8.2), limited to what determines the placement of images.

/// An operand or an operator.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    /// A name without its slash, with `#xx` decoded.
    Name(String),
    Operator(&'a [u8]),
    /// A string, or a delimiter of an array or a dictionary.
    Other,
}

/// Reads tokens; skips malformed input.
pub(super) struct Lexer<'a>(&'a [u8]);

impl<'a> Lexer<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        Self(content)
    }

    /// Takes bytes while a condition holds.
    fn take(&mut self, holds: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.0.iter().position(|byte| !holds(*byte)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    /// Skips to after the `)` that closes a string.
    fn skip_string(&mut self) {
        let mut depth = 0_u64;
        while let [byte, rest @ ..] = self.0 {
            self.0 = rest;
            match byte {
                b'\\' => self.0 = rest.get(1..).unwrap_or_default(),
                b'(' => depth += 1,
                b')' if depth <= 1 => return,
                b')' => depth -= 1,
                _ => {}
            }
        }
    }

    /// Skips to after the `EI` that ends an inline image, after its `ID`. An `EI` within the image data is recognized by the binary
    /// bytes that follow.
    fn skip_image(&mut self) {
        let bytes = self.0;
        for at in 1..bytes.len().saturating_sub(1) {
            if &bytes[at..at + 2] != b"EI" || !is_space(bytes[at - 1]) {
                continue;
            }
            let after = &bytes[at + 2..];
            let is_text = after.iter().take(16).all(|byte| byte.is_ascii_graphic() || is_space(*byte));
            if is_text && after.first().is_none_or(|byte| is_space(*byte)) {
                self.0 = after;
                return;
            }
        }
        self.0 = &[];
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.take(is_space);
        let first = *self.0.first()?;
        Some(match first {
            b'%' => {
                self.take(|byte| byte != b'\n' && byte != b'\r');
                return self.next_after_comment();
            }
            b'/' => {
                self.0 = &self.0[1..];
                Token::Name(name(self.take(is_regular)))
            }
            b'(' => {
                self.skip_string();
                Token::Other
            }
            b'<' if self.0.get(1) != Some(&b'<') => {
                self.take(|byte| byte != b'>');
                self.0 = self.0.get(1..).unwrap_or_default();
                Token::Other
            }
            _ if is_regular(first) => {
                let word = self.take(is_regular);
                if word == b"ID" {
                    self.skip_image();
                }
                match number(word) {
                    Some(number) => Token::Number(number),
                    None => Token::Operator(word),
                }
            }
            _ => {
                self.0 = &self.0[1..];
                Token::Other
            }
        })
    }
}

impl<'a> Lexer<'a> {
    /// Skips comments, which count as white space.
    fn next_after_comment(&mut self) -> Option<Token<'a>> {
        while self.0.first().is_some_and(|byte| is_space(*byte) || *byte == b'%') {
            self.take(is_space);
            if self.0.first() == Some(&b'%') {
                self.take(|byte| byte != b'\n' && byte != b'\r');
            }
        }
        self.next()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

fn number(word: &[u8]) -> Option<f64> {
    let starts = word.first().is_some_and(|byte| byte.is_ascii_digit() || b"+-.".contains(byte));
    let plain = word.iter().skip(1).all(|byte| byte.is_ascii_digit() || *byte == b'.');
    (starts && plain).then(|| std::str::from_utf8(word).ok()?.parse().ok()).flatten()
}

fn name(raw: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [byte, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (byte, digit(0), digit(1)) {
            (b'#', Some(high), Some(low)) => {
                bytes.push((high << 4 | low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
