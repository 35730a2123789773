//! Determines the size at which images are drawn, by interpreting all content streams, forms, patterns, soft masks and annotation
//! appearances (ISO 32000-1, 8.10, 8.7.3, 11.6.5.2, 12.5.5).
//!
//! If content cannot be interpreted, or exceeds a limit, the images that it may draw are *unbounded*: they keep all their pixels.

mod pages;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::filters::{self, Decoded};
use super::graph::{Graph, Id, name, reference};
use super::lexer::{Lexer, Token};
use super::matrix::Matrix;

/// The maximum nesting of forms.
const MAX_DEPTH: usize = 24;
/// The maximum nesting of `q` operators.
const MAX_STACK: usize = 512;
/// The maximum number of tokens of all content streams.
const MAX_TOKENS: u64 = 100_000_000;
/// The maximum size of a content stream in bytes.
const MAX_CONTENT: u64 = 256 << 20;
/// The largest width and height in inches at which each image is drawn.
pub(super) type Sizes = BTreeMap<Id, (f64, f64)>;

/// The sizes of the images whose uses are all known.
pub(super) fn sizes(graph: &Graph) -> Sizes {
    let mut survey = ContentInterpreter {
        graph,
        sizes: Sizes::new(),
        boundless: BTreeSet::new(),
        seen: HashSet::new(),
        tokens: MAX_TOKENS,
    };
    for object in graph.objects.values() {
        // Type 3 glyphs may be drawn at any size.
        if graph.member(&object.value, "/Subtype") == "/Type3" {
            survey.mark_unbounded(graph.member(&object.value, "/Resources"), 0);
        }
    }
    let pages = graph.member(graph.catalog(), "/Pages");
    survey.node(pages, &Value::Null, &mut BTreeSet::new(), 0);
    if survey.tokens == 0 {
        return Sizes::new();
    }
    let boundless = survey.boundless;
    survey.sizes.into_iter().filter(|(id, _)| !boundless.contains(id)).collect()
}

struct ContentInterpreter<'a> {
    graph: &'a Graph,
    sizes: Sizes,
    boundless: BTreeSet<Id>,
    /// Forms and the matrices with which they were interpreted.
    seen: HashSet<(Id, [i64; 4])>,
    /// The remaining number of tokens.
    tokens: u64,
}

impl<'a> ContentInterpreter<'a> {
    fn content(&self, stream: &Value) -> Option<Vec<u8>> {
        let id = reference(stream)?;
        let data = self.graph.data(id, MAX_CONTENT)?;
        match filters::decode(self.graph, self.graph.resolve(stream), data, MAX_CONTENT)? {
            Decoded::Plain(content) => Some(content),
            Decoded::Jpeg(_) => None,
        }
    }

    fn rectangle(&self, value: &Value) -> Option<[f64; 4]> {
        self.graph.numbers(value).try_into().ok()
    }

    /// The matrix of a form or a pattern; `None` if malformed.
    fn matrix(&self, form: &Value) -> Option<Matrix> {
        match self.graph.member(form, "/Matrix") {
            Value::Null => Some(Matrix::IDENTITY),
            matrix => Matrix::of(&self.graph.numbers(matrix)),
        }
    }

    /// Interprets a form, a tiling pattern or the group of a soft mask.
    fn form(&mut self, form: &'a Value, outer: &'a Value, matrix: Matrix, depth: usize) {
        let value = self.graph.resolve(form);
        let resources = match self.graph.member(value, "/Resources") {
            Value::Null => outer,
            own => own,
        };
        let (Some(id), Some(own)) = (reference(form), self.matrix(value)) else {
            return self.mark_unbounded(resources, 0);
        };
        let matrix = own.then(matrix);
        let [a, b, c, d, ..] = matrix.0.map(|number| (number * 1e6) as i64);
        if !self.seen.insert((id, [a, b, c, d])) {
            return;
        }
        match self.content(form) {
            Some(content) if depth < MAX_DEPTH => self.interpret(&content, resources, matrix, depth + 1),
            _ => self.mark_unbounded(resources, 0),
        }
    }

    /// Interprets the operators of a content stream that draw or change the transformation.
    fn interpret(&mut self, content: &[u8], resources: &'a Value, base: Matrix, depth: usize) {
        let mut matrix = base;
        let mut stack = Vec::new();
        let mut numbers: Vec<f64> = Vec::new();
        let mut last_name = None;
        for token in Lexer::new(content) {
            self.tokens = self.tokens.saturating_sub(1);
            if self.tokens == 0 {
                return;
            }
            let operator = match token {
                Token::Number(number) => {
                    if numbers.len() >= 6 {
                        numbers.remove(0);
                    }
                    numbers.push(number);
                    continue;
                }
                Token::Name(name) => {
                    last_name = Some(name);
                    continue;
                }
                Token::Other => continue,
                Token::Operator(operator) => operator,
            };
            match (operator, last_name.take()) {
                (b"q", _) if stack.len() < MAX_STACK => stack.push(matrix),
                (b"q", _) => return self.mark_unbounded(resources, 0),
                (b"Q", _) => matrix = stack.pop().unwrap_or(matrix),
                (b"cm", _) => match Matrix::of(&numbers) {
                    Some(change) => matrix = change.then(matrix),
                    None => return self.mark_unbounded(resources, 0),
                },
                (b"Do", Some(name)) => self.draw(&name, resources, matrix, depth),
                (b"scn" | b"SCN", Some(name)) => {
                    let pattern = self.entry(resources, "/Pattern", &name);
                    match pattern.map(|pattern| self.graph.resolve(pattern).get("/PatternType")) {
                        Some(Some(kind)) if kind.as_u64() == Some(1) => {
                            self.form(pattern.unwrap_or(&Value::Null), resources, base, depth);
                        }
                        Some(_) => {}
                        None => self.mark_unbounded(resources, 0),
                    }
                }
                (b"gs", Some(name)) => {
                    let state = self.entry(resources, "/ExtGState", &name).unwrap_or(&Value::Null);
                    let mask = self.graph.member(self.graph.resolve(state), "/SMask");
                    if let Some(group) = mask.get("/G") {
                        self.form(group, resources, matrix, depth);
                    }
                }
                _ => {}
            }
            numbers.clear();
        }
    }

    fn entry(&self, resources: &'a Value, kind: &str, name: &str) -> Option<&'a Value> {
        self.graph.member(resources, kind).get(format!("/{name}"))
    }

    fn draw(&mut self, called: &str, resources: &'a Value, matrix: Matrix, depth: usize) {
        let Some(object) = self.entry(resources, "/XObject", called) else {
            return self.mark_unbounded(resources, 0);
        };
        match (name(self.graph.member(self.graph.resolve(object), "/Subtype")), reference(object)) {
            (Some("Image"), Some(id)) => {
                let (width, height) = matrix.sides();
                let size = self.sizes.entry(id).or_insert((0.0, 0.0));
                *size = (size.0.max(width), size.1.max(height));
            }
            (Some("Form"), Some(_)) => self.form(object, resources, matrix, depth),
            _ => {}
        }
    }

    /// Marks all images in the resources as unbounded, including those of forms and patterns.
    fn mark_unbounded(&mut self, resources: &'a Value, depth: usize) {
        if depth > MAX_DEPTH {
            self.tokens = 0;
            return;
        }
        for kind in ["/XObject", "/Pattern"] {
            let entries = self.graph.member(resources, kind).as_object();
            for entry in entries.into_iter().flat_map(serde_json::Map::values) {
                let Some(id) = reference(entry) else { continue };
                if self.boundless.insert(id) {
                    self.mark_unbounded(
                        self.graph.member(self.graph.resolve(entry), "/Resources"),
                        depth + 1,
                    );
                }
            }
        }
    }
}
