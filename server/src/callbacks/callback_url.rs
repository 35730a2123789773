//! The URL of a callback, as a client gives it (WHATWG URL, which also reads `0x7f.1` as the address that it means).

use std::net::IpAddr;

use url::{Host, Url};

use super::Reach;

/// The most bytes of a URL.
pub const MAX_URL_LENGTH: usize = 2048;

/// A URL that may be called, as far as can be seen from it. A name may still lead to an address that is refused.
#[derive(Clone, PartialEq, Eq)]
pub struct CallbackUrl(Url);

/// Why a URL is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// It is not an absolute `https:` or `http:` URL with a host, is too long, or has a part that it must not have.
    #[error(
        "must be an absolute https URL of at most {MAX_URL_LENGTH} bytes, without a user, a password and a fragment"
    )]
    Malformed,
    /// `http:`, and private networks are not allowed.
    #[error("must begin with https:")]
    NotHttps,
    /// Its address, or `localhost`, is not allowed.
    #[error("must not lead to a private or special address")]
    Address,
}

impl CallbackUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// [`UrlError`]
    pub fn parse(text: &str, allow_private: bool) -> Result<Self, UrlError> {
        if text.len() > MAX_URL_LENGTH {
            return Err(UrlError::Malformed);
        }
        let url = Url::parse(text).map_err(|_| UrlError::Malformed)?;
        let is_web = ["https", "http"].contains(&url.scheme());
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        if !is_web
            || !is_plain
            || url.as_str().len() > MAX_URL_LENGTH
            || url.port_or_known_default() == Some(0)
        {
            return Err(UrlError::Malformed);
        }
        let parsed = Self(url);
        if !parsed.is_https() && !allow_private {
            return Err(UrlError::NotHttps);
        }
        let reach = match parsed.0.host() {
            None => return Err(UrlError::Malformed),
            Some(Host::Ipv4(address)) => Some(Reach::of(address.into())),
            Some(Host::Ipv6(address)) => Some(Reach::of(address.into())),
            // RFC 6761: these names are always this machine.
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                (name == "localhost" || name.ends_with(".localhost")).then_some(Reach::Private)
            }
        };
        match reach.is_none_or(|reach| reach.is_allowed(parsed.is_https(), allow_private)) {
            true => Ok(parsed),
            false => Err(UrlError::Address),
        }
    }

    /// The URL in its normal form.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The name to resolve, without the brackets of an IPv6 address.
    pub(super) fn name(&self) -> &str {
        let host = self.0.host_str().unwrap_or_default();
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    /// The address, if the host is one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(_) => None,
        }
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(443)
    }

    /// The host and, unless it is the default one, the port: the value of `Host`.
    pub(super) fn authority(&self) -> &str {
        self.0.authority()
    }

    /// The path and the query: the target of the request.
    pub(super) fn target(&self) -> &str {
        &self.0[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// The host, which may be logged. Path and query may have secrets in them.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

impl std::fmt::Debug for CallbackUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "CallbackUrl({}…)", self.host())
    }
}

#[cfg(test)]
mod tests {
    use super::{CallbackUrl, MAX_URL_LENGTH, UrlError};

    #[test]
    fn urls_are_allowed_or_refused() {
        use UrlError::{Address, Malformed, NotHttps};
        let long = format!("https://example.org/{}", "a".repeat(MAX_URL_LENGTH));
        for (url, strictly, with_private) in [
            ("https://example.org/hook?token=1", Ok(()), Ok(())),
            ("https://1.1.1.1:8443/", Ok(()), Ok(())),
            ("https://[2606:4700:4700::1111]/", Ok(()), Ok(())),
            ("http://example.org/", Err(NotHttps), Ok(())),
            ("http://1.1.1.1/", Err(NotHttps), Err(Address)),
            ("http://10.0.0.1/", Err(NotHttps), Ok(())),
            ("https://10.0.0.1/", Err(Address), Ok(())),
            ("https://0x7f.1/", Err(Address), Ok(())),
            ("https://2130706433/", Err(Address), Ok(())),
            ("https://0177.0.0.1/", Err(Address), Ok(())),
            ("https://127。0。0。1/", Err(Address), Ok(())),
            ("https://[::1]/", Err(Address), Ok(())),
            ("https://localhost/", Err(Address), Ok(())),
            ("https://LOCALHOST./", Err(Address), Ok(())),
            ("https://a.localhost/", Err(Address), Ok(())),
            ("https://169.254.169.254/latest", Err(Address), Err(Address)),
            ("https://[::ffff:10.0.0.1]/", Err(Address), Err(Address)),
            ("https://[64:ff9b::a00:1]/", Err(Address), Err(Address)),
            ("https://0.0.0.0/", Err(Address), Err(Address)),
            ("https://user@example.org/", Err(Malformed), Err(Malformed)),
            ("https://:pass@example.org/", Err(Malformed), Err(Malformed)),
            ("https://example.org/#part", Err(Malformed), Err(Malformed)),
            ("https://example.org:0/", Err(Malformed), Err(Malformed)),
            ("ftp://example.org/", Err(Malformed), Err(Malformed)),
            ("file:///etc/passwd", Err(Malformed), Err(Malformed)),
            ("//example.org/", Err(Malformed), Err(Malformed)),
            ("https://", Err(Malformed), Err(Malformed)),
            ("", Err(Malformed), Err(Malformed)),
            (&long, Err(Malformed), Err(Malformed)),
        ] {
            assert_eq!(CallbackUrl::parse(url, false).map(drop), strictly, "{url}");
            assert_eq!(CallbackUrl::parse(url, true).map(drop), with_private, "{url}");
        }
    }

    #[test]
    fn only_the_host_is_shown() {
        let url = CallbackUrl::parse("https://example.org:8443/secret?token=secret", false).unwrap();
        assert_eq!(format!("{url:?}"), "CallbackUrl(example.org…)");
        assert_eq!((url.authority(), url.target()), ("example.org:8443", "/secret?token=secret"));
        let line = CallbackUrl::parse("https://example.org/a\r\nX-Header: 1", false).unwrap();
        assert_eq!(line.target(), "/aX-Header:%201");
    }
}
