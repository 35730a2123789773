//! Reads the settings of a task. An error names the setting by its JSON pointer.

use std::fmt::Display;
use std::ops::RangeInclusive;

use filepress_wire::ErrorCode;
use serde_json::Value;

use crate::json_member::{Invalid, JsonMember};
use crate::media::PlanError;

/// The JSON pointer to the settings in a request.
pub(in crate::media) const SETTINGS: &str = "/data/attributes/settings";

/// An object of settings.
pub(super) struct Reader<'a>(JsonMember<'a>);

impl<'a> Reader<'a> {
    /// The settings themselves. Refuses members that are not among `known`.
    pub(super) fn open(settings: &'a Value, known: &[&str], pair: &str) -> Result<Self, PlanError> {
        Self(JsonMember::new(settings, SETTINGS)).known(known, pair)
    }

    fn known(self, known: &[&str], owner: &str) -> Result<Self, PlanError> {
        let Some((name, member)) = self.0.unknown_member(known) else { return Ok(self) };
        Err(PlanError {
            code: ErrorCode::UnknownSetting,
            detail: format!("{owner} has no setting `{name}`; it has {}.", list(known.iter())),
            pointer: member.pointer().to_owned(),
        })
    }

    /// An error about the value of a member; `demand` follows its name in the sentence.
    pub(super) fn refuse(&self, name: &str, demand: impl Display) -> PlanError {
        let absent = || JsonMember::new(self.0.value(), format!("{}/{name}", self.0.pointer()));
        self.0.get(name).unwrap_or_else(absent).invalid(demand).into()
    }

    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>, PlanError> {
        self.member(name, |member| member.boolean())
    }

    pub(super) fn integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, PlanError> {
        self.member(name, |member| member.integer(range))
    }

    pub(super) fn number(&self, name: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, PlanError> {
        self.member(name, |member| member.number(range))
    }

    pub(super) fn text(&self, name: &str, expected: &str) -> Result<Option<&'a str>, PlanError> {
        self.member(name, |member| member.text(expected))
    }

    /// One of a fixed set of words.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, PlanError> {
        let expected = format!("one of {}", list(words.iter().map(|(word, _)| format!("\"{word}\""))));
        let named = |value: &Value| {
            let text = value.as_str()?;
            words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
        };
        self.read(name, named, expected)
    }

    /// A nested object. Refuses members that are not among `known`.
    pub(super) fn object(&self, name: &str, known: &[&str]) -> Result<Option<Reader<'a>>, PlanError> {
        let object = self.member(name, |member| member.object().map(|_| Reader(member.clone())))?;
        object.map(|object| object.known(known, &format!("`{name}`"))).transpose()
    }

    /// Reads a member by `convert`, which returns `None` if the value is not `expected`.
    pub(super) fn read<T>(
        &self,
        name: &str,
        convert: impl FnOnce(&Value) -> Option<T>,
        expected: impl Display,
    ) -> Result<Option<T>, PlanError> {
        self.member(name, |member| member.read(convert, expected))
    }

    fn member<T>(
        &self,
        name: &str,
        read: impl FnOnce(&JsonMember<'a>) -> Result<T, Invalid>,
    ) -> Result<Option<T>, PlanError> {
        Ok(self.0.get(name).map(|member| read(&member)).transpose()?)
    }
}

impl From<Invalid> for PlanError {
    fn from(Invalid { pointer, detail }: Invalid) -> Self {
        invalid(pointer, detail)
    }
}

/// The error for an invalid value of a setting.
pub(in crate::media) fn invalid(pointer: String, detail: String) -> PlanError {
    PlanError { code: ErrorCode::InvalidSetting, detail, pointer }
}

/// Joins items with commas.
pub(in crate::media) fn list(items: impl Iterator<Item = impl Display>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
