//! What one element adds to the load of a drawing: markup, curves, letters.

use resvg::usvg::roxmltree::Node;

use super::coordinates::{BEYOND, FAR, is_long};
use crate::formats::svg::decode::path;

/// What each such curve counts, in comparisons of letters.
const FAR_CURVE: f64 = 2e8;

/// What an element with all that it holds and names amounts to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    /// Bytes of markup.
    pub(super) bytes: f64,
    /// Elements, for the style sheet.
    pub(super) elements: f64,
    /// Elements whose fill, stroke and markers are those of an element around it.
    pub(super) fills: f64,
    pub(super) strokes: f64,
    /// Corners at which a marker of an element around it would be drawn.
    pub(super) corners: f64,
    /// Comparisons of letters.
    pub(super) layout: f64,
    /// Nesting.
    pub(super) steps: u32,
}

impl Load {
    pub(super) fn memory(&self) -> u64 {
        (self.bytes * 8.0) as u64
    }

    /// Adds another so many times, and tells its steps.
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

/// The element alone.
pub(super) fn own(node: Node<'_, '_>, kind: &str, holds_text: bool, is_far: bool) -> Load {
    /// What a renderer keeps of an element beside its attributes, as bytes of markup.
    const ELEMENT: f64 = 96.0;
    /// A character becomes an outline of some forty points.
    const CHARACTER: f64 = 32.0;
    let mut bytes = ELEMENT;
    let mut corners = 0.0;
    let mut far_curves = 0;
    for attribute in node.attributes() {
        let length = (attribute.name().len() + attribute.value().len()) as f64;
        // Pictures in base 64 are no markup, and the resolver counts their pixels.
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
