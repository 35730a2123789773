//! Values that cross the border: options in, reports and errors out.

use js_sys::{Array, ArrayBuffer, Map, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Error, ErrorCode, Result};
use crate::options::Options;
use crate::tree::{MAX_DEPTH, MAX_MEMBERS, Tree};

/// Reads the options of a call. `undefined` and `null` are as no options.
pub(super) fn options(value: &JsValue) -> Result<Options> {
    let tree = tree(value, 0).map_err(|cause| {
        Error::new(ErrorCode::InvalidOption, format!("The options are not plain values: {cause}."))
    })?;
    Options::parse(tree)
}

/// A value of JavaScript with all that is in it. By hand rather than by serde, whose errors print numbers: that alone takes a tenth
/// of the module that a page loads first.
fn tree(value: &JsValue, depth: usize) -> Result<Tree, &'static str> {
    if value.is_undefined() || value.is_null() {
        return Ok(Tree::Nothing);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Tree::Flag(flag));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Tree::Number(number));
    }
    if let Some(text) = value.as_string() {
        return Ok(Tree::Text(text));
    }
    if let Some(bytes) = value.dyn_ref::<Uint8Array>() {
        return Ok(Tree::Bytes(bytes.to_vec()));
    }
    if value.is_instance_of::<ArrayBuffer>() {
        return Ok(Tree::Bytes(Uint8Array::new(value).to_vec()));
    }
    if depth == MAX_DEPTH {
        return Err("too many objects in each other");
    }
    if Array::is_array(value) {
        let list: &Array = value.unchecked_ref();
        if list.length() as usize > MAX_MEMBERS {
            return Err("too long a list");
        }
        return list.iter().map(|item| tree(&item, depth + 1)).collect::<Result<_, _>>().map(Tree::List);
    }
    // A Map has its members elsewhere, and would pass for an object without any.
    let is_plain = !value.is_function() && !value.is_instance_of::<Map>();
    let Some(object) = value.dyn_ref::<Object>().filter(|_| is_plain) else {
        return Err("neither a number, a text, a list nor an object");
    };
    let members = Object::entries(object);
    if members.length() as usize > MAX_MEMBERS {
        return Err("too many members");
    }
    let member = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        Ok((entry.get(0).as_string().unwrap_or_default(), tree(&entry.get(1), depth + 1)?))
    };
    members.iter().map(member).collect::<Result<_, _>>().map(Tree::Object)
}

/// A value of JavaScript with all that is in the tree.
pub(super) fn from_tree(tree: &Tree) -> JsValue {
    match tree {
        Tree::Nothing => JsValue::NULL,
        Tree::Flag(flag) => (*flag).into(),
        Tree::Number(number) => (*number).into(),
        Tree::Text(text) => text.into(),
        Tree::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        Tree::List(items) => items.iter().map(from_tree).collect::<Array>().into(),
        Tree::Object(members) => {
            let object = Object::new();
            for (name, member) in members {
                let _ = Reflect::set(&object, &name.into(), &from_tree(member));
            }
            object.into()
        }
    }
}

/// An error as what JavaScript catches.
pub(super) fn thrown(error: &Error) -> JsValue {
    from_tree(&Tree::from(error))
}
