//! XML as a list of tokens (XML 1.0, fifth edition), each a slice of the text, for checking hostile markup and for
//! minifying it. References are not resolved, and nesting needs no memory.

/// A token. All tokens in sequence are the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `<?target data?>`, including the XML declaration: the text between the marks.
    Instruction(&'a str),
    /// `<!-- … -->`, complete.
    Comment(&'a str),
    /// `<!DOCTYPE … >`, complete.
    Doctype(&'a str),
    /// `<![CDATA[ … ]]>`: the text between the marks.
    Cdata(&'a str),
    /// `<name attributes>` or `<name attributes/>`.
    Start {
        /// With its prefix.
        name: &'a str,
        /// Unparsed, for [`attributes`].
        attributes: &'a str,
        /// Whether there is no content and no end tag.
        empty: bool,
    },
    /// `</name>`.
    End(&'a str),
    /// Other text, with its references.
    Text(&'a str),
}

/// The tokens of a text. A syntax error gives an error, then the end.
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

/// The markup is not well-formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Reads a text from its start.
pub(crate) fn tokens(text: &str) -> Tokens<'_> {
    Tokens { rest: text.strip_prefix('\u{feff}').unwrap_or(text) }
}

impl<'a> Tokens<'a> {
    /// The rest of the text.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    fn token(&mut self) -> Option<Token<'a>> {
        if let Some(inside) = self.rest.strip_prefix("<!--") {
            let length = inside.find("-->")? + 7;
            return self.take(length).map(Token::Comment);
        }
        if let Some(inside) = self.rest.strip_prefix("<![CDATA[") {
            let data = inside.get(..inside.find("]]>")?)?;
            self.take(data.len() + 12)?;
            return Some(Token::Cdata(data));
        }
        if let Some(inside) = self.rest.strip_prefix("<?") {
            let data = inside.get(..inside.find("?>")?)?;
            self.take(data.len() + 4)?;
            return Some(Token::Instruction(data));
        }
        if self.rest.starts_with("<!DOCTYPE") {
            let length = doctype_length(self.rest)?;
            return self.take(length).map(Token::Doctype);
        }
        if let Some(inside) = self.rest.strip_prefix("</") {
            let length = inside.find('>')?;
            let name = inside.get(..length)?.trim_end_matches(is_space);
            self.take(length + 3)?;
            return Some(Token::End(name));
        }
        match self.rest.strip_prefix('<') {
            Some(inside) => self.start(inside),
            None => {
                let length = self.rest.find('<').unwrap_or(self.rest.len());
                self.take(length).map(Token::Text)
            }
        }
    }

    fn start(&mut self, inside: &'a str) -> Option<Token<'a>> {
        let length = unquoted(inside, b'>')?;
        let tag = inside.get(..length)?;
        self.take(length + 2)?;
        let (tag, empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, attributes) = tag.split_at(tag.find(is_space).unwrap_or(tag.len()));
        (!name.is_empty()).then_some(Token::Start { name, attributes, empty })
    }

    fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let token = self.token();
        if token.is_none() {
            self.rest = "";
        }
        Some(token.ok_or(Malformed))
    }
}

/// Names, values and the quotation marks around them. A syntax error gives an error, then the end.
pub(crate) fn attributes(text: &str) -> impl Iterator<Item = Result<(&str, &str, char), Malformed>> {
    let mut rest = text.trim_start_matches(is_space);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let read = attribute(rest);
        rest = read.map_or("", |(_, rest)| rest);
        Some(read.map(|(attribute, _)| attribute).ok_or(Malformed))
    })
}

fn attribute(text: &str) -> Option<((&str, &str, char), &str)> {
    let (name, rest) = text.split_once('=')?;
    let rest = rest.trim_start_matches(is_space);
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (value, rest) = rest.get(1..)?.split_once(quote)?;
    let name = name.trim_end_matches(is_space);
    (!name.contains(is_space)).then_some(((name, value, quote), rest.trim_start_matches(is_space)))
}

/// White space of XML (§2.3).
pub(crate) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// The names of entities that a text uses, except predefined entities and character references.
pub(crate) fn entities(text: &str) -> impl Iterator<Item = &str> {
    text.split('&').skip(1).filter_map(|rest| {
        let name = rest.split(';').next()?;
        let own = name.starts_with('#') || matches!(name, "amp" | "lt" | "gt" | "quot" | "apos");
        (!own).then_some(name)
    })
}

/// The entities that a document type declares: names and values, unparsed.
pub(crate) fn declared_entities(doctype: &str) -> impl Iterator<Item = (&str, &str)> {
    doctype.split("<!ENTITY").skip(1).filter_map(|declaration| {
        let (name, rest) = declaration.trim_start_matches(is_space).split_once(is_space)?;
        let (_, rest) = rest.split_at_checked(rest.find(['"', '\''])?)?;
        let quote = rest.chars().next()?;
        Some((name, rest.get(1..)?.split(quote).next()?))
    })
}

/// The length of a document type in bytes. Quotation marks count only outside of comments and processing instructions
/// (§2.8).
fn doctype_length(text: &str) -> Option<usize> {
    const OPEN: usize = "<!DOCTYPE".len();
    let head = text.get(OPEN..)?;
    let close = unquoted(head, b'>')?;
    let subset = match unquoted(head, b'[') {
        Some(subset) if subset < close => OPEN + subset + 1,
        _ => return Some(OPEN + close + 1),
    };
    let mut at = subset;
    loop {
        let rest = text.get(at..)?;
        let inside = rest.trim_start_matches(is_space);
        at += rest.len() - inside.len();
        at += match inside {
            _ if inside.starts_with("<!--") => inside.get(4..)?.find("-->")? + 7,
            _ if inside.starts_with("<?") => inside.find("?>")? + 2,
            _ if inside.starts_with("<!ENTITY") => unquoted(inside, b'>')? + 1,
            _ if inside.starts_with("<!") => inside.find('>')? + 1,
            _ if inside.starts_with(']') => {
                let end = inside.get(1..)?.trim_start_matches(is_space);
                return end.starts_with('>').then_some(text.len() - end.len() + 1);
            }
            _ => return None,
        };
    }
}

/// The first position of `wanted` outside of quotation marks.
fn unquoted(text: &str, wanted: u8) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            Some(_) => {}
            None if byte == wanted => return true,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None => {}
        }
        false
    })
}
