//! Reads the JSON:API document of a request member by member, with the API's errors. `document.rs` writes those of responses.

use filepress_wire::{ErrorCode, MediaType};
use serde_json::{Map, Value};

use super::error::{ApiError, Result};
use crate::json_member::{Invalid, JsonMember};

/// A value of a request's document. Its readers return the API's errors.
#[derive(Debug, Clone)]
pub struct Member<'a>(JsonMember<'a>);

impl<'a> Member<'a> {
    /// The `data` of a document that creates a resource: an object with the type `kind` and without an `id`.
    ///
    /// # Errors
    /// 400, 403 or 409, in this order.
    pub fn data(document: &'a Value, kind: &str) -> Result<Self> {
        let (data, resource_type) = Self::typed(document)?;
        if data.get("id")?.is_some() {
            let detail = "The service assigns ids; remove data.id.";
            return Err(ApiError::new(ErrorCode::ClientGeneratedId, detail).at("/data/id"));
        }
        data.of_type(resource_type, kind)
    }

    /// The `data` of a document that updates the resource `id`: an object with the type `kind` and this `id`.
    ///
    /// # Errors
    /// 400 or 409, in this order.
    pub fn update(document: &'a Value, kind: &str, id: &str) -> Result<Self> {
        let (data, resource_type) = Self::typed(document)?;
        let member = data.required("id")?;
        let Some(named) = member.value().as_str() else { return Err(member.malformed("text")) };
        let data = data.of_type(resource_type, kind)?;
        if named != id {
            return Err(member.refusal(ErrorCode::IdMismatch, "must be the id in the URL"));
        }
        Ok(data)
    }

    /// `data` and its type.
    fn typed(document: &'a Value) -> Result<(Self, &'a str)> {
        let root = Self(JsonMember::new(document, ""));
        let data = root.required("data")?;
        let resource_type = data.required("type")?;
        match resource_type.value().as_str() {
            Some(name) => Ok((data, name)),
            None => Err(resource_type.malformed("text")),
        }
    }

    fn of_type(self, actual: &str, kind: &str) -> Result<Self> {
        if actual == kind {
            return Ok(self);
        }
        let detail = format!("data.type must be {kind:?}.");
        Err(ApiError::new(ErrorCode::TypeMismatch, detail).at("/data/type"))
    }

    /// Checks that this object has only these members.
    ///
    /// # Errors
    /// 400 if this is not an object, 403 with the pointer to the first other member.
    pub fn only(&self, names: &[&str]) -> Result<()> {
        self.object()?;
        match self.0.unknown_member(names).map(|(_, member)| Self(member)) {
            Some(member) => Err(member.refusal(ErrorCode::ReadOnlyMember, "cannot be changed")),
            None => Ok(()),
        }
    }

    /// A member of this object; `None` if it is absent.
    ///
    /// # Errors
    /// 400 if this is not an object.
    pub fn get(&self, name: &str) -> Result<Option<Self>> {
        self.object()?;
        Ok(self.0.get(name).map(Self))
    }

    /// A required member of the JSON:API envelope.
    ///
    /// # Errors
    /// 400.
    pub fn required(&self, name: &str) -> Result<Self> {
        let missing = || {
            let detail = format!("The member {name:?} is missing.");
            ApiError::new(ErrorCode::InvalidDocument, detail).at(self.0.pointer())
        };
        self.get(name)?.ok_or_else(missing)
    }

    /// This value as an object.
    ///
    /// # Errors
    /// 400.
    pub fn object(&self) -> Result<&'a Map<String, Value>> {
        self.value().as_object().ok_or_else(|| self.malformed("an object"))
    }

    /// The items of this array.
    ///
    /// # Errors
    /// 400.
    pub fn items(&self) -> Result<Vec<Self>> {
        let items = self.0.items().ok_or_else(|| self.malformed("an array"))?;
        Ok(items.into_iter().map(Self).collect())
    }

    /// This value as a string.
    ///
    /// # Errors
    /// 422.
    pub fn text(&self) -> Result<&'a str> {
        self.0.text("text").map_err(invalid_value)
    }

    /// This value as a boolean.
    ///
    /// # Errors
    /// 422.
    pub fn boolean(&self) -> Result<bool> {
        self.0.boolean().map_err(invalid_value)
    }

    /// This value as one of the supported media types, in their exact spelling.
    ///
    /// # Errors
    /// 422.
    pub fn media_type(&self) -> Result<MediaType> {
        let text = self.text()?;
        let known = MediaType::ALL.into_iter().find(|media_type| media_type.as_str() == text);
        known.ok_or_else(|| self.wrong("must be one of the media types of the API, such as \"image/jpeg\""))
    }

    /// The JSON value.
    pub fn value(&self) -> &'a Value {
        self.0.value()
    }

    /// A 422 error about this value.
    pub fn wrong(&self, demand: &str) -> ApiError {
        self.refusal(ErrorCode::InvalidValue, demand)
    }

    /// An error with the pointer to this value.
    pub fn refusal(&self, code: ErrorCode, demand: &str) -> ApiError {
        let Invalid { pointer, detail } = self.0.invalid(demand);
        ApiError::new(code, detail).at(pointer)
    }

    /// A 422 error: a required member of this object is missing.
    pub fn lacks(&self, name: &str) -> ApiError {
        ApiError::new(ErrorCode::MissingMember, format!("The member {name:?} is missing."))
            .at(self.0.pointer())
    }

    /// A 400 error: this value has the wrong JSON type.
    fn malformed(&self, demand: &str) -> ApiError {
        let name = if self.0.pointer().is_empty() { "The document" } else { self.0.pointer() };
        let detail = format!("{name} must be {demand}, but is {}.", self.0.json_type());
        ApiError::new(ErrorCode::InvalidDocument, detail).at(self.0.pointer())
    }
}

fn invalid_value(Invalid { pointer, detail }: Invalid) -> ApiError {
    ApiError::new(ErrorCode::InvalidValue, detail).at(pointer)
}
