//! Detects signatures, and removes metadata.

use serde_json::Value;

use super::graph::{Graph, Id, name};

/// Whether the document is signed (ISO 32000-1, 12.8.1): any change would invalidate the signature.
pub(super) fn is_signed(graph: &Graph) -> bool {
    graph.objects.values().any(|object| holds_signature(&object.value))
}

fn holds_signature(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_signature),
        Value::Object(members) => {
            let signs = members.contains_key("/ByteRange") && members.contains_key("/Contents");
            signs || members.values().any(holds_signature)
        }
        _ => false,
    }
}

/// Removes the document information, XMP and private data of applications from the catalog, pages, forms and images.
pub(super) fn strip_metadata(graph: &mut Graph) {
    graph.remove_from_trailer("/Info");
    let changed: Vec<(Id, Value)> =
        graph.objects.iter().filter_map(|(id, object)| Some((*id, stripped(&object.value)?))).collect();
    for (id, value) in changed {
        graph.set_value(id, value);
    }
}

/// A dictionary without such entries; `None` if it has none.
fn stripped(value: &Value) -> Option<Value> {
    let members = value.as_object()?;
    let is =
        |key: &str, names: &[&str]| members.get(key).and_then(name).is_some_and(|name| names.contains(&name));
    if !is("/Type", &["Catalog", "Page", "XObject"]) && !is("/Subtype", &["Form", "Image"]) {
        return None;
    }
    let mut members = members.clone();
    let mut had_some = false;
    for name in ["/Metadata", "/PieceInfo"] {
        had_some |= members.remove(name).is_some();
    }
    had_some.then_some(Value::Object(members))
}
