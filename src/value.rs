//! A JSON-like value, the form in which options arrive and reports leave; [`ObjectReader`] reads options from it.

mod object_reader;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

pub(crate) use object_reader::quoted;
pub use object_reader::{ObjectReader, OrAuto, PixelsOrPercent};

/// A JSON value, or bytes.
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
    /// An object, its members in their original order.
    Object(Vec<(String, Value)>),
    /// An array.
    Array(Vec<Value>),
    /// Bytes: a `Uint8Array` or an `ArrayBuffer`.
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

/// Deserializes a value at a nesting depth.
#[derive(Clone, Copy)]
struct ValueVisitor {
    depth: usize,
}

impl ValueVisitor {
    /// The visitor for the members of a value. Depth is limited, since a JavaScript object may contain itself.
    fn nested<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom("objects or arrays nested too deeply"));
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
        formatter.write_str("a JSON value or bytes")
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

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = array.next_element_seed(self.nested()?)? {
            if items.len() >= MAX_MEMBERS {
                return Err(A::Error::custom("array too long"));
            }
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry_seed(PhantomData, self.nested()?)? {
            if members.len() >= MAX_MEMBERS {
                return Err(A::Error::custom("too many members"));
            }
            members.push(member);
        }
        Ok(Value::Object(members))
    }
}

/// The most members of an object or items of an array: more than any options have, few enough to refuse a bomb.
pub(crate) const MAX_MEMBERS: usize = 64;

/// The deepest nesting of objects and arrays: deeper than any option.
pub(crate) const MAX_DEPTH: usize = 8;
