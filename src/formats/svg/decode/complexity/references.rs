//! The references of an element by attributes and styles: paint servers, masks, filters, markers.

use simplecss::DeclarationTokenizer;

/// The targets of an element's references.
#[derive(Default)]
pub(super) struct References<'a> {
    pub(super) direct: Vec<&'a str>,
    pub(super) fill: Option<&'a str>,
    pub(super) stroke: Option<&'a str>,
    pub(super) markers: Vec<&'a str>,
    pub(super) has_fill: bool,
    pub(super) has_stroke: bool,
    pub(super) has_markers: bool,
}

impl<'a> References<'a> {
    pub(super) fn declarations(&mut self, style: &'a str) {
        for declaration in DeclarationTokenizer::from(style) {
            self.property(declaration.name, declaration.value);
        }
    }

    pub(super) fn property(&mut self, name: &str, value: &'a str) {
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

/// The elements of this document that a value references as `url(#name)`.
fn names(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        rest.strip_prefix('#')?.split(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '\'')).next()
    })
}
