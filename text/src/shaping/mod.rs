//! Shapes a run of text with ttf-parser's layout tables, under the names of the crate harfrust.

mod characters;
mod position;
mod substitute;

pub use crate::font::{FontRef, Tag};
use ttf_parser::Face;

/// Lookup steps allowed for each character. A real font needs dozens; a hostile one would take thousands.
const LOOKUP_STEPS_PER_CHARACTER: usize = 4096;
/// The most glyphs that one character may expand to.
const GLYPHS_PER_CHARACTER: usize = 16;

/// A font feature setting for a whole text.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    tag: Tag,
    value: u32,
}

impl Feature {
    /// Sets the feature `tag` to `value`; 0 disables it.
    pub fn new(tag: Tag, value: u32, _: std::ops::RangeFull) -> Self {
        Self { tag, value }
    }
}

/// A variation axis setting. It has no effect: variable fonts are not supported.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "nothing reads them")]
pub struct Variation {
    pub tag: Tag,
    pub value: f32,
}

/// A face at a location of its variation axes.
#[derive(Debug)]
pub struct ShaperInstance;

impl ShaperInstance {
    /// The default instance.
    pub fn from_variations(_: &FontRef<'_>, _: &[Variation]) -> Self {
        Self
    }
}

/// Data prepared for shaping with a face: none is needed.
#[derive(Debug)]
pub struct ShaperData;

impl ShaperData {
    /// Returns the empty data.
    pub fn new(_: &FontRef<'_>) -> Self {
        Self
    }

    /// A shaper for the face.
    pub fn shaper<'f, 'a>(&self, font: &'f FontRef<'a>) -> Shaper<'f, 'a> {
        Shaper(font.face())
    }
}

/// Shapes text with one face.
pub struct Shaper<'f, 'a>(&'f Face<'a>);

impl Shaper<'_, '_> {
    /// Selects the instance of a variable font: no effect.
    #[must_use]
    pub fn instance(self, _: Option<&ShaperInstance>) -> Self {
        self
    }

    /// Returns the shaper.
    #[must_use]
    pub fn build(self) -> Self {
        self
    }

    /// Shapes a text into glyphs in visual order, from left to right.
    pub fn shape(&self, buffer: UnicodeBuffer, options: ShapeOptions<'_>) -> GlyphBuffer {
        let is_on = |tag: &[u8; 4]| {
            options
                .features
                .iter()
                .rev()
                .find(|feature| feature.tag == *tag)
                .map(|feature| feature.value != 0)
        };
        let left_to_right = buffer.direction == Direction::LeftToRight;
        let mut run = Run {
            face: self.0,
            script: characters::script(&buffer.text),
            glyphs: characters::glyphs(self.0, &buffer.text, left_to_right),
            steps: 0,
            max_glyphs: 0,
        };
        run.steps = LOOKUP_STEPS_PER_CHARACTER * (run.glyphs.len() + 16);
        run.max_glyphs = GLYPHS_PER_CHARACTER * (run.glyphs.len() + 4);
        substitute::apply(&mut run, is_on(b"smcp").unwrap_or(false));
        position::apply(&mut run, is_on(b"kern").unwrap_or(true), left_to_right);
        if !left_to_right {
            run.glyphs.reverse();
        }
        let infos =
            run.glyphs.iter().map(|glyph| GlyphInfo { glyph_id: glyph.id.0.into(), cluster: glyph.cluster });
        GlyphBuffer {
            infos: infos.collect(),
            positions: run.glyphs.iter().map(|glyph| glyph.position).collect(),
        }
    }
}

/// A text of one direction while it is shaped.
struct Run<'f, 'a> {
    face: &'f Face<'a>,
    /// OpenType script tag.
    script: ttf_parser::Tag,
    /// In logical (text) order.
    glyphs: Vec<Glyph>,
    /// Lookup steps that are left.
    steps: usize,
    /// The most glyphs that the run may have.
    max_glyphs: usize,
}

/// A glyph while it is shaped.
#[derive(Debug, Clone, Copy)]
struct Glyph {
    id: ttf_parser::GlyphId,
    /// Byte offset of its first character in the text.
    cluster: u32,
    /// Joining form, for scripts whose letters join.
    form: Option<characters::JoiningForm>,
    /// It is a mark on the base glyph before it.
    is_mark: bool,
    /// It is default-ignorable and not drawn.
    is_ignorable: bool,
    position: GlyphPosition,
}

impl Run<'_, '_> {
    /// Counts one lookup step; `false` when none is left.
    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// The lookups of the wanted features in lookup order, each with the value that `wanted` gave its feature.
    fn lookups<T: Copy>(
        &mut self,
        table: &ttf_parser::opentype_layout::LayoutTable<'_>,
        wanted: impl Fn(ttf_parser::Tag) -> Option<T>,
    ) -> Vec<(u16, T)> {
        let scripts =
            [self.script, ttf_parser::Tag::from_bytes(b"DFLT"), ttf_parser::Tag::from_bytes(b"latn")];
        let system = scripts.into_iter().find_map(|script| table.scripts.find(script)?.default_language);
        let mut found = Vec::new();
        let Some(system) = system else { return found };
        for index in system.required_feature.into_iter().chain(system.feature_indices) {
            let Some(feature) = table.features.get(index) else { continue };
            let Some(what) = wanted(feature.tag) else { continue };
            for lookup in feature.lookup_indices {
                if !self.step() {
                    return found;
                }
                found.push((lookup, what));
            }
        }
        found.sort_by_key(|(lookup, _)| *lookup);
        found
    }
}

/// Text direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    LeftToRight,
    RightToLeft,
}

/// A text to shape.
#[derive(Debug)]
pub struct UnicodeBuffer {
    text: String,
    direction: Direction,
}

impl Default for UnicodeBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl UnicodeBuffer {
    /// No text.
    pub fn new() -> Self {
        Self { text: String::new(), direction: Direction::LeftToRight }
    }

    /// Appends text.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Sets the direction; the default is left to right.
    pub fn set_direction(&mut self, direction: Direction) {
        self.direction = direction;
    }

    /// Does nothing: shaping itself determines the script.
    pub fn guess_segment_properties(&mut self) {}
}

/// Options of shaping.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShapeOptions<'a> {
    features: &'a [Feature],
}

impl<'a> ShapeOptions<'a> {
    /// The font's default features.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets features.
    #[must_use]
    pub fn features(self, features: &'a [Feature]) -> Self {
        Self { features }
    }
}

/// A shaped text: glyphs in visual order, from left to right.
#[derive(Debug)]
pub struct GlyphBuffer {
    infos: Vec<GlyphInfo>,
    positions: Vec<GlyphPosition>,
}

impl GlyphBuffer {
    /// The number of glyphs.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// Whether there are no glyphs.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// The glyphs.
    pub fn glyph_infos(&self) -> &[GlyphInfo] {
        &self.infos
    }

    /// Their positions.
    pub fn glyph_positions(&self) -> &[GlyphPosition] {
        &self.positions
    }
}

/// A shaped glyph.
#[derive(Debug, Clone, Copy)]
pub struct GlyphInfo {
    /// Glyph ID; 0 (.notdef) where the font lacks the character.
    pub glyph_id: u32,
    /// Byte offset of its first character in the text.
    pub cluster: u32,
}

/// The position of a glyph, in font units.
#[derive(Debug, Clone, Copy, Default)]
pub struct GlyphPosition {
    /// Offset to the right of the pen position.
    pub x_offset: i32,
    /// Offset above the baseline.
    pub y_offset: i32,
    /// How far the pen moves to the right.
    pub x_advance: i32,
}
