//! Estimates the expanded size of an SVG before it is expanded. A reference (`use`, a pattern, a mask, a marker …) is a
//! copy of its target, and copies of copies double with each level. Renderers create all copies, and recurse as deep as
//! they nest.

mod coordinates;
mod load;
mod markup;
mod references;
mod styles;

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node};
use simplecss::DeclarationTokenizer;

use coordinates::{has_endless_number, has_endless_numbers, makes_far};
use load::{Load, own};
pub(crate) use markup::check as check_markup;
use markup::too_deep;
use references::References;
use styles::Styles;

use crate::error::{Error, Result};
use crate::limits::Limits;

/// The maximum nesting, in units of about 34 KB of stack: 7 MB of the 8 MB of the WebAssembly build (`build.rs`). An
/// ordinary element takes one unit.
const MAX_STEPS: u32 = 200;
/// The units of an element that is rendered indirectly, or that contains text.
const STEPS_OF_REFERENCE: u32 = 4;
/// The maximum number of glyph comparisons in text layout.
const MAX_LAYOUT: f64 = 5e8;

const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The estimated memory of the expanded document in bytes: about eight for each byte of markup.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`] if elements are nested too deeply, refer to themselves, or have a style sheet that is
/// too complex; [`crate::ErrorCode::TooMuchMemory`].
pub(crate) fn measure(document: &Document<'_>, limits: &Limits) -> Result<u64> {
    let styles = Styles::read(document)?;
    if has_endless_numbers(document) || styles.declarations().any(|(_, value)| has_endless_number(value)) {
        return Err(Error::corrupt("SVG", "its coordinates are too large to be drawn"));
    }
    let load = Expansion::new(document, styles, limits).load(document.root_element(), 0)?;
    Ok(load.memory())
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Load),
}

struct Expansion<'a, 'input> {
    /// The first and the last element of a name: renderers differ in which one they use.
    names: HashMap<&'a str, (Node<'a, 'input>, Node<'a, 'input>)>,
    states: Vec<State>,
    styles: Styles<'a>,
    limits: &'a Limits,
    /// Whether a line is so wide, or a glyph so large, that every curve may be far away.
    is_far: bool,
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

    /// `above` is the nesting so far.
    fn load(&mut self, node: Node<'a, 'input>, above: u32) -> Result<Load> {
        let index = node.id().get_usize();
        match self.states[index] {
            State::Done(load) if above + load.steps > MAX_STEPS => return Err(too_deep()),
            State::Done(load) => return Ok(load),
            State::Open => return Err(Error::corrupt("SVG", "an element refers to itself")),
            State::New if above > MAX_STEPS => return Err(too_deep()),
            State::New => self.states[index] = State::Open,
        }
        let load = self.expand(node, above)?;
        self.states[index] = State::Done(load);
        Ok(load)
    }

    fn expand(&mut self, node: Node<'a, 'input>, above: u32) -> Result<Load> {
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

    /// Adds the target of a name, a number of times, and returns its nesting.
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
