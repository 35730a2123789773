//! Glyph substitution (OpenType 1.9, GSUB): single, multiple and ligature lookups.

use ttf_parser::GlyphId;
use ttf_parser::gsub::{LigatureSubstitution, SingleSubstitution, SubstitutionSubtable};
use ttf_parser::opentype_layout::Lookup;

use crate::shaping::characters::{self, JoiningForm};
use crate::shaping::{Glyph, Run};

pub(crate) fn apply(run: &mut Run<'_, '_>, small_capitals: bool) {
    let Some(table) = run.face.tables().gsub else { return };
    // `None`: the feature applies to every glyph.
    let lookups = run.lookups(&table, |tag| match &tag.to_bytes() {
        b"ccmp" | b"locl" | b"rlig" | b"liga" | b"clig" | b"calt" => Some(None),
        b"smcp" => small_capitals.then_some(None),
        b"isol" => Some(Some(JoiningForm::Isolated)),
        b"init" => Some(Some(JoiningForm::Initial)),
        b"medi" => Some(Some(JoiningForm::Medial)),
        b"fina" => Some(Some(JoiningForm::Final)),
        _ => None,
    });
    for (index, form) in lookups {
        let Some(lookup) = table.lookups.get(index) else { continue };
        let mut at = 0;
        while at < run.glyphs.len() {
            if form.is_none() || run.glyphs[at].form == form {
                at += substitute(run, at, &lookup);
            } else {
                at += 1;
            }
        }
    }
    let face = run.face;
    for glyph in &mut run.glyphs {
        glyph.position.x_advance = characters::advance(face, glyph);
    }
}

/// Applies a lookup at one glyph. Returns by how many glyphs to advance.
fn substitute(run: &mut Run<'_, '_>, at: usize, lookup: &Lookup<'_>) -> usize {
    let glyph = run.glyphs[at];
    if glyph.is_mark && lookup.flags.ignore_marks() {
        return 1;
    }
    for subtable in lookup.subtables.into_iter::<SubstitutionSubtable<'_>>() {
        if !run.step() {
            return 1;
        }
        let done = match subtable {
            SubstitutionSubtable::Single(single) => single_substitute(&single, glyph.id).map(|id| {
                run.glyphs[at].id = id;
                1
            }),
            SubstitutionSubtable::Multiple(multiple) => multiple
                .coverage
                .get(glyph.id)
                .and_then(|index| multiple.sequences.get(index))
                .filter(|sequence| !sequence.substitutes.is_empty())
                .and_then(|sequence| {
                    let count = usize::from(sequence.substitutes.len());
                    if run.glyphs.len() + count > run.max_glyphs {
                        return None;
                    }
                    let parts = sequence.substitutes.into_iter().map(|id| Glyph { id, ..glyph });
                    run.glyphs.splice(at..=at, parts);
                    Some(count)
                }),
            SubstitutionSubtable::Ligature(ligatures) => substitute_ligature(run, at, &ligatures, lookup),
            _ => None,
        };
        if let Some(done) = done {
            return done;
        }
    }
    1
}

fn single_substitute(single: &SingleSubstitution<'_>, glyph: GlyphId) -> Option<GlyphId> {
    match single {
        SingleSubstitution::Format1 { coverage, delta } => {
            coverage.get(glyph).map(|_| GlyphId(glyph.0.wrapping_add_signed(*delta)))
        }
        SingleSubstitution::Format2 { coverage, substitutes } => substitutes.get(coverage.get(glyph)?),
    }
}

fn substitute_ligature(
    run: &mut Run<'_, '_>,
    at: usize,
    table: &LigatureSubstitution<'_>,
    lookup: &Lookup<'_>,
) -> Option<usize> {
    let set = table.ligature_sets.get(table.coverage.get(run.glyphs[at].id)?)?;
    'ligatures: for index in 0..set.len() {
        let Some(ligature) = set.get(index) else { continue };
        let mut parts = Vec::new();
        let mut next = at + 1;
        for component in ligature.components {
            // Marks between letters stay, behind the ligature.
            while lookup.flags.ignore_marks()
                && run.glyphs.get(next).is_some_and(|glyph| glyph.is_mark)
                && run.step()
            {
                next += 1;
            }
            if !run.step() || run.glyphs.get(next).is_none_or(|glyph| glyph.id != component) {
                continue 'ligatures;
            }
            parts.push(next);
            next += 1;
        }
        let cluster = run.glyphs[at].cluster;
        run.glyphs[at].id = ligature.glyph;
        if parts.first().is_some_and(|&first| !run.glyphs[first].is_mark) {
            run.glyphs[at].is_mark = false;
        }
        for glyph in &mut run.glyphs[at..next] {
            glyph.cluster = cluster;
        }
        for part in parts.into_iter().rev() {
            run.glyphs.remove(part);
        }
        return Some(1);
    }
    None
}
