//! Limits on markup that would take an XML parser more than linear time or memory: nesting, attributes, namespaces,
//! entities.

use crate::error::{Error, Result};
use crate::formats::svg::xml::{self, Token};

/// The maximum nesting of tags that an XML parser handles in linear time.
const MAX_DEPTH: usize = 250;
/// The maximum number of an element's attributes, which are compared with each other.
const MAX_ATTRIBUTES: usize = 256;
/// The maximum number of namespaces in scope, which are copied to each element.
const MAX_NAMESPACES: usize = 64;
/// The maximum size of expanded entities in bytes.
const MAX_EXPANDED: usize = 16 << 20;

/// Refuses markup that takes an XML parser more than linear time or memory.
pub(crate) fn check(text: &str) -> Result<()> {
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
                        // The parser's limit for one reference.
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
        if references.saturating_mul(of_entities).saturating_mul(largest) > MAX_EXPANDED {
            return Err(Error::corrupt("SVG", "its entities unfold to too much"));
        }
    }
    Ok(())
}

pub(super) fn too_deep() -> Error {
    Error::corrupt("SVG", "its elements are nested too deeply")
}
