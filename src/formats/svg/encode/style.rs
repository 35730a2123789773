//! Removes white space from style sheets and style attributes. Strings and the addresses of `url()` are kept.

use crate::formats::svg::encode::color;

/// A style sheet without comments and without redundant white space.
pub(crate) fn sheet(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    let mut quote = None;
    while let Some(character) = rest.chars().next() {
        if let Some(open) = quote {
            if character == '\\' {
                let escaped: usize = rest.chars().take(2).map(char::len_utf8).sum();
                out.push_str(&rest[..escaped]);
                rest = &rest[escaped..];
                continue;
            }
            quote = (character != open).then_some(open);
            out.push(character);
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
            // It separates words.
            space(&mut out);
            continue;
        } else if character.is_whitespace() {
            space(&mut out);
        } else if matches!(character, '{' | '}' | ';') {
            if out.ends_with(' ') {
                out.pop();
            }
            if character == '}' && out.ends_with(';') {
                out.pop();
            }
            out.push(character);
        } else if character == '(' && ends_with_url(&out) && !rest[1..].trim_start().starts_with(['"', '\''])
        {
            // An address without quotes: nothing in it is a comment or the end of a declaration (CSS Syntax 3, 4.3.6).
            let end = rest.find(')').unwrap_or(rest.len());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        } else {
            if matches!(character, '"' | '\'') {
                quote = Some(character);
            }
            out.push(character);
        }
        rest = &rest[character.len_utf8()..];
    }
    out.truncate(out.trim_end().len());
    out
}

fn ends_with_url(out: &str) -> bool {
    out.len().checked_sub(3).and_then(|at| out.get(at..)).is_some_and(|name| name.eq_ignore_ascii_case("url"))
}

fn space(out: &mut String) {
    if !out.is_empty() && !out.ends_with([' ', '{', '}', ';']) {
        out.push(' ');
    }
}

/// The declarations of a style attribute. Without `editors`, properties of editors are removed.
pub(crate) fn attribute(style: &str, editors: bool) -> String {
    let kept = split(style, ';').filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        let (name, value) = (name.trim(), value.trim());
        if !editors && name.starts_with("-inkscape-") {
            return None;
        }
        Some(format!("{name}:{}", color(name, value).as_deref().unwrap_or(value)))
    });
    kept.collect::<Vec<_>>().join(";")
}

/// Splits at separators outside of strings and parentheses.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quote, mut depth) = (None, 0_u32);
    text.split(move |character| {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, _) => return character == separator && depth == 0,
        }
        false
    })
}
