//! Numbers that a renderer cannot draw, or draws in millions of pieces: coordinates, widths and font sizes.

use resvg::usvg::roxmltree::Document;

use crate::formats::svg::decode::path;

/// Coordinates and widths beyond this have no place behind the point in the renderer's 24-bit numbers. It outlines curves
/// there in millions of pieces.
pub(super) const FAR: f64 = 4e6;
/// Coordinates beyond this cannot be drawn, and lose the renderer in its sums before it finds out.
pub(super) const BEYOND: f64 = 1e9;
/// No number may be larger, whatever it measures: sums and products of such leave what a renderer's numbers hold.
const LARGEST: f64 = 1e12;
/// Some attribute measures something with a number beyond all bounds. Names, addresses and texts measure nothing, and how far
/// paths reach is looked at by itself.
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

/// Colors (`#1e9999`) are no numbers.
pub(super) fn has_endless_number(value: &str) -> bool {
    let mut words =
        value.split(|character: char| !(character.is_ascii_alphanumeric() || "#+-.".contains(character)));
    words.any(|word| {
        // Most numbers have too few characters to be large.
        let number =
            path::split_number(word).filter(|(number, _)| number.len() > 12 || number.contains(['e', 'E']));
        number.is_some_and(|(number, _)| number.parse().is_ok_and(|number: f64| number.abs() > LARGEST))
    })
}

/// A property that brings curves far from where they are.
pub(super) fn makes_far(name: &str, value: &str) -> bool {
    match name {
        "stroke-width" => is_long(value, FAR),
        // In units of the font, whose letters are 2048 or fewer high.
        "font-size" | "font" => value.split_whitespace().any(|size| is_long(size, FAR / 10.0)),
        _ => false,
    }
}

/// A length that may be longer than `bound` pixels. Units are a hundred pixels at most, or a share of the drawing.
pub(super) fn is_long(length: &str, bound: f64) -> bool {
    let Some((number, unit)) = path::split_number(length.trim()) else { return false };
    let bound = if unit.is_empty() { bound } else { bound / 100.0 };
    number.parse().is_ok_and(|number: f64| number.abs() > bound)
}
