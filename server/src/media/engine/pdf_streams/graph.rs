//! The objects of a document in qpdf's JSON format (qpdf manual, "qpdf JSON"), and the update with changed objects.
//!
//! qpdf parses and writes the PDF syntax. In JSON, a name is a string that begins with `/`, a reference is `5 0 R`, and a string begins
//! with `u:` or `b:`. The update contains only changed objects, so that all others stay unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Error, ErrorKind, Result};

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The number and generation of an object.
pub(super) type Id = (u32, u32);

/// The maximum length of a chain of references; a longer one is treated as a cycle.
const MAX_CHAIN: usize = 16;

/// An object.
pub(super) struct Object {
    /// The value; for a stream, its dictionary.
    pub(super) value: Value,
    /// The file with the encoded bytes of a stream.
    pub(super) data: Option<String>,
    has_new_value: bool,
    has_new_data: bool,
}

/// A whole document.
pub(super) struct Graph {
    header: Value,
    pub(super) objects: BTreeMap<Id, Object>,
    pub(super) trailer: Map<String, Value>,
    has_new_trailer: bool,
}

#[derive(Deserialize)]
struct Document {
    qpdf: (Value, Map<String, Value>),
}

impl Graph {
    /// Reads what `qpdf --json-output --json-stream-data=file` wrote.
    pub(super) fn read(file: &str) -> Result<Self> {
        let document: Document = serde_json::from_slice(&fs::read(file)?)?;
        let (header, members) = document.qpdf;
        let mut objects = BTreeMap::new();
        let mut trailer = Map::new();
        for (name, mut member) in members {
            if let Some(id) = name.strip_prefix("obj:").and_then(parse) {
                objects.insert(id, Object::read(member));
            } else if let Value::Object(value) = member["value"].take() {
                trailer = value;
            }
        }
        match trailer.contains_key("/Root") {
            true => Ok(Self { header, objects, trailer, has_new_trailer: false }),
            false => Err(Error::from(ErrorKind::InvalidData)),
        }
    }

    /// Follows references to a value; null if there is none.
    pub(super) fn resolve<'a>(&'a self, mut value: &'a Value) -> &'a Value {
        for _ in 0..MAX_CHAIN {
            let Some(id) = reference(value) else { return value };
            let Some(object) = self.objects.get(&id) else { return &Value::Null };
            value = &object.value;
        }
        &Value::Null
    }

    /// A resolved member of a dictionary; null if there is none.
    pub(super) fn member<'a>(&'a self, dictionary: &'a Value, name: &str) -> &'a Value {
        dictionary.get(name).map_or(&Value::Null, |value| self.resolve(value))
    }

    /// The catalog.
    pub(super) fn catalog(&self) -> &Value {
        self.trailer.get("/Root").map_or(&Value::Null, |root| self.resolve(root))
    }

    /// The numbers of an array; other elements are skipped.
    pub(super) fn numbers(&self, array: &Value) -> Vec<f64> {
        let items = array.as_array().into_iter().flatten();
        items.filter_map(|item| self.resolve(item).as_f64()).collect()
    }

    /// The encoded bytes of a stream; `None` if there are more than `most`.
    pub(super) fn data(&self, id: Id, most: u64) -> Option<Vec<u8>> {
        let file = self.objects.get(&id)?.data.as_ref()?;
        let size = fs::metadata(file).ok()?.len();
        (size <= most).then(|| fs::read(file).ok()).flatten()
    }

    /// Replaces a value, or the dictionary of a stream. False if the update cannot represent it.
    pub(super) fn set_value(&mut self, id: Id, value: Value) -> bool {
        let Some(object) = self.objects.get_mut(&id).filter(|_| is_representable(&value)) else {
            return false;
        };
        object.value = value;
        object.has_new_value = true;
        true
    }

    /// Replaces the dictionary and encoded bytes of a stream. False if the update cannot represent them.
    pub(super) fn set_stream(&mut self, id: Id, dictionary: Value, data: &[u8]) -> Result<bool> {
        if !self.set_value(id, dictionary) {
            return Ok(false);
        }
        let file = format!("new-{}-{}", id.0, id.1);
        fs::write(&file, data)?;
        if let Some(object) = self.objects.get_mut(&id) {
            object.data = Some(file);
            object.has_new_data = true;
        }
        Ok(true)
    }

    /// Removes a member of the trailer.
    pub(super) fn remove_from_trailer(&mut self, name: &str) {
        if is_representable(&Value::Object(self.trailer.clone())) {
            self.has_new_trailer |= self.trailer.remove(name).is_some();
        }
    }

    /// Writes the update; false if nothing changed.
    pub(super) fn write_update(&self, file: &str) -> Result<bool> {
        let mut members = Map::new();
        if self.has_new_trailer {
            members.insert("trailer".to_owned(), json!({ "value": self.trailer }));
        }
        for (id, object) in self.objects.iter().filter(|(_, object)| object.has_new_value) {
            members.insert(format!("obj:{} {} R", id.0, id.1), object.update());
        }
        let is_needed = !members.is_empty();
        if is_needed {
            fs::write(file, serde_json::to_vec(&json!({ "qpdf": [self.header, members] }))?)?;
        }
        Ok(is_needed)
    }
}

impl Object {
    fn read(mut member: Value) -> Self {
        let stream = member["stream"].take();
        let (value, data) = match stream {
            Value::Object(mut stream) => {
                let data = stream.get("datafile").and_then(Value::as_str).map(str::to_owned);
                (stream.remove("dict").unwrap_or_default(), data)
            }
            _ => (member["value"].take(), None),
        };
        Self { value, data, has_new_value: false, has_new_data: false }
    }

    fn update(&self) -> Value {
        match &self.data {
            Some(file) if self.has_new_data => json!({ "stream": { "dict": self.value, "datafile": file } }),
            // Without `datafile`, the stream keeps its bytes.
            Some(_) => json!({ "stream": { "dict": self.value } }),
            None => json!({ "value": self.value }),
        }
    }
}

/// The object that a value refers to.
pub(super) fn reference(value: &Value) -> Option<Id> {
    parse(value.as_str()?)
}

/// A name without its slash.
pub(super) fn name(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix('/')
}

fn parse(text: &str) -> Option<Id> {
    let (number, generation) = text.strip_suffix(" R")?.split_once(' ')?;
    Some((number.parse().ok()?, generation.parse().ok()?))
}

/// Whether JSON can represent a value exactly: PDF numbers have no exponent, but very large and very small JSON numbers do.
fn is_representable(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.to_string().contains(['e', 'E']),
        Value::Array(items) => items.iter().all(is_representable),
        Value::Object(members) => members.values().all(is_representable),
        _ => true,
    }
}
