//! Glyph positioning (OpenType 1.9, GPOS and kern): pair adjustment, mark-to-base, mark-to-ligature and mark-to-mark attachment.

use ttf_parser::gpos::{Anchor, PairAdjustment, PositioningSubtable, ValueRecord};
use ttf_parser::opentype_layout::Lookup;

use crate::shaping::{GlyphPosition, Run};

/// The most marks that are skipped in search of a base glyph.
const MAX_MARKS: usize = 32;

pub(crate) fn apply(run: &mut Run<'_, '_>, kerning: bool, left_to_right: bool) {
    let mut is_kerned = false;
    if let Some(table) = run.face.tables().gpos {
        let lookups = run.lookups(&table, |tag| match &tag.to_bytes() {
            b"kern" => kerning.then_some(true),
            b"mark" | b"mkmk" => Some(false),
            _ => None,
        });
        for (index, kerns) in lookups {
            let Some(lookup) = table.lookups.get(index) else { continue };
            is_kerned |= kerns;
            for at in 0..run.glyphs.len() {
                apply_lookup(run, at, &lookup, left_to_right);
            }
        }
    }
    if kerning && !is_kerned {
        apply_kern_table(run);
    }
}

fn apply_lookup(run: &mut Run<'_, '_>, at: usize, lookup: &Lookup<'_>, left_to_right: bool) {
    for subtable in lookup.subtables.into_iter::<PositioningSubtable<'_>>() {
        if !run.step() {
            return;
        }
        let (id, is_mark) = (run.glyphs[at].id, run.glyphs[at].is_mark);
        let done = match subtable {
            PositioningSubtable::Pair(pairs) if !is_mark => {
                let skips = |next: &usize| {
                    let glyph = &run.glyphs[*next];
                    glyph.is_ignorable || (glyph.is_mark && lookup.flags.ignore_marks())
                };
                let Some(next) = (at + 1..run.glyphs.len()).take(MAX_MARKS).find(|next| !skips(next)) else {
                    return;
                };
                pair_adjustment(&pairs, id, run.glyphs[next].id).map(|(first, second)| {
                    adjust(&mut run.glyphs[at].position, first);
                    adjust(&mut run.glyphs[next].position, second);
                })
            }
            PositioningSubtable::MarkToBase(table) if is_mark => base_glyph(run, at).and_then(|base| {
                let (class, mark) = table.marks.get(table.mark_coverage.get(id)?)?;
                let row = table.base_coverage.get(run.glyphs[base].id)?;
                attach(run, at, base, mark, table.anchors.get(row, class)?, left_to_right);
                Some(())
            }),
            PositioningSubtable::MarkToLigature(table) if is_mark => base_glyph(run, at).and_then(|base| {
                let (class, mark) = table.marks.get(table.mark_coverage.get(id)?)?;
                let parts = table.ligature_array.get(table.ligature_coverage.get(run.glyphs[base].id)?)?;
                let anchor = parts.get(parts.rows.checked_sub(1)?, class)?;
                attach(run, at, base, mark, anchor, left_to_right);
                Some(())
            }),
            PositioningSubtable::MarkToMark(table) if is_mark => {
                let base = at.checked_sub(1).filter(|&base| run.glyphs[base].is_mark);
                base.and_then(|base| {
                    let (class, mark) = table.marks.get(table.mark1_coverage.get(id)?)?;
                    let row = table.mark2_coverage.get(run.glyphs[base].id)?;
                    attach(run, at, base, mark, table.mark2_matrix.get(row, class)?, left_to_right);
                    Some(())
                })
            }
            _ => None,
        };
        if done.is_some() {
            return;
        }
    }
}

/// Index of the base glyph of a mark.
fn base_glyph(run: &Run<'_, '_>, mark: usize) -> Option<usize> {
    (0..mark).rev().take(MAX_MARKS).find(|&at| !run.glyphs[at].is_mark && !run.glyphs[at].is_ignorable)
}

fn pair_adjustment<'a>(
    table: &PairAdjustment<'a>,
    first: ttf_parser::GlyphId,
    second: ttf_parser::GlyphId,
) -> Option<(ValueRecord<'a>, ValueRecord<'a>)> {
    match table {
        PairAdjustment::Format1 { coverage, sets } => sets.get(coverage.get(first)?)?.get(second),
        PairAdjustment::Format2 { coverage, classes, matrix } => {
            coverage.get(first)?;
            matrix.get((classes.0.get(first), classes.1.get(second)))
        }
    }
}

fn adjust(position: &mut GlyphPosition, by: ValueRecord<'_>) {
    position.x_offset += i32::from(by.x_placement);
    position.y_offset += i32::from(by.y_placement);
    position.x_advance += i32::from(by.x_advance);
}

/// Attaches a mark to the anchor of the glyph `base` before it.
fn attach(
    run: &mut Run<'_, '_>,
    at: usize,
    base: usize,
    mark: Anchor<'_>,
    anchor: Anchor<'_>,
    left_to_right: bool,
) {
    let advances = |range: std::ops::Range<usize>| -> i32 {
        run.glyphs[range].iter().map(|glyph| glyph.position.x_advance).sum()
    };
    // Distance between the two pen positions; right-to-left glyphs are drawn in reverse order.
    let pen_distance = if left_to_right { -advances(base..at) } else { advances(base + 1..at + 1) };
    let under = run.glyphs[base].position;
    let position = &mut run.glyphs[at].position;
    position.x_offset = under.x_offset + i32::from(anchor.x) - i32::from(mark.x) + pen_distance;
    position.y_offset = under.y_offset + i32::from(anchor.y) - i32::from(mark.y);
}

/// Applies the `kern` table, for fonts without GPOS kerning.
fn apply_kern_table(run: &mut Run<'_, '_>) {
    let Some(table) = run.face.tables().kern else { return };
    for subtable in table.subtables.into_iter().filter(|subtable| subtable.horizontal && !subtable.variable) {
        for at in 1..run.glyphs.len() {
            if !run.step() {
                return;
            }
            let by = subtable.glyphs_kerning(run.glyphs[at - 1].id, run.glyphs[at].id);
            run.glyphs[at - 1].position.x_advance += i32::from(by.unwrap_or(0));
        }
    }
}
