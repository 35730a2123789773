//! Validated URLs: that of the server, and those in its responses. Every URL is checked before a request is sent to it.

use std::fmt;

/// An absolute URL that requests may be sent to: `https`, or `http` on loopback, without user information.
#[derive(Clone, PartialEq, Eq)]
pub struct Url {
    text: String,
    /// The length of scheme, host and port.
    origin_length: usize,
}

/// Why a string is not a [`Url`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidUrl {
    /// Not of the form `scheme://host…`, or with characters that are not allowed in a URL.
    Malformed,
    /// Neither `https`, nor `http` on loopback.
    Insecure,
    /// It contains a user name or a password, which would be sent along.
    UserInfo,
}

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Url {
    /// Parses an absolute URL, as serialized by the WHATWG URL Standard.
    ///
    /// # Errors
    /// See [`InvalidUrl`].
    pub fn parse(text: &str) -> Result<Self, InvalidUrl> {
        let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'<' | b'>' | b'`');
        if !text.bytes().all(plain) {
            return Err(InvalidUrl::Malformed);
        }
        let (scheme, rest) = text.split_once(':').ok_or(InvalidUrl::Malformed)?;
        let rest = rest.strip_prefix("//").ok_or(InvalidUrl::Malformed)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(InvalidUrl::UserInfo);
        }
        let is_secure = match scheme {
            "https" => true,
            "http" => LOOPBACK.contains(&host(authority)),
            _ => return Err(InvalidUrl::Insecure),
        };
        if authority.is_empty() {
            return Err(InvalidUrl::Malformed);
        }
        if !is_secure {
            return Err(InvalidUrl::Insecure);
        }
        Ok(Self { text: text.to_owned(), origin_length: scheme.len() + "://".len() + authority.len() })
    }

    /// The whole URL.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        self.text.get(..self.origin_length).unwrap_or_default()
    }

    /// Appends `path`, which begins with a slash, to the path of this URL.
    pub(super) fn join(&self, path: &str) -> String {
        let before = self.text.split(['?', '#']).next().unwrap_or_default();
        before.trim_end_matches('/').to_owned() + path
    }

    /// Whether both have the same origin after normalization (RFC 3986, section 6.2).
    pub(super) fn is_same_origin(&self, other: &Self) -> bool {
        let normal = |url: &Self| {
            let origin = url.origin().to_ascii_lowercase();
            let port = if origin.starts_with("https:") { ":443" } else { ":80" };
            origin.strip_suffix(port).map(str::to_owned).unwrap_or(origin)
        };
        normal(self) == normal(other)
    }

    /// Resolves a link of a response: an absolute URL, or a path from the root of this origin. A link from `https` to `http` is
    /// refused, so that a server cannot make the client send requests to loopback.
    pub(super) fn resolve(&self, link: &str) -> Result<Self, InvalidUrl> {
        let url = match link.strip_prefix('/') {
            Some(rest) if !rest.starts_with('/') => Self::parse(&(self.origin().to_owned() + link)),
            _ => Self::parse(link),
        }?;
        match self.text.starts_with("https:") && !url.text.starts_with("https:") {
            true => Err(InvalidUrl::Insecure),
            false => Ok(url),
        }
    }
}

/// The authority without its port.
fn host(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Prints only the origin: the rest of the URL may be signed.
impl fmt::Debug for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_urls_are_accepted() {
        for text in [
            "https://a.example",
            "https://a.example:8443/x?y=z",
            "http://localhost:1/",
            "http://127.0.0.1",
            "http://[::1]:9/p",
        ] {
            assert_eq!(Url::parse(text).map(|url| url.text), Ok(text.to_owned()));
        }
        for (text, why) in [
            ("http://a.example/", InvalidUrl::Insecure),
            ("http://localhost.example/", InvalidUrl::Insecure),
            ("http://127.0.0.1.example/", InvalidUrl::Insecure),
            ("javascript://a/%0aalert(1)", InvalidUrl::Insecure),
            ("file:///etc/passwd", InvalidUrl::Insecure),
            ("https://user@a.example/", InvalidUrl::UserInfo),
            ("http://localhost:80@a.example/", InvalidUrl::UserInfo),
            ("https:///path", InvalidUrl::Malformed),
            ("https://a.example\\@b/", InvalidUrl::Malformed),
            ("https://a example/", InvalidUrl::Malformed),
            ("data:text/plain,x", InvalidUrl::Malformed),
            ("", InvalidUrl::Malformed),
        ] {
            assert_eq!(Url::parse(text), Err(why), "{text}");
        }
    }

    #[test]
    fn paths_are_appended_to_the_base() {
        let join = |base: &str| Url::parse(base).map(|url| url.join("/v1/files"));
        assert_eq!(join("https://a.example"), Ok("https://a.example/v1/files".to_owned()));
        assert_eq!(join("https://a.example/api/?x=1"), Ok("https://a.example/api/v1/files".to_owned()));
    }

    #[test]
    fn links_may_be_relative_to_the_root() {
        let base = Url::parse("https://a.example/api").expect("a URL");
        let resolve = |link: &str| base.resolve(link).map(|url| url.text);
        assert_eq!(resolve("/v1/files?page"), Ok("https://a.example/v1/files?page".to_owned()));
        assert_eq!(resolve("https://b.example/x"), Ok("https://b.example/x".to_owned()));
        assert_eq!(resolve("//b.example/x"), Err(InvalidUrl::Malformed));
    }

    #[test]
    fn debug_output_has_no_signature() {
        let url = Url::parse("https://a.example/b?signature=secret").expect("a URL");
        assert_eq!(format!("{url:?}"), "https://a.example");
    }
}
