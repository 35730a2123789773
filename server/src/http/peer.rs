//! The peer of a connection: a client or a trusted proxy.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

/// The peer of a connection; an extension of each request.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// It is a proxy whose `X-Forwarded-*` headers are trusted.
    pub trusted: bool,
    /// The connection uses HTTPS, or plain HTTP is allowed for everyone.
    pub secure: bool,
    /// The client behind a trusted proxy has reached its limit of concurrent requests; this one is refused.
    pub over_limit: bool,
}

impl Peer {
    /// Whether the client used HTTPS, directly or to the trusted proxy.
    pub fn is_https(&self, headers: &HeaderMap) -> bool {
        let forwarded = || last(headers, "x-forwarded-proto");
        self.secure
            || (self.trusted && forwarded().is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")))
    }

    /// The address of the client: the last entry of `X-Forwarded-For` from a trusted proxy, else the peer's address. The client
    /// itself may have written the earlier entries, so they are ignored.
    pub fn client(&self, headers: &HeaderMap) -> IpAddr {
        let forwarded = || last(headers, "x-forwarded-for")?.parse().ok();
        if self.trusted { forwarded().unwrap_or(self.address.ip()) } else { self.address.ip() }
    }
}

/// The last item of a list header.
fn last<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get_all(name).iter().next_back()?.to_str().ok()?.rsplit(',').next().map(str::trim)
}
