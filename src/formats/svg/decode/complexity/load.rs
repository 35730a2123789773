//! The contribution of one element to the load: markup, curves, glyphs.

use resvg::usvg::roxmltree::Node;

use super::coordinates::{BEYOND, FAR, is_long};
use crate::formats::svg::decode::path;

/// The cost of each such curve, in glyph comparisons.
const FAR_CURVE: f64 = 2e8;

/// The load of an element with its contents and references.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    /// Bytes of markup.
    pub(super) bytes: f64,
    /// The number of elements, for the style sheet.
    pub(super) elements: f64,
    /// The number of elements that inherit fill, stroke or markers.
    pub(super) fills: f64,
    pub(super) strokes: f64,
    /// The number of vertices at which an inherited marker would be drawn.
    pub(super) corners: f64,
    /// The number of glyph comparisons.
    pub(super) layout: f64,
    /// The nesting.
    pub(super) steps: u32,
}

impl Load {
    pub(super) fn memory(&self) -> u64 {
        (self.bytes * 8.0) as u64
    }

    /// Adds another load a number of times, and returns its nesting.
    pub(super) fn add(&mut self, other: Self, times: f64) -> u32 {
        self.bytes += other.bytes * times;
        self.elements += other.elements * times;
        self.fills += other.fills * times;
        self.strokes += other.strokes * times;
        self.corners += other.corners * times;
        self.layout += other.layout * times;
        other.steps
    }
}

/// The element without its contents.
pub(super) fn own(node: Node<'_, '_>, kind: &str, holds_text: bool, is_far: bool) -> Load {
    /// The memory of an element beside its attributes, as bytes of markup.
    const ELEMENT: f64 = 96.0;
    /// A glyph becomes an outline of about 40 points.
    const CHARACTER: f64 = 32.0;
    let mut bytes = ELEMENT;
    let mut corners = 0.0;
    let mut far_curves = 0;
    for attribute in node.attributes() {
        let length = (attribute.name().len() + attribute.value().len()) as f64;
        // Base64 pictures do not count as markup; their pixels are counted elsewhere.
        bytes += if attribute.value().starts_with("data:") { length / 4.0 } else { length };
        if matches!(attribute.name(), "d" | "points") {
            corners += 1.0 + length / 4.0;
        }
        far_curves += match (kind, attribute.name()) {
            ("path", "d") => path::reaches_of_curves(attribute.value())
                .filter(|&reach| reach > FAR || (is_far && reach > 0.0))
                .map(|reach| if reach > BEYOND { 100 } else { 1 })
                .sum(),
            (
                "circle" | "ellipse" | "rect",
                "cx" | "cy" | "r" | "rx" | "ry" | "x" | "y" | "width" | "height",
            ) if is_long(attribute.value(), BEYOND) => 100,
            (
                "circle" | "ellipse" | "rect",
                "cx" | "cy" | "r" | "rx" | "ry" | "x" | "y" | "width" | "height",
            ) => usize::from(is_far || is_long(attribute.value(), FAR)),
            _ => 0,
        };
    }
    let text: usize =
        node.children().filter_map(|child| child.text().filter(|_| child.is_text())).map(str::len).sum();
    let text = text as f64;
    bytes += if holds_text { text * CHARACTER } else { text };
    let holds_others = matches!(kind, "g" | "svg" | "defs" | "symbol" | "use" | "a" | "switch");
    let painted = if holds_others { 0.0 } else { 1.0 };
    let mut layout = far_curves as f64 * FAR_CURVE;
    if kind == "text" {
        let letters: usize =
            node.descendants().filter(Node::is_text).filter_map(|text| text.text()).map(str::len).sum();
        layout += (letters as f64).powi(2) + if is_far { letters as f64 * FAR_CURVE } else { 0.0 };
    }
    Load {
        bytes,
        elements: 1.0,
        fills: painted,
        strokes: painted,
        corners: corners + painted,
        layout,
        steps: 0,
    }
}
