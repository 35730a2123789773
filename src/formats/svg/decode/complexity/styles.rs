//! The style sheets of an SVG: the references in them, and limits on their selectors.

use resvg::usvg::roxmltree::{Document, Node};
use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};

use super::coordinates::makes_far;
use super::references::References;
use crate::error::{Error, Result};

/// The maximum number of elements and combinators in a selector: `a > b + c` has five.
const MAX_SELECTOR: usize = 16;
/// The maximum number of comparisons of selectors with elements.
const MAX_COMPARISONS: f64 = 2e8;

/// The style sheets of a document.
pub(super) struct Styles<'a> {
    sheet: StyleSheet<'a>,
    /// The maximum number of comparisons for an element.
    comparisons: f64,
}

impl<'a> Styles<'a> {
    pub(super) fn read<'input>(document: &'a Document<'input>) -> Result<Self> {
        let mut sheet = StyleSheet::new();
        let (mut sheets, mut bytes) = (0.0, 0.0);
        for node in document.descendants().filter(|node| node.has_tag_name("style")) {
            if node.attribute("type").is_some_and(|kind| kind != "text/css") {
                continue;
            }
            let text = node.text().unwrap_or_default();
            sheets += 1.0;
            bytes += text.len() as f64;
            // The rules are sorted again for each style element.
            if sheets * bytes > MAX_COMPARISONS {
                return Err(too_complex());
            }
            sheet.parse_more(text);
        }
        let depth = depth(document);
        let mut comparisons = 0.0;
        for rule in &sheet.rules {
            // For example "a b > c + d".
            let selector = rule.selector.to_string();
            let pieces = selector.split(' ').count();
            let symbols = selector.split(' ').filter(|piece| matches!(*piece, ">" | "+")).count();
            if pieces > MAX_SELECTOR {
                return Err(too_complex());
            }
            // A descendant combinator may test every ancestor.
            let ancestors = pieces.saturating_sub(2 * symbols + 1);
            comparisons += (1..=ancestors).fold(1.0, |tries, nth| tries * depth / nth as f64);
        }
        let styles = Self { sheet, comparisons };
        styles.check(document.descendants().count() as f64).map(|()| styles)
    }

    pub(super) fn check(&self, elements: f64) -> Result<()> {
        match elements * self.comparisons > MAX_COMPARISONS {
            true => Err(too_complex()),
            false => Ok(()),
        }
    }

    pub(super) fn is_far(&self) -> bool {
        self.declarations().any(|(name, value)| makes_far(name, value))
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let declarations = self.sheet.rules.iter().flat_map(|rule| &rule.declarations);
        declarations.map(|declaration| (declaration.name, declaration.value))
    }

    pub(super) fn apply(&self, node: Node<'a, '_>, found: &mut References<'a>) {
        for rule in &self.sheet.rules {
            if rule.declarations.iter().any(|declaration| declaration.value.contains("url("))
                && rule.selector.matches(&Styled(node))
            {
                for declaration in &rule.declarations {
                    found.property(declaration.name, declaration.value);
                }
            }
        }
    }
}

fn too_complex() -> Error {
    Error::corrupt("SVG", "its style sheet is too intricate")
}

/// The maximum nesting.
fn depth(document: &Document<'_>) -> f64 {
    let mut depths: Vec<u32> = Vec::new();
    let mut deepest = 0;
    for node in document.descendants() {
        let depth = node.parent().map_or(0, |parent| depths[parent.id().get_usize()] + 1);
        depths.resize(node.id().get_usize(), 0);
        depths.push(depth);
        deepest = deepest.max(depth);
    }
    f64::from(deepest)
}

/// An element as selectors match it.
struct Styled<'a, 'input>(Node<'a, 'input>);

impl Element for Styled<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Self)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Self)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        class == PseudoClass::FirstChild && self.prev_sibling_element().is_none()
    }
}
