//! Tables as they stand in the file.

use crate::font::FontRef;

/// A font, or a table of it, cannot be read.
#[derive(Debug, Clone, Copy)]
pub struct ReadError;

/// Tables of a face.
pub trait TableProvider {
    /// Measures for OS/2 and Windows.
    ///
    /// # Errors
    /// It is not there.
    fn os2(&self) -> Result<tables::Os2, ReadError>;
    /// Variations of measures.
    ///
    /// # Errors
    /// Always.
    fn mvar(&self) -> Result<tables::mvar::Mvar, ReadError>;
    /// Glyphs that are drawings of their own.
    ///
    /// # Errors
    /// Always: a drawing in a font would be drawn past all limits.
    fn svg(&self) -> Result<tables::Svg, ReadError>;
}

impl TableProvider for FontRef<'_> {
    fn os2(&self) -> Result<tables::Os2, ReadError> {
        let table = self.face().tables().os2.ok_or(ReadError)?;
        Ok(tables::Os2 {
            subscript: table.subscript_metrics().y_offset,
            superscript: table.superscript_metrics().y_offset,
        })
    }

    fn mvar(&self) -> Result<tables::mvar::Mvar, ReadError> {
        Err(ReadError)
    }

    fn svg(&self) -> Result<tables::Svg, ReadError> {
        Err(ReadError)
    }
}

/// The tables.
pub mod tables {
    use super::ReadError;
    use super::types::{Big, GlyphId};

    /// Measures for OS/2 and Windows.
    #[derive(Debug, Clone, Copy)]
    pub struct Os2 {
        pub(super) subscript: i16,
        pub(super) superscript: i16,
    }

    impl Os2 {
        /// How far below the line letters stand that are set below.
        pub fn y_subscript_y_offset(&self) -> i16 {
            self.subscript
        }

        /// How far above the line letters stand that are set above.
        pub fn y_superscript_y_offset(&self) -> i16 {
            self.superscript
        }
    }

    /// Drawings, of which there are none.
    #[derive(Debug)]
    pub enum Svg {}

    impl Svg {
        /// The drawing of a glyph.
        ///
        /// # Errors
        /// It cannot be read.
        pub fn glyph_data(&self, _: GlyphId) -> Result<Option<&[u8]>, ReadError> {
            match *self {}
        }

        /// All drawings.
        ///
        /// # Errors
        /// They cannot be read.
        pub fn svg_document_list(&self) -> Result<SvgDocuments, ReadError> {
            match *self {}
        }
    }

    /// Drawings, of which there are none.
    #[derive(Debug)]
    pub enum SvgDocuments {}

    impl SvgDocuments {
        /// For which glyphs they are.
        pub fn document_records(&self) -> &[SvgDocumentRecord] {
            match *self {}
        }
    }

    /// Glyphs of a drawing.
    #[derive(Debug)]
    pub struct SvgDocumentRecord {
        /// The first.
        pub start_glyph_id: Big<GlyphId>,
        /// The last.
        pub end_glyph_id: Big<GlyphId>,
    }

    /// Variations of measures.
    pub mod mvar {
        use super::super::ReadError;
        use super::super::types::{Fixed, NormalizedCoord, Tag};

        /// Variations, of which there are none.
        #[derive(Debug)]
        pub enum Mvar {}

        impl Mvar {
            /// How much a measure varies.
            ///
            /// # Errors
            /// It cannot be read.
            pub fn metric_delta(&self, _: Tag, _: &[NormalizedCoord]) -> Result<Fixed, ReadError> {
                match *self {}
            }
        }

        /// Names of measures.
        pub mod tags {
            use super::Tag;

            /// How far below the line letters stand that are set below.
            pub const SBYO: Tag = Tag::new(b"sbyo");
            /// How far above the line letters stand that are set above.
            pub const SPYO: Tag = Tag::new(b"spyo");
        }
    }
}

/// Values in tables.
pub mod types {
    /// A place along an axis.
    #[derive(Debug, Clone, Copy)]
    pub struct NormalizedCoord;

    /// A number.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct Fixed;

    impl Fixed {
        /// Nothing varies.
        pub fn to_f32(self) -> f32 {
            0.0
        }
    }

    /// A name of four bytes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Tag([u8; 4]);

    impl Tag {
        /// From its bytes.
        pub const fn new(bytes: &[u8; 4]) -> Self {
            Self(*bytes)
        }

        /// From its bytes.
        pub const fn from_be_bytes(bytes: [u8; 4]) -> Self {
            Self(bytes)
        }
    }

    impl PartialEq<[u8; 4]> for Tag {
        fn eq(&self, other: &[u8; 4]) -> bool {
            self.0 == *other
        }
    }

    /// The number of a glyph.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct GlyphId(u32);

    impl GlyphId {
        /// From its number.
        pub const fn new(number: u32) -> Self {
            Self(number)
        }

        /// Its number.
        pub const fn to_u32(self) -> u32 {
            self.0
        }
    }

    /// A value as it stands in the file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Big<T>(T);

    impl<T: Copy> Big<T> {
        /// The value.
        pub fn get(self) -> T {
            self.0
        }
    }

    /// A point.
    #[derive(Debug, Clone, Copy)]
    pub struct Point<T> {
        /// To the right.
        pub x: T,
        /// Upwards.
        pub y: T,
    }

    /// The sides of a box.
    #[derive(Debug, Clone, Copy)]
    #[expect(missing_docs, reason = "the names say it")]
    pub struct BoundingBox<T> {
        pub x_min: T,
        pub y_min: T,
        pub x_max: T,
        pub y_max: T,
    }
}
