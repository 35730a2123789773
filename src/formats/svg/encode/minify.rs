//! Writes the same document in fewer characters: parts that are not rendered are removed, the others are written
//! shorter.
//!
//! Scripts, event handlers, animations, links, titles and descriptions are kept, and so is white space in text.

use crate::formats::svg::encode::analyze::{self, Analysis};
use crate::formats::svg::encode::number::{self, Precision};
use crate::formats::svg::encode::{color, path, qualified, style};
use crate::formats::svg::xml::{self, Malformed, Token};

/// How much of a document is rewritten: each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Only metadata is removed.
    Metadata,
    /// Everything is written shorter; numbers keep their values.
    Exact,
    /// Numbers are rounded.
    Rounded,
}

/// Namespaces of editor data and annotations.
const EDITOR_NAMESPACES: [&str; 16] = [
    "http://creativecommons.org/ns#",
    "http://krita.org/namespaces/",
    "http://ns.adobe.com/",
    "http://purl.org/dc/",
    "http://schemas.microsoft.com/visio/",
    "http://sodipodi.sourceforge.net/",
    "http://svgjs.",
    "http://vectornator.io",
    "http://web.resource.org/cc/",
    "http://www.bohemiancoding.com/sketch/",
    "http://www.figma.com/",
    "http://www.inkscape.org/namespaces/",
    "http://www.serif.com/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://xml.openoffice.org/svg/export",
    "https://boxy-svg.com",
];

const SVG: &str = "http://www.w3.org/2000/svg";

/// Rewrites a document. With `keep_metadata`, metadata, comments and editor data are kept. `size` is that of the SVG, in
/// pixels.
pub(crate) fn document(
    text: &str,
    keep_metadata: bool,
    size: (f32, f32),
    level: Level,
) -> Result<String, Malformed> {
    let all = xml::tokens(text).collect::<Result<Vec<_>, _>>()?;
    let namespaces = analyze::namespaces(&all);
    let is_drawn = |prefix: &str| prefix.is_empty() || namespaces.get(prefix) == Some(&SVG);
    let is_editor_data = |name: &str| {
        let namespace = namespaces.get(qualified(name).0);
        !keep_metadata
            && namespace
                .is_some_and(|namespace| EDITOR_NAMESPACES.iter().any(|prefix| namespace.starts_with(prefix)))
    };
    let is_metadata = |name: &str| {
        let (prefix, local) = qualified(name);
        !keep_metadata && local == "metadata" && is_drawn(prefix)
    };
    let kept = kept(all, keep_metadata, &|name| is_editor_data(name) || is_metadata(name))?;
    let mut analysis = analyze::analyze(&kept, size);
    if level != Level::Rounded {
        analysis.precision = Precision::Exact;
    }
    let out = String::with_capacity(text.len());
    let writer =
        Writer { out, keep_metadata, level, analysis, is_editor_data: &is_editor_data, is_drawn: &is_drawn };
    Ok(writer.write(&kept))
}

/// The tokens that are kept.
fn kept<'a>(
    all: Vec<Token<'a>>,
    keep_metadata: bool,
    is_removed: &dyn Fn(&str) -> bool,
) -> Result<Vec<Token<'a>>, Malformed> {
    let mut kept = Vec::with_capacity(all.len());
    let (mut open, mut skipped): (Vec<&str>, _) = (Vec::new(), None);
    for token in all {
        match token {
            Token::Start { name, empty, .. } => {
                let is_removed = is_removed(name);
                if skipped.is_none() && !is_removed {
                    kept.push(token);
                }
                if !empty {
                    if is_removed && skipped.is_none() {
                        skipped = Some(open.len());
                    }
                    open.push(name);
                }
            }
            Token::End(name) => {
                if open.pop() != Some(name) {
                    return Err(Malformed);
                }
                match skipped {
                    Some(depth) if depth == open.len() => skipped = None,
                    Some(_) => {}
                    None => kept.push(token),
                }
            }
            _ if skipped.is_some() => {}
            Token::Comment(_) if !keep_metadata => {}
            // A style sheet affects rendering; packets of editors do not. The output is UTF-8, which needs no
            // declaration.
            Token::Instruction(data) => match data.split(xml::is_space).next() {
                Some("xml-stylesheet") => kept.push(token),
                Some("xml") => {}
                _ if keep_metadata => kept.push(token),
                _ => {}
            },
            _ => kept.push(token),
        }
    }
    if open.is_empty() { Ok(kept) } else { Err(Malformed) }
}

struct Writer<'a, 'n> {
    out: String,
    keep_metadata: bool,
    level: Level,
    analysis: Analysis<'a>,
    is_editor_data: &'n dyn Fn(&str) -> bool,
    /// Whether elements with a prefix are kept.
    is_drawn: &'n dyn Fn(&str) -> bool,
}

impl<'a> Writer<'a, '_> {
    fn write(mut self, tokens: &[Token<'a>]) -> String {
        // The open elements, and whether white space in them is text.
        let mut open: Vec<(&str, bool)> = Vec::new();
        let mut childless = false;
        for (index, token) in tokens.iter().enumerate() {
            let (parent, is_text) = open.last().copied().unwrap_or(("", false));
            let was_childless = std::mem::replace(&mut childless, false);
            match *token {
                Token::Start { name, attributes, empty } => {
                    self.start(name, attributes, open.is_empty(), is_text);
                    if empty {
                        self.out.push_str("/>");
                    } else {
                        self.out.push('>');
                        childless = true;
                        open.push((name, is_text || self.holds_text(name)));
                    }
                }
                Token::End(name) => {
                    open.pop();
                    if was_childless && self.level != Level::Metadata {
                        self.out.pop();
                        self.out.push_str("/>");
                    } else {
                        self.out.push_str("</");
                        self.out.push_str(name);
                        self.out.push('>');
                    }
                }
                Token::Text(text) => {
                    let layout = text.chars().all(xml::is_space) && !is_text;
                    let shortens = self.level != Level::Metadata;
                    let is_alone = was_childless && matches!(tokens.get(index + 1), Some(Token::End(_)));
                    if shortens && qualified(parent).1 == "style" && is_alone && !text.contains('&') {
                        self.out.push_str(&style::sheet(text));
                    } else if shortens && layout {
                        childless = was_childless;
                    } else {
                        self.out.push_str(text);
                    }
                }
                Token::Cdata(data) => self.data(data, parent),
                Token::Comment(comment) => self.out.push_str(comment),
                Token::Instruction(data) => {
                    self.out.push_str("<?");
                    self.out.push_str(data);
                    self.out.push_str("?>");
                }
                // Without entities, only rules for validators remain.
                Token::Doctype(doctype) => {
                    if self.analysis.has_entities || doctype.contains("<!ATTLIST") {
                        self.out.push_str(doctype);
                    }
                }
            }
        }
        self.out
    }

    fn data(&mut self, data: &str, parent: &str) {
        let is_sheet = qualified(parent).1 == "style" && self.level != Level::Metadata;
        if is_sheet && !data.contains(['<', '&']) {
            self.out.push_str(&style::sheet(data));
        } else {
            self.out.push_str("<![CDATA[");
            self.out.push_str(data);
            self.out.push_str("]]>");
        }
    }

    fn start(&mut self, name: &str, attributes: &str, is_root: bool, is_text: bool) {
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value, quote) in xml::attributes(attributes).flatten() {
            if self.is_removed(attribute, is_root) {
                continue;
            }
            let short = match is_text {
                true => None,
                false => self.value(qualified(name).1, attribute, value),
            };
            let value = short.as_deref().filter(|short| short.len() <= value.len()).unwrap_or(value);
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push('=');
            self.out.push(quote);
            self.out.push_str(value);
            self.out.push(quote);
        }
    }

    /// Whether white space in the element is significant.
    fn holds_text(&self, name: &str) -> bool {
        let (prefix, local) = qualified(name);
        !(self.is_drawn)(prefix)
            || matches!(local, "text" | "title" | "desc" | "style" | "script" | "foreignObject" | "metadata")
    }

    /// Whether an attribute has no effect on rendering.
    fn is_removed(&self, name: &str, is_root: bool) -> bool {
        if let Some(prefix) = name.strip_prefix("xmlns:") {
            let is_used = self.analysis.used.contains(prefix) || self.analysis.has_script;
            return !is_used || (self.is_editor_data)(&format!("{prefix}:"));
        }
        (self.is_editor_data)(name)
            || (!self.keep_metadata && name == "enable-background")
            || (is_root && self.level != Level::Metadata && matches!(name, "version" | "baseProfile"))
    }

    /// A shorter value with the same meaning.
    fn value(&self, element: &str, name: &str, value: &str) -> Option<String> {
        if self.level == Level::Metadata || value.contains('&') {
            return None;
        }
        let precision = self.analysis.precision;
        match name {
            "d" if element == "path" => path::shorten(value, precision),
            "points" => number::shorten_list(value, precision),
            "style" => Some(style::attribute(value, self.keep_metadata)),
            "transform" | "class" => Some(value.split_whitespace().collect::<Vec<_>>().join(" ")),
            "fill" | "stroke" | "stop-color" | "flood-color" | "lighting-color" | "color" => {
                color(name, value)
            }
            _ if is_length(element, name) => number::shorten(value, precision),
            _ => None,
        }
    }
}

/// A coordinate, a length or a radius of a shape.
fn is_length(element: &str, name: &str) -> bool {
    match element {
        "rect" => matches!(name, "x" | "y" | "width" | "height" | "rx" | "ry"),
        "circle" | "ellipse" => matches!(name, "cx" | "cy" | "r" | "rx" | "ry"),
        "line" => matches!(name, "x1" | "y1" | "x2" | "y2"),
        _ => false,
    }
}
