//! Documents, as the host has them. They are looked at by name and handed on whole, since a copy in types of our own would take a
//! third of the module that a page loads first; the names are those of `wire`.

/// A value of JSON.
pub trait Json: Sized + Clone {
    /// A text.
    fn text(text: &str) -> Self;
    /// A number.
    fn number(number: f64) -> Self;
    /// An object; members without a value are left out.
    fn object(members: &[(&str, Option<Self>)]) -> Self;

    /// A member of an object.
    fn get(&self, name: &str) -> Option<Self>;
    /// The value as a text.
    fn as_text(&self) -> Option<String>;
    /// The value as a number.
    fn as_number(&self) -> Option<f64>;
    /// Whether it is a list.
    fn is_list(&self) -> bool;
    /// The items of a list; none of anything else.
    fn items(&self) -> Vec<Self>;
}

/// Member of member.
pub(super) fn at<J: Json>(value: &J, path: &[&str]) -> Option<J> {
    let (first, rest) = path.split_first()?;
    let mut found = value.get(first)?;
    for name in rest {
        found = found.get(name)?;
    }
    Some(found)
}

/// The text at a path.
pub(super) fn text_at<J: Json>(value: &J, path: &[&str]) -> Option<String> {
    at(value, path)?.as_text()
}

/// A link of a document or a resource: text, or an object with `href` (JSON:API 1.1, "Links").
pub(super) fn link<J: Json>(owner: &J, name: &str) -> Option<String> {
    let link = at(owner, &["links", name])?;
    link.as_text().or_else(|| text_at(&link, &["href"]))
}
