//! The peer of a connection: a client or a trusted proxy; and the client of a request.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

/// The peer of a connection; an extension of each request.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// The address of the client whose request it is: the peer's, or what a trusted proxy says.
    pub client: IpAddr,
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
        let forwarded = || from_the_last(headers, "x-forwarded-proto").next();
        self.secure
            || (self.trusted && forwarded().is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")))
    }

    /// The address of the client of a request with these headers. Each proxy appends to `X-Forwarded-For` who connected to it, so an
    /// entry is true if trusted proxies wrote all that follow it. What stands before the first address that is no proxy's, the client
    /// may have written itself.
    pub fn client_of(&self, headers: &HeaderMap, is_trusted: impl Fn(IpAddr) -> bool) -> IpAddr {
        let mut client = self.address.ip();
        if !self.trusted {
            return client;
        }
        for entry in from_the_last(headers, "x-forwarded-for") {
            let Some(address) = parse_address(entry) else { break };
            client = address;
            if !is_trusted(address) {
                break;
            }
        }
        client
    }
}

/// The address in an entry of `X-Forwarded-For`. Some proxies append the port.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let bracketed = || entry.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    entry.parse().ok().or_else(with_port).or_else(bracketed)
}

/// The items of a list header, the last one first. A line that is not ASCII is one empty item.
fn from_the_last<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).iter().rev();
    lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(',').map(str::trim))
}
