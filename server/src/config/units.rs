//! Settings with units, as text: `90s`, `48h`, `2GiB`, `10.0.0.0/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

const SPANS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 24 * 3_600_000)];

const SIZES: [(&str, u64); 9] = [
    ("", 1),
    ("B", 1),
    ("kB", 1_000),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// A time: a whole number and `ms`, `s`, `m`, `h` or `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "Text")]
pub(crate) struct Span(pub(crate) Duration);

/// Bytes: a whole number and none, `kB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "Text")]
pub(crate) struct Size(pub(crate) u64);

/// Addresses: one, or a prefix as in `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "Text")]
pub(crate) struct Network(pub(crate) IpNet);

/// A value in a file, where a number needs no quotes.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    Number(u64),
    Text(String),
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let milliseconds =
            number(text, &SPANS).ok_or_else(|| format!("{text:?} is no time such as 90s or 48h"))?;
        Ok(Self(Duration::from_millis(milliseconds)))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, &SIZES).map(Self).ok_or_else(|| format!("{text:?} is no size such as 500MB or 2GiB"))
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = text.parse::<IpAddr>().map(IpNet::from);
        let network = address.or_else(|_| text.parse::<IpNet>());
        network.map(Self).map_err(|_| format!("{text:?} is no address such as 10.0.0.7 or 10.0.0.0/8"))
    }
}

fn number(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = units.iter().find(|(name, _)| *name == unit.trim_start())?.1;
    number.parse::<u64>().ok()?.checked_mul(factor)
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}ms", self.0.as_millis())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        span.0
    }
}

impl From<Size> for u64 {
    fn from(size: Size) -> Self {
        size.0
    }
}

macro_rules! as_text {
    ($($unit:ident)+) => {$(
        impl From<$unit> for String {
            fn from(value: $unit) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<Text> for $unit {
            type Error = String;

            fn try_from(text: Text) -> Result<Self, String> {
                match text {
                    Text::Number(number) => number.to_string().parse(),
                    Text::Text(text) => text.parse(),
                }
            }
        }
    )+};
}

as_text! { Span Size Network }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read() {
        assert_eq!("90s".parse(), Ok(Span(Duration::from_secs(90))));
        assert_eq!("48h".parse(), Ok(Span(Duration::from_secs(48 * 3600))));
        assert_eq!("250 ms".parse(), Ok(Span(Duration::from_millis(250))));
        assert_eq!("2GiB".parse(), Ok(Size(2 << 30)));
        assert_eq!("1500".parse(), Ok(Size(1500)));
        assert_eq!("::1".parse::<Network>().map(|network| network.to_string()), Ok("::1/128".to_owned()));
    }

    #[test]
    fn what_is_no_unit_is_refused() {
        for text in ["", "s", "5", "-5s", "5 weeks", "99999999999999999999s", "18446744073709551615d"] {
            assert!(text.parse::<Span>().is_err(), "{text:?}");
        }
        for text in ["", "GiB", "1.5GiB", "5s", "18446744073709551615GiB"] {
            assert!(text.parse::<Size>().is_err(), "{text:?}");
        }
        assert!("proxy.local".parse::<Network>().is_err());
    }
}
