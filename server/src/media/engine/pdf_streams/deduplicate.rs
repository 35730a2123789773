//! Merges duplicate objects: streams with equal dictionaries and bytes, and equal values. Pages, annotations, fields, marked content
//! and optional content are not merged, because other objects identify them by their object number.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Result;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::graph::{Graph, Id, name, reference};

/// The maximum number of rounds: merging font files makes descriptors equal, which makes fonts equal, and so on.
const MAX_ROUNDS: usize = 6;

/// Merges duplicates. If the update cannot represent an object that refers to a duplicate, that duplicate stays.
pub(super) fn run(graph: &mut Graph, most: u64) -> Result<()> {
    let mut digests = BTreeMap::new();
    for (id, _) in graph.objects.iter().filter(|(_, object)| object.data.is_some()) {
        if let Some(data) = graph.data(*id, most) {
            digests.insert(*id, Sha256::digest(&data).into());
        }
    }
    for _ in 0..MAX_ROUNDS {
        let duplicates = duplicates(graph, &digests);
        if duplicates.is_empty() {
            break;
        }
        redirect(graph, &duplicates);
        graph.objects.retain(|id, _| !duplicates.contains_key(id));
    }
    Ok(())
}

/// Maps each duplicate to the object that replaces it.
fn duplicates(graph: &Graph, digests: &BTreeMap<Id, [u8; 32]>) -> BTreeMap<Id, Id> {
    let mut first: BTreeMap<[u8; 32], Id> = BTreeMap::new();
    let mut duplicates = BTreeMap::new();
    for (id, object) in &graph.objects {
        let mut digest = Sha256::new();
        match &object.data {
            Some(_) => match digests.get(id) {
                Some(data) => digest.update(data),
                None => continue,
            },
            None if has_no_identity(&object.value) => digest.update(b"value"),
            None => continue,
        }
        digest.update(object.value.to_string());
        match first.entry(digest.finalize().into()) {
            Entry::Vacant(entry) => {
                entry.insert(*id);
            }
            Entry::Occupied(entry) => {
                duplicates.insert(*id, *entry.get());
            }
        }
    }
    duplicates
}

fn has_no_identity(value: &Value) -> bool {
    let is_one_of = |value: Option<&Value>, names: &[&str]| {
        value.and_then(name).is_some_and(|name| names.contains(&name))
    };
    match value {
        Value::Array(items) => is_one_of(
            items.first(),
            &["ICCBased", "Indexed", "CalGray", "CalRGB", "Lab", "Separation", "DeviceN"],
        ),
        Value::Object(members) => {
            is_one_of(members.get("/Type"), &["Font", "FontDescriptor", "ExtGState", "Encoding"])
        }
        _ => false,
    }
}

fn redirect(graph: &mut Graph, duplicates: &BTreeMap<Id, Id>) {
    let mut changed = Vec::new();
    for (id, object) in &graph.objects {
        if !duplicates.contains_key(id) && refers(&object.value, duplicates) {
            let mut value = object.value.clone();
            replace(&mut value, duplicates);
            changed.push((*id, value));
        }
    }
    for (id, value) in changed {
        // If the object cannot be updated, it still refers to the duplicate, which stays.
        graph.set_value(id, value);
    }
}

fn refers(value: &Value, duplicates: &BTreeMap<Id, Id>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| refers(item, duplicates)),
        Value::Object(members) => members.values().any(|member| refers(member, duplicates)),
        _ => reference(value).is_some_and(|id| duplicates.contains_key(&id)),
    }
}

fn replace(value: &mut Value, duplicates: &BTreeMap<Id, Id>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, duplicates)),
        Value::Object(members) => members.values_mut().for_each(|member| replace(member, duplicates)),
        _ => {
            if let Some((number, generation)) = reference(value).and_then(|id| duplicates.get(&id)) {
                *value = Value::String(format!("{number} {generation} R"));
            }
        }
    }
}
