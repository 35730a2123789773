//! Reads a JSON document member by member. Each value carries its JSON pointer (RFC 6901), so that an error can name the member.
//!
//! The reader reports what is wrong and where. Its callers choose the error code.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// A value of a JSON document, and the JSON pointer to it.
#[derive(Debug, Clone)]
pub struct JsonMember<'a> {
    value: &'a Value,
    pointer: String,
}

/// A value that is not what its reader expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The JSON pointer to the value.
    pub pointer: String,
    /// The name of the member and what it must be, as a sentence.
    pub detail: String,
}

impl<'a> JsonMember<'a> {
    /// The value that `pointer` names.
    pub fn new(value: &'a Value, pointer: impl Into<String>) -> Self {
        Self { value, pointer: pointer.into() }
    }

    /// The value itself.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The JSON pointer to the value; empty for the whole document.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// A member of this object; `None` if it is absent or this is not an object.
    pub fn get(&self, name: &str) -> Option<Self> {
        let value = self.value.as_object()?.get(name)?;
        let token = name.replace('~', "~0").replace('/', "~1");
        Some(Self { value, pointer: format!("{}/{token}", self.pointer) })
    }

    /// The items of this array; `None` if this is not an array.
    pub fn items(&self) -> Option<Vec<Self>> {
        let items = self.value.as_array()?.iter().enumerate();
        Some(
            items
                .map(|(index, value)| Self { value, pointer: format!("{}/{index}", self.pointer) })
                .collect(),
        )
    }

    /// The first member of this object that is not among `known`.
    pub fn unknown_member(&self, known: &[&str]) -> Option<(&'a str, Self)> {
        let name = self.value.as_object()?.keys().find(|name| !known.contains(&name.as_str()))?;
        Some((name, self.get(name)?))
    }

    /// Reads the value by `convert`, which returns `None` if it is not `expected`.
    ///
    /// # Errors
    /// [`Invalid`], as of every reader below.
    pub fn read<T>(
        &self,
        convert: impl FnOnce(&'a Value) -> Option<T>,
        expected: impl Display,
    ) -> Result<T, Invalid> {
        convert(self.value).ok_or_else(|| self.invalid(format_args!("must be {expected}")))
    }

    /// An object.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn object(&self) -> Result<&'a Map<String, Value>, Invalid> {
        self.read(Value::as_object, "an object")
    }

    /// A string.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn text(&self, expected: impl Display) -> Result<&'a str, Invalid> {
        self.read(Value::as_str, expected)
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn boolean(&self) -> Result<bool, Invalid> {
        self.read(Value::as_bool, "true or false")
    }

    /// An integer in a range.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn integer(&self, range: RangeInclusive<u64>) -> Result<u64, Invalid> {
        let in_range = |value: &Value| value.as_u64().filter(|number| range.contains(number));
        self.read(in_range, format_args!("a whole number from {} to {}", range.start(), range.end()))
    }

    /// A number in a range.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn number(&self, range: RangeInclusive<f64>) -> Result<f64, Invalid> {
        let in_range = |value: &Value| value.as_f64().filter(|number| range.contains(number));
        self.read(in_range, format_args!("a number from {} to {}", range.start(), range.end()))
    }

    /// An error about this value; `demand` follows the name of the member in the sentence.
    pub fn invalid(&self, demand: impl Display) -> Invalid {
        let name = self.pointer.rsplit('/').next().unwrap_or_default();
        Invalid { pointer: self.pointer.clone(), detail: format!("`{name}` {demand}.") }
    }

    /// The JSON type of the value, with its article.
    pub fn json_type(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}
