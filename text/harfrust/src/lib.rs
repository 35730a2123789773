//! The part of `harfrust` that usvg shapes text with, over ttf-parser, in a tenth of its bytes: the workspace's `Cargo.toml`
//! puts it in the place of the crate of that name, so names and types are that crate's.
//!
//! Latin, Greek, Cyrillic, Hebrew and Arabic are set as their fonts ask for: ligatures, joined letters, kerning, marks over
//! letters. What looks further around in a text (contextual lookups), and scripts whose syllables are put in another order
//! (those of India and of South-East Asia), are left as their characters stand.

mod characters;
mod position;
mod substitute;

pub use skrifa::{FontRef, Tag};
use ttf_parser::Face;

/// Steps of looking something up that a letter may take: a hostile font has thousands of tables, a real one some dozens.
const STEPS_PER_LETTER: usize = 4096;
/// Glyphs that a letter may become.
const GLYPHS_PER_LETTER: usize = 16;

/// A setting of a feature for a whole text.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    tag: Tag,
    value: u32,
}

impl Feature {
    /// 0 turns it off.
    pub fn new(tag: Tag, value: u32, _: std::ops::RangeFull) -> Self {
        Self { tag, value }
    }
}

/// A setting along an axis of variation, of which there are none.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "nothing reads them")]
pub struct Variation {
    pub tag: Tag,
    pub value: f32,
}

/// A face at a place along its axes.
#[derive(Debug)]
pub struct ShaperInstance;

impl ShaperInstance {
    /// The only one.
    pub fn from_variations(_: &FontRef<'_>, _: &[Variation]) -> Self {
        Self
    }
}

/// What is prepared for a face: nothing.
#[derive(Debug)]
pub struct ShaperData;

impl ShaperData {
    /// Prepares it.
    pub fn new(_: &FontRef<'_>) -> Self {
        Self
    }

    /// A shaper for the face.
    pub fn shaper<'f, 'a>(&self, font: &'f FontRef<'a>) -> Shaper<'f, 'a> {
        Shaper(font.face())
    }
}

/// From text to glyphs of a face.
pub struct Shaper<'f, 'a>(&'f Face<'a>);

impl Shaper<'_, '_> {
    /// At a place along its axes.
    #[must_use]
    pub fn instance(self, _: Option<&ShaperInstance>) -> Self {
        self
    }

    /// It is ready.
    #[must_use]
    pub fn build(self) -> Self {
        self
    }

    /// The glyphs of a text, from left to right.
    pub fn shape(&self, buffer: UnicodeBuffer, options: ShapeOptions<'_>) -> GlyphBuffer {
        let is_on = |tag: &[u8; 4]| {
            options
                .features
                .iter()
                .rev()
                .find(|feature| feature.tag == *tag)
                .map(|feature| feature.value != 0)
        };
        let rightwards = buffer.direction == Direction::LeftToRight;
        let mut run = Run {
            face: self.0,
            script: characters::script(&buffer.text),
            glyphs: characters::glyphs(self.0, &buffer.text, rightwards),
            steps: 0,
            room: 0,
        };
        run.steps = STEPS_PER_LETTER * (run.glyphs.len() + 16);
        run.room = GLYPHS_PER_LETTER * (run.glyphs.len() + 4);
        substitute::apply(&mut run, is_on(b"smcp").unwrap_or(false));
        position::apply(&mut run, is_on(b"kern").unwrap_or(true), rightwards);
        if !rightwards {
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

/// A text in one direction.
struct Run<'f, 'a> {
    face: &'f Face<'a>,
    /// The name that tables of a font have for its script.
    script: ttf_parser::Tag,
    /// In the order of the text.
    glyphs: Vec<Glyph>,
    /// Steps that are left.
    steps: usize,
    /// The most glyphs that there may be.
    room: usize,
}

/// A letter, or a part of one, or several.
#[derive(Debug, Clone, Copy)]
struct Glyph {
    id: ttf_parser::GlyphId,
    /// Where its first character stands in the text.
    cluster: u32,
    /// How it is joined to its neighbors, for the scripts that do so.
    form: Option<characters::Form>,
    /// It stands over, under or in the one before.
    is_mark: bool,
    /// It is not to be seen.
    is_hidden: bool,
    position: GlyphPosition,
}

impl Run<'_, '_> {
    /// Counts a step; `false` when there are none left.
    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Lookups of a layout table, each with what says whether it is for a glyph, in their order.
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

/// Which way a text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    LeftToRight,
    RightToLeft,
}

/// A text that has not been shaped.
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

    /// Appends to it.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Which way it runs.
    pub fn set_direction(&mut self, direction: Direction) {
        self.direction = direction;
    }

    /// The script is seen when it is shaped.
    pub fn guess_segment_properties(&mut self) {}
}

/// How a text is shaped.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShapeOptions<'a> {
    features: &'a [Feature],
}

impl<'a> ShapeOptions<'a> {
    /// As the font has it.
    pub fn new() -> Self {
        Self::default()
    }

    /// With these settings.
    #[must_use]
    pub fn features(self, features: &'a [Feature]) -> Self {
        Self { features }
    }
}

/// A text as glyphs, from left to right.
#[derive(Debug)]
pub struct GlyphBuffer {
    infos: Vec<GlyphInfo>,
    positions: Vec<GlyphPosition>,
}

impl GlyphBuffer {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// Which they are.
    pub fn glyph_infos(&self) -> &[GlyphInfo] {
        &self.infos
    }

    /// Where they stand.
    pub fn glyph_positions(&self) -> &[GlyphPosition] {
        &self.positions
    }
}

/// A glyph.
#[derive(Debug, Clone, Copy)]
pub struct GlyphInfo {
    /// Its number; 0 where the font has none for a character.
    pub glyph_id: u32,
    /// Where its first character stands in the text, in bytes.
    pub cluster: u32,
}

/// Where a glyph stands, in units of the font.
#[derive(Debug, Clone, Copy, Default)]
pub struct GlyphPosition {
    /// To the right of where the one before ends.
    pub x_offset: i32,
    /// Above the line.
    pub y_offset: i32,
    /// How far the next is from here.
    pub x_advance: i32,
}
