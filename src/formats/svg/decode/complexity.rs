//! What a drawing unfolds to, found out before anything is unfolded. A reference (`use`, a pattern, a mask, a marker …) is a
//! copy of what it names, and copies of copies double with each step; renderers build them all, and step into each other
//! as deep as they nest.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node};
use simplecss::{AttributeOperator, DeclarationTokenizer, Element, PseudoClass, StyleSheet};

use crate::error::{Error, Result};
use crate::formats::svg::decode::path;
use crate::formats::svg::xml::{self, Token};
use crate::limits::Limits;

/// The deepest nesting, in steps of about 34 KB of stack: 7 MB of the 8 MB that the build for WebAssembly has (`build.rs`). A plain
/// element is a step.
const MAX_STEPS: u32 = 200;
/// Steps of an element that is drawn by way of another, or that holds text.
const STEPS_OF_REFERENCE: u32 = 4;
/// Tags inside each other, drawn or not, that an XML parser takes in linear time.
const MAX_DEPTH: usize = 250;
/// Attributes of an element, which are compared with each other.
const MAX_ATTRIBUTES: usize = 256;
/// Namespaces in scope, which are copied from element to element.
const MAX_NAMESPACES: usize = 64;
/// Bytes that entities may unfold to.
const MAX_UNFOLDED: usize = 16 << 20;
/// Elements and combinators of a selector: `a > b + c` has five.
const MAX_SELECTOR: usize = 16;
/// Comparisons of selectors with elements.
const MAX_COMPARISONS: f64 = 2e8;
/// Comparisons of the letters of a text with each other, which laying it out takes.
const MAX_LAYOUT: f64 = 5e8;

/// Coordinates and widths beyond this have no place behind the point in the renderer's 24-bit numbers. It outlines curves
/// there in millions of pieces.
const FAR: f64 = 4e6;
/// Coordinates beyond this cannot be drawn, and lose the renderer in its sums before it finds out.
const BEYOND: f64 = 1e9;
/// No number may be larger, whatever it measures: sums and products of such leave what a renderer's numbers hold.
const LARGEST: f64 = 1e12;
/// What each such curve counts, beside [`MAX_LAYOUT`].
const FAR_CURVE: f64 = 2e8;

const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Refuses markup that takes an XML parser more than linear time or memory.
pub(crate) fn check_markup(text: &str) -> Result<()> {
    let malformed = |_| Error::corrupt("SVG", "its markup is broken");
    let mut namespaces: Vec<usize> = Vec::new();
    let (mut of_entities, mut depth_of_entities, mut largest, mut references) = (1, 0, 0, 0);
    for token in xml::tokens(text) {
        match token.map_err(malformed)? {
            Token::Doctype(doctype) => {
                for (_, value) in xml::declared_entities(doctype) {
                    depth_of_entities += value.matches('<').count();
                    largest = largest.max(value.len());
                    if xml::entities(value).next().is_some() {
                        // What the parser allows in one reference.
                        of_entities = 256;
                    }
                }
                if doctype.matches("<!ENTITY").count() > MAX_ATTRIBUTES {
                    return Err(Error::corrupt("SVG", "it declares too many entities"));
                }
            }
            Token::Start { attributes, empty, .. } => {
                let (mut count, mut declared) = (0, namespaces.last().copied().unwrap_or(0));
                for attribute in xml::attributes(attributes) {
                    let (name, ..) = attribute.map_err(malformed)?;
                    count += 1;
                    declared += usize::from(name.starts_with("xmlns"));
                }
                references += xml::entities(attributes).count();
                if count > MAX_ATTRIBUTES || declared > MAX_NAMESPACES {
                    return Err(Error::corrupt("SVG", "an element has too many attributes"));
                }
                if !empty {
                    namespaces.push(declared);
                }
                if namespaces.len() + depth_of_entities > MAX_DEPTH {
                    return Err(too_deep());
                }
            }
            Token::End(_) => {
                namespaces.pop();
            }
            Token::Text(text) => references += xml::entities(text).count(),
            Token::Instruction(_) | Token::Comment(_) | Token::Cdata(_) => {}
        }
        if references.saturating_mul(of_entities).saturating_mul(largest) > MAX_UNFOLDED {
            return Err(Error::corrupt("SVG", "its entities unfold to too much"));
        }
    }
    Ok(())
}

fn too_deep() -> Error {
    Error::corrupt("SVG", "its elements are nested too deeply")
}

/// Bytes of memory that a renderer keeps for what the drawing unfolds to, in its lists of elements: about eight for each of
/// the markup.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`] where elements are nested too deeply, refer to themselves, or meet a style sheet that is
/// too intricate; [`crate::ErrorCode::TooMuchMemory`].
pub(crate) fn measure(document: &Document<'_>, limits: &Limits) -> Result<u64> {
    let styles = Styles::read(document)?;
    if has_endless_numbers(document) || styles.declarations().any(|(_, value)| has_endless_number(value)) {
        return Err(Error::corrupt("SVG", "its coordinates are too large to be drawn"));
    }
    let load = Expansion::new(document, styles, limits).load(document.root_element(), 0)?;
    Ok(load.memory())
}

/// What an element with all that it holds and names amounts to.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    /// Bytes of markup.
    bytes: f64,
    /// Elements, for the style sheet.
    elements: f64,
    /// Elements whose fill, stroke and markers are those of an element around it.
    fills: f64,
    strokes: f64,
    /// Corners at which a marker of an element around it would be drawn.
    corners: f64,
    /// Comparisons of letters.
    layout: f64,
    /// Nesting.
    steps: u32,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Load),
}

struct Expansion<'a, 'input> {
    /// The first and the last element of a name: programs differ in which they take.
    names: HashMap<&'a str, (Node<'a, 'input>, Node<'a, 'input>)>,
    states: Vec<State>,
    styles: Styles<'a>,
    limits: &'a Limits,
    /// Some lines are so wide, or some letters so large, that every curve may be far.
    is_far: bool,
}

/// What an element names.
#[derive(Default)]
struct References<'a> {
    direct: Vec<&'a str>,
    fill: Option<&'a str>,
    stroke: Option<&'a str>,
    markers: Vec<&'a str>,
    has_fill: bool,
    has_stroke: bool,
    has_markers: bool,
}

impl<'a, 'input> Expansion<'a, 'input> {
    fn new(document: &'a Document<'input>, styles: Styles<'a>, limits: &'a Limits) -> Self {
        let mut names = HashMap::new();
        let mut last = 0;
        let mut is_far = styles.is_far();
        for node in document.descendants() {
            last = node.id().get_usize();
            is_far |= node.attributes().any(|attribute| match attribute.name() {
                "style" => DeclarationTokenizer::from(attribute.value())
                    .any(|declaration| makes_far(declaration.name, declaration.value)),
                name => makes_far(name, attribute.value()),
            });
            if let Some(name) = node.attribute("id") {
                names.entry(name).and_modify(|(_, last)| *last = node).or_insert((node, node));
            }
        }
        Self { names, states: vec![State::New; last + 1], styles, limits, is_far }
    }

    /// `above` are the steps that lead here.
    fn load(&mut self, node: Node<'a, 'input>, above: u32) -> Result<Load> {
        let index = node.id().get_usize();
        match self.states[index] {
            State::Done(load) if above + load.steps > MAX_STEPS => return Err(too_deep()),
            State::Done(load) => return Ok(load),
            State::Open => return Err(Error::corrupt("SVG", "an element refers to itself")),
            State::New if above > MAX_STEPS => return Err(too_deep()),
            State::New => self.states[index] = State::Open,
        }
        let load = self.unfold(node, above)?;
        self.states[index] = State::Done(load);
        Ok(load)
    }

    fn unfold(&mut self, node: Node<'a, 'input>, above: u32) -> Result<Load> {
        let kind = node.tag_name().name();
        let holds_text = matches!(kind, "text" | "tspan" | "textPath" | "tref");
        let mut load = own(node, kind, holds_text, self.is_far);
        let own_steps = match kind {
            "use" | "pattern" | "marker" | "svg" | "symbol" => STEPS_OF_REFERENCE,
            _ if holds_text => STEPS_OF_REFERENCE,
            _ => 1,
        };
        let above = above + own_steps;
        let references = self.references(node, kind);
        let mut below = 0;
        for child in node.children().filter(Node::is_element) {
            let child = self.load(child, above)?;
            below = below.max(load.add(child, 1.0));
        }
        for name in &references.direct {
            below = below.max(self.add(&mut load, name, 1.0, above)?);
        }
        let mut inherited = 0;
        if let Some(name) = references.fill {
            let fills = load.fills;
            inherited = inherited.max(self.add(&mut load, name, fills, above)?);
        }
        if let Some(name) = references.stroke {
            let strokes = load.strokes;
            inherited = inherited.max(self.add(&mut load, name, strokes, above)?);
        }
        let corners = load.corners;
        for name in &references.markers {
            inherited = inherited.max(self.add(&mut load, name, corners, above)?);
        }
        load.fills = if references.has_fill { 0.0 } else { load.fills };
        load.strokes = if references.has_stroke { 0.0 } else { load.strokes };
        load.corners = if references.has_markers { 0.0 } else { load.corners };
        load.steps = own_steps + below + inherited;
        if above - own_steps + load.steps > MAX_STEPS {
            return Err(too_deep());
        }
        self.styles.check(load.elements)?;
        if load.layout > MAX_LAYOUT {
            return Err(Error::corrupt("SVG", "a text in it is too long, or its curves are too large"));
        }
        self.limits.check_memory(load.memory())?;
        Ok(load)
    }

    /// Adds what a name stands for, so many times, and tells its steps.
    fn add(&mut self, load: &mut Load, name: &str, times: f64, above: u32) -> Result<u32> {
        let Some(&(first, last)) = self.names.get(name) else { return Ok(0) };
        let mut named = self.load(first, above)?;
        if last != first {
            let steps = named.add(self.load(last, above)?, 1.0);
            named.steps = named.steps.max(steps);
        }
        Ok(load.add(named, times))
    }

    fn references(&self, node: Node<'a, 'input>, kind: &str) -> References<'a> {
        let mut found = References::default();
        for attribute in node.attributes() {
            if attribute.name() == "style" {
                found.declarations(attribute.value());
            }
            if attribute.name() == "href"
                && attribute.namespace().is_none_or(|namespace| namespace == XLINK)
                && matches!(
                    kind,
                    "use"
                        | "pattern"
                        | "linearGradient"
                        | "radialGradient"
                        | "filter"
                        | "feImage"
                        | "textPath"
                        | "tref"
                )
            {
                found.direct.extend(attribute.value().trim().strip_prefix('#'));
            }
            found.property(attribute.name(), attribute.value());
        }
        self.styles.apply(node, &mut found);
        found
    }
}

impl Load {
    fn memory(&self) -> u64 {
        (self.bytes * 8.0) as u64
    }

    /// Adds another so many times, and tells its steps.
    fn add(&mut self, other: Self, times: f64) -> u32 {
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
fn own(node: Node<'_, '_>, kind: &str, holds_text: bool, is_far: bool) -> Load {
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

/// Some attribute measures something with a number beyond all bounds. Names, addresses and texts measure nothing, and how far
/// paths reach is looked at by itself.
fn has_endless_numbers(document: &Document<'_>) -> bool {
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
fn has_endless_number(value: &str) -> bool {
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
fn makes_far(name: &str, value: &str) -> bool {
    match name {
        "stroke-width" => is_long(value, FAR),
        // In units of the font, whose letters are 2048 or fewer high.
        "font-size" | "font" => value.split_whitespace().any(|size| is_long(size, FAR / 10.0)),
        _ => false,
    }
}

/// A length that may be longer than `bound` pixels. Units are a hundred pixels at most, or a share of the drawing.
fn is_long(length: &str, bound: f64) -> bool {
    let Some((number, unit)) = path::split_number(length.trim()) else { return false };
    let bound = if unit.is_empty() { bound } else { bound / 100.0 };
    number.parse().is_ok_and(|number: f64| number.abs() > bound)
}

impl<'a> References<'a> {
    fn declarations(&mut self, style: &'a str) {
        for declaration in DeclarationTokenizer::from(style) {
            self.property(declaration.name, declaration.value);
        }
    }

    fn property(&mut self, name: &str, value: &'a str) {
        match name {
            "clip-path" | "mask" | "filter" => self.direct.extend(names(value)),
            "fill" => {
                self.has_fill = true;
                self.fill = names(value).next().or(self.fill);
            }
            "stroke" => {
                self.has_stroke = true;
                self.stroke = names(value).next().or(self.stroke);
            }
            "marker" | "marker-start" | "marker-mid" | "marker-end" => {
                self.has_markers = true;
                self.markers.extend(names(value));
            }
            _ => {}
        }
    }
}

/// The elements of this document that a value names as `url(#name)`.
fn names(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        rest.strip_prefix('#')?.split(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '\'')).next()
    })
}

/// The style sheet of a document.
struct Styles<'a> {
    sheet: StyleSheet<'a>,
    /// Comparisons that an element takes at most.
    comparisons: f64,
}

impl<'a> Styles<'a> {
    fn read<'input>(document: &'a Document<'input>) -> Result<Self> {
        let mut sheet = StyleSheet::new();
        let (mut sheets, mut bytes) = (0.0, 0.0);
        for node in document.descendants().filter(|node| node.has_tag_name("style")) {
            if node.attribute("type").is_some_and(|kind| kind != "text/css") {
                continue;
            }
            let text = node.text().unwrap_or_default();
            sheets += 1.0;
            bytes += text.len() as f64;
            // The rules are sorted again with each sheet.
            if sheets * bytes > MAX_COMPARISONS {
                return Err(too_intricate());
            }
            sheet.parse_more(text);
        }
        let depth = depth(document);
        let mut comparisons = 0.0;
        for rule in &sheet.rules {
            // As "a b > c + d".
            let selector = rule.selector.to_string();
            let pieces = selector.split(' ').count();
            let symbols = selector.split(' ').filter(|piece| matches!(*piece, ">" | "+")).count();
            if pieces > MAX_SELECTOR {
                return Err(too_intricate());
            }
            // At each "somewhere inside" every ancestor may be tried.
            let ancestors = pieces.saturating_sub(2 * symbols + 1);
            comparisons += (1..=ancestors).fold(1.0, |tries, nth| tries * depth / nth as f64);
        }
        let styles = Self { sheet, comparisons };
        styles.check(document.descendants().count() as f64).map(|()| styles)
    }

    fn check(&self, elements: f64) -> Result<()> {
        match elements * self.comparisons > MAX_COMPARISONS {
            true => Err(too_intricate()),
            false => Ok(()),
        }
    }

    fn is_far(&self) -> bool {
        self.declarations().any(|(name, value)| makes_far(name, value))
    }

    fn declarations(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let declarations = self.sheet.rules.iter().flat_map(|rule| &rule.declarations);
        declarations.map(|declaration| (declaration.name, declaration.value))
    }

    fn apply(&self, node: Node<'a, '_>, found: &mut References<'a>) {
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

fn too_intricate() -> Error {
    Error::corrupt("SVG", "its style sheet is too intricate")
}

/// The most elements inside each other.
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

/// An element as the style sheet sees it.
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
