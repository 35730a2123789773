//! Walks the page tree (ISO 32000-1, 7.7.3) and the appearances of annotations (12.5.5).

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::graph::{Id, reference};
use super::super::matrix::Matrix;
use super::{ContentInterpreter, MAX_CONTENT};

/// The maximum depth of the page tree.
const MAX_TREE: usize = 64;
/// Points per inch.
const POINTS: f64 = 72.0;

impl<'a> ContentInterpreter<'a> {
    /// Walks a node of the page tree.
    pub(super) fn node(
        &mut self,
        node: &'a Value,
        inherited: &'a Value,
        path: &mut BTreeSet<Id>,
        depth: usize,
    ) {
        let resources = match self.graph.member(node, "/Resources") {
            Value::Null => inherited,
            own => own,
        };
        let Some(kids) = self.graph.member(node, "/Kids").as_array() else {
            return self.page(node, resources);
        };
        if depth >= MAX_TREE {
            self.tokens = 0;
            return;
        }
        for kid in kids {
            if reference(kid).is_none_or(|id| path.insert(id)) {
                self.node(self.graph.resolve(kid), resources, path, depth + 1);
            }
        }
    }

    fn page(&mut self, page: &'a Value, resources: &'a Value) {
        let unit = self.graph.member(page, "/UserUnit").as_f64().unwrap_or(1.0) / POINTS;
        let matrix = Matrix::scale(unit, unit);
        let contents = page.get("/Contents").unwrap_or(&Value::Null);
        let parts: Vec<&Value> = match self.graph.resolve(contents) {
            Value::Array(parts) => parts.iter().collect(),
            _ => vec![contents],
        };
        let mut content = Vec::new();
        for part in parts.into_iter().filter(|part| !part.is_null()) {
            match self.content(part) {
                Some(bytes) if (content.len() + bytes.len()) as u64 <= MAX_CONTENT => content.extend(bytes),
                _ => self.mark_unbounded(resources, 0),
            }
            content.push(b'\n');
        }
        self.interpret(&content, resources, matrix, 0);
        for annotation in self.graph.member(page, "/Annots").as_array().into_iter().flatten() {
            self.annotation(self.graph.resolve(annotation), matrix);
        }
    }

    /// Interprets all appearances of an annotation, in all states.
    fn annotation(&mut self, annotation: &'a Value, page: Matrix) {
        let Some(states) = self.graph.member(annotation, "/AP").as_object() else { return };
        let rectangle = self.rectangle(self.graph.member(annotation, "/Rect"));
        for state in states.values() {
            let appearances: Vec<&Value> = match self.graph.resolve(state) {
                Value::Object(members) if !members.contains_key("/BBox") => members.values().collect(),
                _ => vec![state],
            };
            for appearance in appearances {
                match rectangle.and_then(|rectangle| self.onto(appearance, rectangle)) {
                    Some(fit) => self.form(appearance, &Value::Null, fit.then(page), 0),
                    None => self
                        .mark_unbounded(self.graph.member(self.graph.resolve(appearance), "/Resources"), 0),
                }
            }
        }
    }

    /// The matrix that maps the box of an appearance to the rectangle of its annotation.
    fn onto(&self, appearance: &Value, rectangle: [f64; 4]) -> Option<Matrix> {
        let form = self.graph.resolve(appearance);
        let (width, height) = self.matrix(form)?.bounds(self.rectangle(self.graph.member(form, "/BBox"))?);
        let [x0, y0, x1, y1] = rectangle;
        let fit = Matrix::scale((x1 - x0).abs() / width, (y1 - y0).abs() / height);
        fit.0.iter().all(|number| number.is_finite()).then_some(fit)
    }
}
