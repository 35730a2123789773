//! The asked size of a picture.

use serde_json::{Map, Value};

use super::reader::Reader;
use crate::media::Refusal;

/// The widest and highest picture that may be asked for.
const MAX_SIDE: u64 = 16_383;

/// The asked size in pixels, of the upright picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) struct Resize {
    pub(in crate::media) width: Option<u32>,
    pub(in crate::media) height: Option<u32>,
    pub(in crate::media) max_width: Option<u32>,
    pub(in crate::media) max_height: Option<u32>,
    pub(in crate::media) fit: Fit,
}

/// How `width` and `height` together are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::media) enum Fit {
    /// Stretched to exactly that size.
    #[default]
    Fill,
    /// The largest that fits inside.
    Contain,
    /// Exactly that size, what stands over is cut off evenly.
    Cover,
}

impl Resize {
    /// As the engine reads it.
    pub(super) fn engine_option(self) -> Value {
        let sides = [
            ("width", self.width),
            ("height", self.height),
            ("maxWidth", self.max_width),
            ("maxHeight", self.max_height),
        ];
        let mut option: Map<String, Value> =
            sides.into_iter().filter_map(|(name, side)| Some((name.to_owned(), side?.into()))).collect();
        let fit = match self.fit {
            Fit::Fill => "fill",
            Fit::Contain => "contain",
            Fit::Cover => "cover",
        };
        option.insert("fit".to_owned(), fit.into());
        option.into()
    }

    /// Reads the member `resize`.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, Refusal> {
        let known = ["width", "height", "max_width", "max_height", "fit"];
        let Some(reader) = reader.object("resize", &known)? else { return Ok(None) };
        let side = |name| Ok(reader.whole(name, 1..=MAX_SIDE)?.map(|side| side as u32));
        let fits = [("fill", Fit::Fill), ("contain", Fit::Contain), ("cover", Fit::Cover)];
        Ok(Some(Self {
            width: side("width")?,
            height: side("height")?,
            max_width: side("max_width")?,
            max_height: side("max_height")?,
            fit: reader.word("fit", &fits)?.unwrap_or_default(),
        }))
    }
}
