//! Durations, sizes and networks as text: `90s`, `48h`, `2GiB`, `10.0.0.0/8`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

const DURATION_UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 24 * 3_600_000)];

const SIZE_UNITS: [(&str, u64); 9] = [
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

/// A duration: an integer followed by `ms`, `s`, `m`, `h` or `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "RawValue")]
pub(crate) struct DurationText(pub(crate) Duration);

/// A number of bytes: an integer, optionally followed by `B`, `kB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "RawValue")]
pub(crate) struct ByteSize(pub(crate) u64);

/// One address, or a prefix such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "RawValue")]
pub(crate) struct Network(pub(crate) IpNet);

/// A value in the file; a plain number may be written without quotes.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum RawValue {
    Number(u64),
    RawValue(String),
}

impl FromStr for DurationText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let milliseconds = number(text, &DURATION_UNITS)
            .ok_or_else(|| format!("{text:?} is not a duration; expected, for example, 90s or 48h"))?;
        Ok(Self(Duration::from_millis(milliseconds)))
    }
}

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, &SIZE_UNITS)
            .map(Self)
            .ok_or_else(|| format!("{text:?} is not a size; expected, for example, 500MB or 2GiB"))
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = text.parse::<IpAddr>().map(IpNet::from);
        let network = address.or_else(|_| text.parse::<IpNet>());
        network.map(Self).map_err(|_| {
            format!("{text:?} is not an address or network; expected, for example, 10.0.0.7 or 10.0.0.0/8")
        })
    }
}

fn number(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = units.iter().find(|(name, _)| *name == unit.trim_start())?.1;
    number.parse::<u64>().ok()?.checked_mul(factor)
}

impl fmt::Display for DurationText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}ms", self.0.as_millis())
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl From<DurationText> for Duration {
    fn from(span: DurationText) -> Self {
        span.0
    }
}

impl From<ByteSize> for u64 {
    fn from(size: ByteSize) -> Self {
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

        impl TryFrom<RawValue> for $unit {
            type Error = String;

            fn try_from(text: RawValue) -> Result<Self, String> {
                match text {
                    RawValue::Number(number) => number.to_string().parse(),
                    RawValue::RawValue(text) => text.parse(),
                }
            }
        }
    )+};
}

as_text! { DurationText ByteSize Network }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_units_are_parsed() {
        assert_eq!("90s".parse(), Ok(DurationText(Duration::from_secs(90))));
        assert_eq!("48h".parse(), Ok(DurationText(Duration::from_secs(48 * 3600))));
        assert_eq!("250 ms".parse(), Ok(DurationText(Duration::from_millis(250))));
        assert_eq!("2GiB".parse(), Ok(ByteSize(2 << 30)));
        assert_eq!("1500".parse(), Ok(ByteSize(1500)));
        assert_eq!("::1".parse::<Network>().map(|network| network.to_string()), Ok("::1/128".to_owned()));
    }

    #[test]
    fn malformed_values_are_rejected() {
        for text in ["", "s", "5", "-5s", "5 weeks", "99999999999999999999s", "18446744073709551615d"] {
            assert!(text.parse::<DurationText>().is_err(), "{text:?}");
        }
        for text in ["", "GiB", "1.5GiB", "5s", "18446744073709551615GiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text:?}");
        }
        assert!("proxy.local".parse::<Network>().is_err());
    }
}
