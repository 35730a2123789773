//! Who is at the other end, with or without a proxy between.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

/// The other end of a connection; an extension of each request.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// It is a proxy whose `X-Forwarded-*` can be believed.
    pub trusted: bool,
    /// The connection is HTTPS, or plain HTTP is allowed to everyone.
    pub secure: bool,
    /// The client has its share of requests already, all through proxies: this one is refused.
    pub over_limit: bool,
}

impl Peer {
    /// Whether the client itself came by HTTPS, as far as is known.
    pub fn is_https(&self, headers: &HeaderMap) -> bool {
        let forwarded = || last(headers, "x-forwarded-proto");
        self.secure
            || (self.trusted && forwarded().is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")))
    }

    /// The address of the client: the one that the trusted proxy saw, else the other end. What stands further left in
    /// `X-Forwarded-For` was written by the client and proves nothing.
    pub fn client(&self, headers: &HeaderMap) -> IpAddr {
        let forwarded = || last(headers, "x-forwarded-for")?.parse().ok();
        if self.trusted { forwarded().unwrap_or(self.address.ip()) } else { self.address.ip() }
    }
}

/// The last item of a header that is a list.
fn last<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get_all(name).iter().next_back()?.to_str().ok()?.rsplit(',').next().map(str::trim)
}
