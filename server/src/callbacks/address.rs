//! Which addresses a callback may be sent to (RFC 6890 and IANA's registries of special-purpose addresses, IPv4 and IPv6).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Somewhere in the Internet.
    Public,
    /// This machine or a private network: loopback, private use, shared address space, unique local.
    Private,
    /// Nowhere that may ever be called: services of cloud providers that give away credentials, link-local, multicast, reserved,
    /// documentation, and IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo).
    Never,
}

/// Services that answer every program on a machine of a cloud provider, and are not link-local: Azure, Alibaba Cloud.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(100, 100, 100, 200)];
/// The same: AWS, Google Cloud.
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

impl Reach {
    /// Where this address leads.
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        if METADATA_V4.contains(&address) {
            return Self::Never;
        }
        match address.octets() {
            [127, ..] | [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Self::Private,
            // This network, link-local, protocol assignments, 6to4 relays, benchmarks.
            [0, ..] | [169, 254, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..] => Self::Never,
            // Documentation.
            [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Self::Never,
            // Multicast, reserved, broadcast.
            [224..=255, ..] => Self::Never,
            _ => Self::Public,
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        if METADATA_V6.contains(&address) {
            return Self::Never;
        }
        match address.segments() {
            [0, 0, 0, 0, 0, 0, 0, 1] | [0xfc00..=0xfdff, ..] => Self::Private,
            // Protocol assignments with Teredo, documentation, 6to4.
            [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => {
                Self::Never
            }
            // Global unicast is what is assigned of it; all else is special, reserved or has IPv4 in it.
            [0x2000..=0x3fff, ..] => Self::Public,
            _ => Self::Never,
        }
    }

    /// Whether a URL may lead there. `http:` is for private networks only: what is sent has links to the files.
    pub fn is_allowed(self, is_https: bool, allow_private: bool) -> bool {
        match self {
            Self::Public => is_https,
            Self::Private => allow_private,
            Self::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reach::{self, Never, Private, Public};

    #[test]
    fn addresses_lead_where_the_registries_say() {
        for (address, expected) in [
            ("1.1.1.1", Public),
            ("9.255.255.255", Public),
            ("11.0.0.0", Public),
            ("100.63.255.255", Public),
            ("100.128.0.0", Public),
            ("172.15.255.255", Public),
            ("172.32.0.0", Public),
            ("192.167.255.255", Public),
            ("223.255.255.255", Public),
            ("2606:4700:4700::1111", Public),
            ("2001:200::1", Public),
            ("3fff:1000::1", Public),
            ("10.0.0.0", Private),
            ("10.255.255.255", Private),
            ("100.64.0.1", Private),
            ("127.0.0.1", Private),
            ("127.255.255.255", Private),
            ("172.16.0.1", Private),
            ("172.31.255.255", Private),
            ("192.168.0.1", Private),
            ("::1", Private),
            ("fc00::1", Private),
            ("fdff::1", Private),
            ("0.0.0.0", Never),
            ("100.100.100.200", Never),
            ("168.63.129.16", Never),
            ("169.254.169.254", Never),
            ("192.0.0.192", Never),
            ("192.0.2.1", Never),
            ("192.88.99.1", Never),
            ("198.18.0.1", Never),
            ("198.51.100.1", Never),
            ("203.0.113.1", Never),
            ("224.0.0.1", Never),
            ("240.0.0.1", Never),
            ("255.255.255.255", Never),
            ("::", Never),
            ("::7f00:1", Never),
            ("::ffff:127.0.0.1", Never),
            ("::ffff:1.1.1.1", Never),
            ("64:ff9b::10.0.0.1", Never),
            ("64:ff9b:1::10.0.0.1", Never),
            ("100::1", Never),
            ("2001::1", Never),
            ("2001:db8::1", Never),
            ("2002:a00:1::1", Never),
            ("3fff::1", Never),
            ("4000::1", Never),
            ("5f00::1", Never),
            ("fd00:ec2::254", Never),
            ("fd20:ce::254", Never),
            ("fe80::1", Never),
            ("fec0::1", Never),
            ("ff02::1", Never),
        ] {
            assert_eq!(Reach::of(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn plain_http_is_for_private_networks_that_are_allowed() {
        for (reach, is_https, allow_private, expected) in [
            (Public, true, false, true),
            (Public, true, true, true),
            (Public, false, true, false),
            (Private, true, false, false),
            (Private, false, false, false),
            (Private, true, true, true),
            (Private, false, true, true),
            (Never, true, true, false),
        ] {
            assert_eq!(
                reach.is_allowed(is_https, allow_private),
                expected,
                "{reach:?} {is_https} {allow_private}"
            );
        }
    }
}
