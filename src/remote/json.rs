//! Access to the host's own JSON values. Documents are not deserialized into the types of `wire`: that code would take a third of the
//! module that a page loads first. The member names are those of `wire`.

/// A JSON value of the host.
pub trait Json: Sized + Clone {
    /// Creates a string.
    fn text(text: &str) -> Self;
    /// Creates a number.
    fn number(number: f64) -> Self;
    /// Creates an object; members that are `None` are left out.
    fn object(members: &[(&str, Option<Self>)]) -> Self;

    /// A member of an object; `None` if it is absent or null.
    fn get(&self, name: &str) -> Option<Self>;
    /// The value, if it is a string.
    fn as_text(&self) -> Option<String>;
    /// The value, if it is a number.
    fn as_number(&self) -> Option<f64>;
    /// Whether the value is an array.
    fn is_list(&self) -> bool;
    /// The items of an array; empty for any other value.
    fn items(&self) -> Vec<Self>;
}

/// The value at a path of member names.
pub(super) fn at<J: Json>(value: &J, path: &[&str]) -> Option<J> {
    let (first, rest) = path.split_first()?;
    let mut found = value.get(first)?;
    for name in rest {
        found = found.get(name)?;
    }
    Some(found)
}

/// The string at a path.
pub(super) fn text_at<J: Json>(value: &J, path: &[&str]) -> Option<String> {
    at(value, path)?.as_text()
}

/// A link of a document or a resource: a string, or an object with `href` (JSON:API 1.1, "Links").
pub(super) fn link<J: Json>(owner: &J, name: &str) -> Option<String> {
    let link = at(owner, &["links", name])?;
    link.as_text().or_else(|| text_at(&link, &["href"]))
}
