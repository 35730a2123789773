//! Addresses: that of the service, and those that it sends. Every one is looked at before anything goes there.

use std::fmt;

/// A web address that requests may go to: `https`, or `http` on loopback, without a user's name in it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    text: String,
    /// Where scheme, host and port end.
    origin: usize,
}

/// Why a text is no [`Address`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidAddress {
    /// Not of the form `scheme://host…`, or with characters that no address has.
    Malformed,
    /// Neither `https`, nor `http` on loopback.
    Insecure,
    /// It has a user's name or password in it, which would be sent along.
    UserInfo,
}

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Address {
    /// Reads an absolute address, in the form that URL parsers write.
    ///
    /// # Errors
    /// See [`InvalidAddress`].
    pub fn parse(text: &str) -> Result<Self, InvalidAddress> {
        let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'<' | b'>' | b'`');
        if !text.bytes().all(plain) {
            return Err(InvalidAddress::Malformed);
        }
        let (scheme, rest) = text.split_once(':').ok_or(InvalidAddress::Malformed)?;
        let rest = rest.strip_prefix("//").ok_or(InvalidAddress::Malformed)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(InvalidAddress::UserInfo);
        }
        let is_secure = match scheme {
            "https" => true,
            "http" => LOOPBACK.contains(&host(authority)),
            _ => return Err(InvalidAddress::Insecure),
        };
        if authority.is_empty() {
            return Err(InvalidAddress::Malformed);
        }
        if !is_secure {
            return Err(InvalidAddress::Insecure);
        }
        Ok(Self { text: text.to_owned(), origin: scheme.len() + "://".len() + authority.len() })
    }

    /// The whole.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        self.text.get(..self.origin).unwrap_or_default()
    }

    /// The address of `path`, which begins with a slash, behind this one.
    pub(super) fn at(&self, path: &str) -> String {
        let before = self.text.split(['?', '#']).next().unwrap_or_default();
        before.trim_end_matches('/').to_owned() + path
    }

    /// Whether both have the same scheme, host and port, however these are written (RFC 3986, section 6.2).
    pub(super) fn is_of_origin(&self, other: &Self) -> bool {
        let normal = |address: &Self| {
            let origin = address.origin().to_ascii_lowercase();
            let port = if origin.starts_with("https:") { ":443" } else { ":80" };
            origin.strip_suffix(port).map(str::to_owned).unwrap_or(origin)
        };
        normal(self) == normal(other)
    }

    /// Where a link of an answer from here leads: absolute, or from the root of this origin. From `https` no link leads to the
    /// caller's own machine.
    pub(super) fn follow(&self, link: &str) -> Result<Self, InvalidAddress> {
        let address = match link.strip_prefix('/') {
            Some(rest) if !rest.starts_with('/') => Self::parse(&(self.origin().to_owned() + link)),
            _ => Self::parse(link),
        }?;
        match self.text.starts_with("https:") && !address.text.starts_with("https:") {
            true => Err(InvalidAddress::Insecure),
            false => Ok(address),
        }
    }
}

/// Without the port.
fn host(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Only the origin: what follows it may be signed.
impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_addresses_are_taken() {
        for text in [
            "https://a.example",
            "https://a.example:8443/x?y=z",
            "http://localhost:1/",
            "http://127.0.0.1",
            "http://[::1]:9/p",
        ] {
            assert_eq!(Address::parse(text).map(|address| address.text), Ok(text.to_owned()));
        }
        for (text, why) in [
            ("http://a.example/", InvalidAddress::Insecure),
            ("http://localhost.example/", InvalidAddress::Insecure),
            ("http://127.0.0.1.example/", InvalidAddress::Insecure),
            ("javascript://a/%0aalert(1)", InvalidAddress::Insecure),
            ("file:///etc/passwd", InvalidAddress::Insecure),
            ("https://user@a.example/", InvalidAddress::UserInfo),
            ("http://localhost:80@a.example/", InvalidAddress::UserInfo),
            ("https:///path", InvalidAddress::Malformed),
            ("https://a.example\\@b/", InvalidAddress::Malformed),
            ("https://a example/", InvalidAddress::Malformed),
            ("data:text/plain,x", InvalidAddress::Malformed),
            ("", InvalidAddress::Malformed),
        ] {
            assert_eq!(Address::parse(text), Err(why), "{text}");
        }
    }

    #[test]
    fn paths_stand_behind_the_base() {
        let at = |base: &str| Address::parse(base).map(|address| address.at("/v1/files"));
        assert_eq!(at("https://a.example"), Ok("https://a.example/v1/files".to_owned()));
        assert_eq!(at("https://a.example/api/?x=1"), Ok("https://a.example/api/v1/files".to_owned()));
    }

    #[test]
    fn links_may_begin_at_the_root() {
        let base = Address::parse("https://a.example/api").expect("an address");
        let follow = |link: &str| base.follow(link).map(|address| address.text);
        assert_eq!(follow("/v1/files?page"), Ok("https://a.example/v1/files?page".to_owned()));
        assert_eq!(follow("https://b.example/x"), Ok("https://b.example/x".to_owned()));
        assert_eq!(follow("//b.example/x"), Err(InvalidAddress::Malformed));
    }

    #[test]
    fn what_is_printed_has_no_signature() {
        let address = Address::parse("https://a.example/b?signature=secret").expect("an address");
        assert_eq!(format!("{address:?}"), "https://a.example");
    }
}
