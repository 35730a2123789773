//! Numbers that a renderer cannot handle, or expands to millions of segments: coordinates, widths and font sizes.

use resvg::usvg::roxmltree::Document;

use crate::formats::svg::decode::path;

/// Larger coordinates and widths have no fractional part in the renderer's 24-bit floats. It flattens curves there into
/// millions of segments.
pub(super) const FAR: f64 = 4e6;
/// Larger coordinates cannot be rendered, and overflow the renderer's arithmetic before it detects that.
pub(super) const BEYOND: f64 = 1e9;
/// No number may be larger: sums and products would overflow.
const LARGEST: f64 = 1e12;
/// Whether a numeric attribute is out of bounds. Names, addresses and texts are not numeric, and paths are checked
/// separately.
pub(super) fn has_endless_numbers(document: &Document<'_>) -> bool {
    let measures = |name: &str| {
        !matches!(name, "class" | "d" | "href" | "id" | "points")
            && !name.starts_with("data-")
            && !name.starts_with("on")
    };
    let mut attributes = document.descendants().flat_map(|node| node.attributes());
    attributes.any(|attribute| {
        attribute.namespace().is_none() && measures(attribute.name()) && has_endless_number(attribute.value())
    })
}

/// Colors (`#1e9999`) are not numbers.
pub(super) fn has_endless_number(value: &str) -> bool {
    let mut words =
        value.split(|character: char| !(character.is_ascii_alphanumeric() || "#+-.".contains(character)));
    words.any(|word| {
        // Most numbers have too few digits to be large.
        let number =
            path::split_number(word).filter(|(number, _)| number.len() > 12 || number.contains(['e', 'E']));
        number.is_some_and(|(number, _)| number.parse().is_ok_and(|number: f64| number.abs() > LARGEST))
    })
}

/// A property that can move curves far away.
pub(super) fn makes_far(name: &str, value: &str) -> bool {
    match name {
        "stroke-width" => is_long(value, FAR),
        // In font units; glyphs are at most 2048 units high.
        "font-size" | "font" => value.split_whitespace().any(|size| is_long(size, FAR / 10.0)),
        _ => false,
    }
}

/// Whether a length may exceed `bound` pixels. A unit is at most 100 pixels, or a fraction of the drawing.
pub(super) fn is_long(length: &str, bound: f64) -> bool {
    let Some((number, unit)) = path::split_number(length.trim()) else { return false };
    let bound = if unit.is_empty() { bound } else { bound / 100.0 };
    number.parse().is_ok_and(|number: f64| number.abs() > bound)
}
