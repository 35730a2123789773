//! Analyzes the tokens of a document for what may be changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::svg::encode::number::{self, Precision};
use crate::formats::svg::xml::{self, Token};

/// The result of the analysis.
#[derive(Debug)]
pub(crate) struct Analysis<'a> {
    /// The prefixes that elements, attributes or values use.
    pub(crate) used: BTreeSet<&'a str>,
    /// Scripts may depend on anything.
    pub(crate) has_script: bool,
    /// Whether entities are used.
    pub(crate) has_entities: bool,
    /// How far numbers may be rounded.
    pub(crate) precision: Precision,
}

/// The rounding error is less than this fraction of a pixel, at the declared size.
const STEPS_PER_PIXEL: f64 = 1_000.0;
/// If more decimals would be needed, numbers are not rounded.
const MAX_DECIMALS: u8 = 7;

/// The namespace prefixes that a value may use.
fn prefixes(value: &str) -> impl Iterator<Item = &str> {
    let words = value.split(|c: char| c.is_whitespace() || c == ',');
    words.filter_map(|word| word.split_once(':').map(|(prefix, _)| prefix))
}

/// The scale of an element after one of its attributes. `None` if it is unknown.
fn scaled_by(scale: f64, attribute: &str, value: &str, is_inside: bool) -> Option<f64> {
    match attribute {
        "transform" => max_scale(value).map(|by| scale * by),
        "viewBox" | "preserveAspectRatio" if is_inside => None,
        _ if value == "objectBoundingBox" => None,
        "style" if value.contains("transform") || value.contains("zoom") => None,
        _ => Some(scale),
    }
}

/// Analyzes the tokens that are kept. `size` is that of the SVG, in pixels.
pub(crate) fn analyze<'a>(tokens: &[Token<'a>], size: (f32, f32)) -> Analysis<'a> {
    let mut used = BTreeSet::new();
    let (mut has_script, mut has_entities) = (false, false);
    let mut scales: Vec<Option<f64>> = Vec::new();
    let mut largest = Some(1.0);
    let mut root = None;
    for token in tokens {
        match *token {
            Token::Start { name, attributes, empty } => {
                let (prefix, local) = super::qualified(name);
                used.insert(prefix);
                has_script |= local == "script";
                has_entities |= xml::entities(attributes).next().is_some();
                let above = scales.last().copied().unwrap_or(Some(1.0));
                let mut scale = above.filter(|_| is_still(local));
                for (name, value, _) in xml::attributes(attributes).flatten() {
                    let (prefix, local) = super::qualified(name);
                    if prefix != "xmlns" {
                        used.insert(prefix);
                    }
                    used.extend(prefixes(value));
                    scale = scale.and_then(|scale| scaled_by(scale, local, value, root.is_some()));
                    // Scripts of a page, or event handlers.
                    has_script |= local.starts_with("on");
                }
                if root.is_none() {
                    root = Some(attributes);
                }
                largest = largest.zip(scale).map(|(largest, scale): (f64, f64)| largest.max(scale));
                if !empty {
                    scales.push(scale);
                }
            }
            Token::End(_) => {
                scales.pop();
            }
            Token::Text(text) | Token::Cdata(text) => {
                has_entities |= matches!(token, Token::Text(_)) && xml::entities(text).next().is_some();
                if text.contains("transform") || text.contains("zoom") || text.contains("path(") {
                    largest = None;
                }
            }
            Token::Instruction(_) | Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    let largest = largest.filter(|_| !has_script && !has_entities);
    let precision = root.zip(largest).and_then(|(root, largest)| decimals(root, largest, size));
    Analysis {
        used,
        has_script,
        has_entities,
        precision: precision.map_or(Precision::Exact, Precision::Decimals),
    }
}

/// Elements whose numbers are rendered once, in place, and are not animated.
fn is_still(name: &str) -> bool {
    !name.starts_with("animate")
        && !matches!(name, "set" | "script" | "use" | "symbol" | "marker" | "pattern" | "foreignObject")
}

/// The number of decimals for coordinates with this scale.
fn decimals(root: &str, largest: f64, (width, height): (f32, f32)) -> Option<u8> {
    let view_box = xml::attributes(root).flatten().find(|(name, ..)| *name == "viewBox");
    let scale = match view_box {
        Some((_, value, _)) => {
            let sides: Vec<f64> =
                value.split([' ', ',']).filter(|side| !side.is_empty()).flat_map(str::parse).collect();
            let [_, _, across, down] = sides[..] else { return None };
            (f64::from(width) / across).max(f64::from(height) / down)
        }
        None => 1.0,
    };
    let needed = scale * largest * STEPS_PER_PIXEL;
    (0..=MAX_DECIMALS).find(|&decimals| number::scale(decimals) >= needed).filter(|_| needed > 0.0)
}

/// The maximum scale of a transformation. `None` if it is unknown.
fn max_scale(transform: &str) -> Option<f64> {
    let mut scale = 1.0;
    let mut rest = transform.trim();
    while let Some((name, after)) = rest.split_once('(') {
        let (list, after) = after.split_once(')')?;
        let numbers: Vec<f64> = list
            .split([' ', ',', '\n', '\t', '\r'])
            .filter(|number| !number.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?;
        scale *= match (name.trim_matches([' ', ',', '\n', '\t', '\r']), &numbers[..]) {
            ("translate" | "rotate", _) => 1.0,
            ("scale", [both]) => both.abs(),
            ("scale", [across, down]) => across.abs().max(down.abs()),
            ("matrix", [a, b, c, d, _, _]) => (a * a + b * b + c * c + d * d).sqrt(),
            _ => return None,
        };
        rest = after;
    }
    Some(scale)
}

/// The namespace of each prefix, except prefixes with several namespaces.
pub(crate) fn namespaces<'a>(tokens: &[Token<'a>]) -> BTreeMap<&'a str, &'a str> {
    let mut found: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    let doctype = tokens.iter().find_map(|token| match *token {
        Token::Doctype(doctype) => Some(doctype),
        _ => None,
    });
    for token in tokens {
        let Token::Start { attributes, .. } = *token else { continue };
        for (name, value, _) in xml::attributes(attributes).flatten() {
            if let Some(prefix) = name.strip_prefix("xmlns:") {
                let meant = match xml::entities(value).next() {
                    Some(entity) => doctype
                        .and_then(|doctype| xml::declared_entities(doctype).find(|(name, _)| *name == entity))
                        .map_or(value, |(_, value)| value),
                    None => value,
                };
                found
                    .entry(prefix)
                    .and_modify(|known| *known = known.filter(|known| *known == meant))
                    .or_insert(Some(meant));
            }
        }
    }
    found.into_iter().filter_map(|(prefix, namespace)| Some((prefix, namespace?))).collect()
}
