//! Plain values as a caller hands them over, and how options are read out of them.
//!
//! Reading by hand rather than by derived code gives errors with the path of the member and its range, and takes a third
//! of the bytes in the module that a page loads first.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use crate::error::{Error, ErrorCode, Result};

/// A value of JSON or JavaScript.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null` or `undefined`: the same as absent.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number.
    Number(f64),
    /// A string.
    String(String),
    /// An object, its members in their order.
    Object(Vec<(String, Value)>),
    /// An array.
    Array(Vec<Value>),
    /// A file in memory: a typed array or a buffer.
    Bytes(Vec<u8>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValueVisitor { depth: 0 }.deserialize(deserializer)
    }
}

impl Value {
    /// An object with these members.
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

/// Reads a value that stands in so many objects and lists.
#[derive(Clone, Copy)]
struct ValueVisitor {
    depth: usize,
}

impl ValueVisitor {
    /// For the members of a value: an object of JavaScript may contain itself.
    fn inside<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom("too many objects in each other"));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for ValueVisitor {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a plain value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::Bytes(value.to_vec()))
    }

    fn visit_byte_buf<E>(self, value: Vec<u8>) -> Result<Value, E> {
        Ok(Value::Bytes(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.inside()?)? {
            if items.len() >= MAX_MEMBERS {
                return Err(A::Error::custom("too long a list"));
            }
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry_seed(PhantomData, self.inside()?)? {
            if members.len() >= MAX_MEMBERS {
                return Err(A::Error::custom("too many members"));
            }
            members.push(member);
        }
        Ok(Value::Object(members))
    }
}

/// More than any options have, and few enough to refuse a bomb.
pub(crate) const MAX_MEMBERS: usize = 64;

/// More objects and lists in each other than any option has.
pub(crate) const MAX_DEPTH: usize = 8;

/// A value, or the wish that one be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrAuto<T> {
    /// That value.
    Value(T),
    /// The best there is for this input.
    Auto,
}

/// The members of an object that are still to be read.
pub struct ObjectReader {
    path: String,
    members: Vec<(String, Value)>,
    known: Vec<&'static str>,
}

impl ObjectReader {
    /// Opens the options of a call; nothing is as an object without members.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for what is no object; so do all readers below for a value that is not as they say,
    /// with the detail `option`: the path of the member.
    pub fn new(value: Value) -> Result<Self> {
        Self::at(String::new(), value)
    }

    fn at(path: String, value: Value) -> Result<Self> {
        match value {
            Value::Null => Ok(Self { path, members: Vec::new(), known: Vec::new() }),
            Value::Object(members) => Ok(Self { path, members, known: Vec::new() }),
            _ => Err(invalid(&path, "must be an object")),
        }
    }

    /// A whole number in a range.
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<u64>) -> Result<Option<u64>> {
        let expected = || format!("must be a whole number from {} to {}", range.start(), range.end());
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number))
                if number.fract() == 0.0 && range.contains(&(number as u64)) && number >= 0.0 =>
            {
                Ok(Some(number as u64))
            }
            Some(_) => Err(invalid(&self.path_of(name), &expected())),
        }
    }

    /// A whole number in a range, or the word "auto".
    pub fn integer_or_auto(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<OrAuto<u64>>> {
        let auto =
            |(member, value): &(String, Value)| member == name && *value == Value::String("auto".to_owned());
        if self.members.iter().any(auto) {
            self.take(name);
            return Ok(Some(OrAuto::Auto));
        }
        Ok(self.integer(name, range)?.map(OrAuto::Value))
    }

    /// Any number in a range.
    pub fn number(&mut self, name: &'static str, range: RangeInclusive<f64>) -> Result<Option<f64>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) if range.contains(&number) => Ok(Some(number)),
            Some(_) => {
                let expected =
                    format!("must be a number from {} to {}", *range.start() as u64, *range.end() as u64);
                Err(invalid(&self.path_of(name), &expected))
            }
        }
    }

    /// A list of files in memory.
    pub fn byte_arrays(&mut self, name: &'static str) -> Result<Option<Vec<Vec<u8>>>> {
        let path = self.path_of(name);
        let wrong = || invalid(&path, "must be a list of Uint8Arrays or ArrayBuffers");
        let file = |value| match value {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(wrong()),
        };
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(items)) => items.into_iter().map(file).collect::<Result<_>>().map(Some),
            Some(_) => Err(wrong()),
        }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, name: &'static str) -> Result<Option<bool>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(invalid(&self.path_of(name), "must be true or false")),
        }
    }

    /// A string that `read` understands; `expected` is what it asks for, in words.
    pub fn string<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => match read(&text) {
                Some(value) => Ok(Some(value)),
                None => {
                    Err(invalid(&self.path_of(name), &format!("must be {expected}, not {}", quoted(&text))))
                }
            },
            Some(_) => Err(invalid(&self.path_of(name), &format!("must be {expected}"))),
        }
    }

    /// An object of further members.
    pub fn object(&mut self, name: &'static str) -> Result<Option<Self>> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => Self::at(self.path_of(name), value).map(Some),
        }
    }

    /// Refuses what no reader asked for, so that a misspelled option never passes in silence.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownOption`], with the detail `option`.
    pub fn finish(self) -> Result<()> {
        match self.members.first() {
            None => Ok(()),
            Some((name, _)) => {
                let path = self.path_of(name);
                let message =
                    format!("options.{path}: there is no such option; there are {}.", self.known.join(", "));
                Err(Error::new(ErrorCode::UnknownOption, message).with_detail("option", path))
            }
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        let at = self.members.iter().position(|(member, _)| member == name)?;
        let (_, value) = self.members.swap_remove(at);
        Some(value).filter(|value| *value != Value::Null)
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { [&self.path, ".", name].concat() }
    }
}

/// A caller's words in a message, shortened where they are no words but a file.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        None => format!("\"{text}\""),
        Some((end, _)) => format!("\"{}…\"", text.get(..end).unwrap_or_default()),
    }
}

fn invalid(path: &str, expected: &str) -> Error {
    let subject = if path.is_empty() { "options".to_owned() } else { ["options.", path].concat() };
    Error::new(ErrorCode::InvalidOption, format!("{subject} {expected}."))
        .with_detail("option", path.to_owned())
}
