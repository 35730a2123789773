//! Reads options from an object, member by member, and refuses members that no reader asked for.
//!
//! Written by hand instead of derived with serde: errors name the member's path and its range, and the code is a third of the size
//! in the module that a page loads first.

use std::ops::RangeInclusive;

use super::Value;
use crate::error::{Error, ErrorCode, Result};

/// A value that the caller gives, or `"auto"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrAuto<T> {
    /// The given value.
    Value(T),
    /// Chosen for the input.
    Auto,
}

/// A length that is given in whole pixels, or as a percentage of the side that it lies on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PixelsOrPercent {
    /// Whole pixels.
    Pixels(f64),
    /// 0 to 100.
    Percent(f64),
}

impl PixelsOrPercent {
    /// The length in pixels, of a side of `all`, rounded.
    pub(crate) fn of(self, all: u32) -> u64 {
        match self {
            Self::Pixels(pixels) => pixels as u64,
            Self::Percent(percent) => (f64::from(all) * percent / 100.0 + 0.5) as u64,
        }
    }
}

/// The members of an object that have not been read yet.
pub struct ObjectReader {
    path: String,
    members: Vec<(String, Value)>,
    known: Vec<&'static str>,
}

impl ObjectReader {
    /// Starts reading the options of a call. [`Value::Null`] reads as an empty object.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] if the value is not an object. The methods below return it for a member of another type or out
    /// of range, with its path as the detail `option`.
    pub fn new(value: Value) -> Result<Self> {
        Self::at(String::new(), value)
    }

    fn at(path: String, value: Value) -> Result<Self> {
        match value {
            Value::Null => Ok(Self { path, members: Vec::new(), known: Vec::new() }),
            Value::Object(members) => Ok(Self { path, members, known: Vec::new() }),
            _ => Err(invalid(&path, "an object")),
        }
    }

    /// An integer in a range.
    #[inline(never)]
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<u64>) -> Result<Option<u64>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number))
                if number.fract() == 0.0 && range.contains(&(number as u64)) && number >= 0.0 =>
            {
                Ok(Some(number as u64))
            }
            Some(_) => Err(self.out_of_range(name, "a whole number", range, "")),
        }
    }

    /// An integer in a range, or `"auto"`.
    pub fn integer_or_auto(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<OrAuto<u64>>> {
        let auto = |(member, value): &(String, Value)| {
            member == name && matches!(value, Value::String(text) if text == "auto")
        };
        if self.members.iter().any(auto) {
            self.take(name);
            return Ok(Some(OrAuto::Auto));
        }
        Ok(self.integer(name, range)?.map(OrAuto::Value))
    }

    /// An integer in a range of pixels, or a percentage from 0 to 100 as a string, such as `"12.5%"`.
    pub fn pixels_or_percent(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<PixelsOrPercent>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number))
                if number.fract() == 0.0 && number >= 0.0 && range.contains(&(number as u64)) =>
            {
                Ok(Some(PixelsOrPercent::Pixels(number)))
            }
            Some(Value::String(text)) if let Some(number) = percent(&text) => {
                Ok(Some(PixelsOrPercent::Percent(number)))
            }
            Some(_) => {
                let or = ", or a percentage such as \"50%\"";
                Err(self.out_of_range(name, "a whole number", range, or))
            }
        }
    }

    /// Any number in a range.
    #[inline(never)]
    pub fn number(&mut self, name: &'static str, range: RangeInclusive<f64>) -> Result<Option<f64>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) if range.contains(&number) => Ok(Some(number)),
            Some(_) => {
                let range = *range.start() as u64..=*range.end() as u64;
                Err(self.out_of_range(name, "a number", range, ""))
            }
        }
    }

    /// An array of byte arrays.
    pub fn byte_arrays(&mut self, name: &'static str) -> Result<Option<Vec<Vec<u8>>>> {
        let file = |value| match value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        };
        let files = match self.take(name) {
            None => return Ok(None),
            Some(Value::Array(items)) => items.into_iter().map(file).collect::<Option<_>>(),
            Some(_) => None,
        };
        files.map(Some).ok_or_else(|| self.not(name, "a list of Uint8Arrays or ArrayBuffers"))
    }

    /// Bytes, which have to be there.
    #[cfg(feature = "core")]
    pub fn bytes(&mut self, name: &'static str, expected: &str) -> Result<Vec<u8>> {
        match self.take(name) {
            Some(Value::Bytes(bytes)) => Ok(bytes),
            _ => Err(self.not(name, expected)),
        }
    }

    /// `true` or `false`.
    #[inline(never)]
    pub fn bool(&mut self, name: &'static str) -> Result<Option<bool>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.not(name, "true or false")),
        }
    }

    /// A string that `parse` accepts; `expected` describes the accepted strings.
    pub fn string<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(text) = self.text(name, expected)? else { return Ok(None) };
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(self.not_text(name, expected, &text)),
        }
    }

    /// One of some words: the value in the same place.
    pub fn word<T: Copy, const N: usize>(
        &mut self,
        name: &'static str,
        words: &[&str; N],
        values: &[T; N],
    ) -> Result<Option<T>> {
        Ok(self.place(name, words)?.and_then(|place| values.get(place).copied()))
    }

    /// The part of [`Self::word`] that does not depend on the values: compiled once.
    #[inline(never)]
    fn place(&mut self, name: &'static str, words: &[&str]) -> Result<Option<usize>> {
        let mut expected = String::new();
        for (place, word) in words.iter().enumerate() {
            let separator = match words.len() - place {
                _ if place == 0 => "",
                1 => " or ",
                _ => ", ",
            };
            expected.extend([separator, "\"", word, "\""]);
        }
        self.string(name, &expected, |text| words.iter().position(|word| *word == text))
    }

    /// The part of [`Self::string`] that does not depend on the parsed type: compiled once.
    #[inline(never)]
    fn text(&mut self, name: &'static str, expected: &str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.not(name, expected)),
        }
    }

    /// The error for a string that is not as `expected`.
    #[inline(never)]
    fn not_text(&self, name: &str, expected: &str, text: &str) -> Error {
        self.not(name, &[expected, ", not ", &quoted(text)].concat())
    }

    /// The error for a member that is not in a range.
    #[inline(never)]
    fn out_of_range(&self, name: &str, what: &str, range: RangeInclusive<u64>, or: &str) -> Error {
        self.not(name, &format!("{what} from {} to {}{or}", range.start(), range.end()))
    }

    /// The error for a member that is not as `expected`.
    #[inline(never)]
    pub(crate) fn not(&self, name: &str, expected: &str) -> Error {
        invalid(&self.path_of(name), expected)
    }

    /// A nested object.
    #[inline(never)]
    pub fn object(&mut self, name: &'static str) -> Result<Option<Self>> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => Self::at(self.path_of(name), value).map(Some),
        }
    }

    /// Rejects members that were never asked for, so that misspelled options are not ignored.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownOption`], with the detail `option`.
    pub fn finish(self) -> Result<()> {
        match self.members.first() {
            None => Ok(()),
            Some((name, _)) => {
                let path = self.path_of(name);
                let message =
                    format!("options.{path}: unknown option; the options are {}.", self.known.join(", "));
                Err(Error::new(ErrorCode::UnknownOption, message).with_detail("option", path))
            }
        }
    }

    #[inline(never)]
    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        let at = self.members.iter().position(|(member, _)| member == name)?;
        let (_, value) = self.members.swap_remove(at);
        Some(value).filter(|value| !matches!(value, Value::Null))
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { [&self.path, ".", name].concat() }
    }
}

/// A caller's string in quotation marks, truncated to fit into a message.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        None => format!("\"{text}\""),
        Some((end, _)) => format!("\"{}…\"", text.get(..end).unwrap_or_default()),
    }
}

fn invalid(path: &str, expected: &str) -> Error {
    let subject = if path.is_empty() { "options".to_owned() } else { ["options.", path].concat() };
    Error::new(ErrorCode::InvalidOption, format!("{subject} must be {expected}."))
        .with_detail("option", path.to_owned())
}

/// The number before a percent sign, 0 to 100. The standard library's parser of floating-point numbers would add 15 KB to the
/// module that a page loads first.
fn percent(text: &str) -> Option<f64> {
    let digits = text.strip_suffix('%')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let number =
        |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let scale = fraction.bytes().fold(1.0, |scale, _| scale * 10.0);
    let value = f64::from(number(whole)?) + f64::from(number(fraction)?) / scale;
    (value <= 100.0).then_some(value)
}
