//! Reads members of a JSON object one by one, each with its range; what is wrong is said with its JSON pointer.

use std::fmt::Display;
use std::ops::RangeInclusive;

use filepress_wire::ErrorCode;
use serde_json::{Map, Value};

use crate::media::Refusal;

/// Where the settings are in a request.
pub(in crate::media) const SETTINGS: &str = "/data/attributes/settings";

/// An object of settings.
pub(super) struct Reader<'a> {
    members: &'a Map<String, Value>,
    pointer: String,
}

impl<'a> Reader<'a> {
    /// The settings themselves. Members that are not among `known` are refused.
    pub(super) fn open(members: &'a Map<String, Value>, known: &[&str], pair: &str) -> Result<Self, Refusal> {
        let reader = Self { members, pointer: SETTINGS.to_owned() };
        reader.check(known, pair)?;
        Ok(reader)
    }

    fn check(&self, known: &[&str], whose: &str) -> Result<(), Refusal> {
        let Some(unknown) = self.members.keys().find(|name| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        Err(Refusal {
            code: ErrorCode::UnknownSetting,
            detail: format!("{whose} has no setting `{unknown}`; it has {}.", list(known.iter())),
            pointer: self.pointer_to(unknown),
        })
    }

    /// A member's pointer (RFC 6901).
    fn pointer_to(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"))
    }

    /// The refusal of a member's value; `expected` completes "is …".
    pub(super) fn refuse(&self, name: &str, expected: impl Display) -> Refusal {
        invalid(self.pointer_to(name), format!("`{name}` is {expected}."))
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        self.read(name, Value::as_bool, "true or false")
    }

    pub(super) fn whole(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refusal> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let in_range = |value: &Value| value.as_u64().filter(|number| range.contains(number));
        self.read(name, in_range, expected)
    }

    pub(super) fn number(&self, name: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, Refusal> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let in_range = |value: &Value| value.as_f64().filter(|number| range.contains(number));
        self.read(name, in_range, expected)
    }

    pub(super) fn text(&self, name: &str, expected: &str) -> Result<Option<&'a str>, Refusal> {
        self.members
            .get(name)
            .map(|value| value.as_str().ok_or_else(|| self.refuse(name, expected)))
            .transpose()
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, Refusal> {
        let expected = format!("one of {}", list(words.iter().map(|(word, _)| format!("\"{word}\""))));
        let named = |value: &Value| {
            let text = value.as_str()?;
            words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
        };
        self.read(name, named, expected)
    }

    /// An object within; members that are not among `known` are refused.
    pub(super) fn object(&self, name: &str, known: &[&str]) -> Result<Option<Reader<'a>>, Refusal> {
        let Some(value) = self.members.get(name) else { return Ok(None) };
        let members = value.as_object().ok_or_else(|| self.refuse(name, "an object"))?;
        let reader = Reader { members, pointer: self.pointer_to(name) };
        reader.check(known, &format!("`{name}`"))?;
        Ok(Some(reader))
    }

    /// Reads a member by `convert`, which gives none where the value is not `expected`.
    pub(super) fn read<T>(
        &self,
        name: &str,
        convert: impl Fn(&Value) -> Option<T>,
        expected: impl Display,
    ) -> Result<Option<T>, Refusal> {
        let read = |value| convert(value).ok_or_else(|| self.refuse(name, &expected));
        self.members.get(name).map(read).transpose()
    }
}

/// A value that cannot be.
pub(in crate::media) fn invalid(pointer: String, detail: String) -> Refusal {
    Refusal { code: ErrorCode::InvalidSetting, detail, pointer }
}

/// Joined by commas.
pub(in crate::media) fn list(items: impl Iterator<Item = impl Display>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
