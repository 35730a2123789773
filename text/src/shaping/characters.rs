//! Maps characters to glyphs: script detection, composition, Arabic joining, marks, mirroring and ignorable characters.

use ttf_parser::gdef::GlyphClass;
use ttf_parser::{Face, GlyphId, Tag};

use crate::shaping::{Glyph, GlyphPosition};

/// Joining form of an Arabic letter: the OpenType features `isol`, `init`, `medi` and `fina`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoiningForm {
    Isolated,
    Initial,
    Medial,
    Final,
}

/// Joining type of a character (Unicode 16, ArabicShaping.txt).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JoiningType {
    NonJoining,
    /// Joins to the character before it in logical order.
    RightJoining,
    DualJoining,
    /// A mark: its neighbors join past it.
    Transparent,
}

/// Precomposed characters: a combining mark, then pairs of a base letter and the composed character.
const COMPOSED: [(char, &str); 13] = [
    ('\u{300}', "AÀEÈIÌOÒUÙaàeèiìoòuùNǸnǹЕЀИЍеѐиѝ"),
    ('\u{301}', "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźГЃКЌгѓкќΑΆΕΈΗΉΙΊΟΌΥΎΩΏαάεέηήιίοόυύωώϊΐϋΰ"),
    ('\u{302}', "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷ"),
    ('\u{303}', "AÃNÑOÕaãnñoõIĨiĩUŨuũ"),
    ('\u{304}', "AĀaāEĒeēIĪiīOŌoōUŪuūИӢиӣУӮуӯ"),
    ('\u{306}', "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭИЙийУЎуў"),
    ('\u{307}', "CĊcċEĖeėGĠgġIİZŻzż"),
    ('\u{308}', "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸЕЁеёІЇіїΙΪΥΫιϊυϋ"),
    ('\u{30a}', "AÅaåUŮuů"),
    ('\u{30b}', "OŐoőUŰuű"),
    ('\u{30c}', "CČcčDĎdďEĚeěNŇnňRŘrřSŠsšTŤtťZŽzž"),
    ('\u{327}', "CÇcçGĢKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ"),
    ('\u{328}', "AĄaąEĘeęIĮiįUŲuų"),
];

/// Pairs of characters that mirror each other in right-to-left text (a subset of BidiMirroring.txt).
const MIRRORED: &str = "()[]{}<>«»‹›";

/// The OpenType script tag of the first character that has a supported script.
pub(crate) fn script(text: &str) -> Tag {
    let script = text.chars().find_map(|character| match u32::from(character) {
        0x41..=0x5a | 0x61..=0x7a | 0xc0..=0x24f | 0x1e00..=0x1eff => Some(b"latn"),
        0x370..=0x3ff | 0x1f00..=0x1fff => Some(b"grek"),
        0x400..=0x52f => Some(b"cyrl"),
        0x590..=0x5ff => Some(b"hebr"),
        0x600..=0x6ff | 0x750..=0x77f | 0x8a0..=0x8ff => Some(b"arab"),
        _ => None,
    });
    Tag::from_bytes(script.unwrap_or(b"DFLT"))
}

/// One glyph for each character, in logical order.
pub(crate) fn glyphs(face: &Face<'_>, text: &str, left_to_right: bool) -> Vec<Glyph> {
    let mut glyphs: Vec<Glyph> = Vec::with_capacity(text.len());
    let mut before: Option<char> = None;
    let mut joining = Vec::new();
    for (at, character) in text.char_indices() {
        let character = if left_to_right { character } else { mirrored(character) };
        let composed = before.and_then(|letter| precomposed(letter, character));
        if let (Some(composed), Some(last)) = (composed, glyphs.last_mut())
            && let Some(id) = face.glyph_index(composed)
        {
            (last.id, before) = (id, Some(composed));
            continue;
        }
        let is_ignorable = is_ignorable(character);
        let shown = if is_ignorable { ' ' } else { character };
        let id = face.glyph_index(shown).unwrap_or_default();
        let is_mark = !is_ignorable && is_mark(face, id, character);
        let advance = if is_mark || is_ignorable { 0 } else { face.glyph_hor_advance(id).unwrap_or(0) };
        glyphs.push(Glyph {
            id,
            cluster: at as u32,
            form: None,
            is_mark,
            is_ignorable,
            position: GlyphPosition { x_advance: advance.into(), ..GlyphPosition::default() },
        });
        joining.push(if is_mark { JoiningType::Transparent } else { joining_type(character) });
        before = Some(character);
    }
    assign_joining_forms(&mut glyphs, &joining);
    glyphs
}

/// The advance width of a glyph; marks have none.
pub(crate) fn advance(face: &Face<'_>, glyph: &Glyph) -> i32 {
    match glyph.is_mark || glyph.is_ignorable {
        true => 0,
        false => face.glyph_hor_advance(glyph.id).unwrap_or(0).into(),
    }
}

fn mirrored(character: char) -> char {
    let Some(at) = MIRRORED.chars().position(|other| other == character) else { return character };
    MIRRORED.chars().nth(at ^ 1).unwrap_or(character)
}

fn precomposed(letter: char, mark: char) -> Option<char> {
    let (_, pairs) = COMPOSED.iter().find(|(other, _)| *other == mark)?;
    let mut pairs = pairs.chars();
    while let (Some(other), Some(composed)) = (pairs.next(), pairs.next()) {
        if other == letter {
            return Some(composed);
        }
    }
    None
}

/// Whether a character is invisible (Unicode property Default_Ignorable_Code_Point).
fn is_ignorable(character: char) -> bool {
    matches!(
        u32::from(character),
        0xad | 0x34f | 0x61c | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
            | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff
    )
}

fn is_mark(face: &Face<'_>, id: GlyphId, character: char) -> bool {
    match face.tables().gdef.filter(|table| table.has_glyph_classes()) {
        Some(table) => table.glyph_class(id) == Some(GlyphClass::Mark),
        None => matches!(
            u32::from(character),
            0x300..=0x36f | 0x591..=0x5bd | 0x5bf | 0x5c1 | 0x5c2 | 0x64b..=0x65f | 0x670 | 0x6d6..=0x6dc
                | 0x20d0..=0x20ff
        ),
    }
}

fn joining_type(character: char) -> JoiningType {
    match u32::from(character) {
        0x621 | 0x674 | 0x6dd | 0x200c => JoiningType::NonJoining,
        0x622..=0x625
        | 0x627
        | 0x629
        | 0x62f..=0x632
        | 0x648
        | 0x671..=0x673
        | 0x675..=0x677
        | 0x688..=0x699
        | 0x6c0
        | 0x6c3..=0x6cb
        | 0x6cd
        | 0x6cf
        | 0x6d2
        | 0x6d3
        | 0x6d5
        | 0x6ee
        | 0x6ef
        | 0x759..=0x75b
        | 0x76b
        | 0x76c
        | 0x771
        | 0x773
        | 0x774
        | 0x778
        | 0x779 => JoiningType::RightJoining,
        0x620..=0x64a | 0x66e..=0x6d3 | 0x6fa..=0x6fc | 0x6ff | 0x750..=0x77f | 0x200d => {
            JoiningType::DualJoining
        }
        _ if is_ignorable(character) => JoiningType::Transparent,
        _ => JoiningType::NonJoining,
    }
}

fn assign_joining_forms(glyphs: &mut [Glyph], joining: &[JoiningType]) {
    let mut before: Option<usize> = None;
    for (at, kind) in joining.iter().enumerate() {
        if *kind == JoiningType::Transparent {
            continue;
        }
        let meets = *kind != JoiningType::NonJoining
            && before
                .and_then(|before| joining.get(before))
                .is_some_and(|before| *before == JoiningType::DualJoining);
        if meets && let Some(letter) = before.and_then(|before| glyphs.get_mut(before)) {
            letter.form = Some(match letter.form {
                Some(JoiningForm::Final | JoiningForm::Medial) => JoiningForm::Medial,
                _ => JoiningForm::Initial,
            });
        }
        if let Some(letter) = glyphs.get_mut(at).filter(|_| *kind != JoiningType::NonJoining) {
            letter.form = Some(if meets { JoiningForm::Final } else { JoiningForm::Isolated });
        }
        before = Some(at);
    }
}
