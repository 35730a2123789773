//! The network that counts as one client.

use std::net::{IpAddr, Ipv6Addr};

/// An IPv4 address, or the /64 of an IPv6 address: a host usually has a whole /64, so all of its addresses count as one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ClientNetwork(IpAddr);

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_network() {
        let source = |text: &str| ClientNetwork::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(source("192.0.2.1"), source("::ffff:192.0.2.1"));
        assert_ne!(source("192.0.2.1"), source("192.0.2.2"));
        assert_eq!(source("2001:db8:1:2::1"), source("2001:db8:1:2:ffff::9"));
        assert_ne!(source("2001:db8:1:2::1"), source("2001:db8:1:3::1"));
    }
}
