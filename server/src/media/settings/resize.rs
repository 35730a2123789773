//! Reads the `resize` setting.

use serde_json::{Map, Value};

use super::reader::Reader;
use crate::media::PlanError;
use crate::media::ffmpeg::size::{Fit, Resize};

/// The maximum width and height.
const MAX_SIDE: u64 = 16_383;

impl Resize {
    /// The `resize` option of the engine.
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
            Fit::Inside => "inside",
            Fit::Cover => "cover",
        };
        option.insert("fit".to_owned(), fit.into());
        option.into()
    }

    /// Reads the member `resize`.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, PlanError> {
        let known = ["width", "height", "max_width", "max_height", "fit"];
        let Some(reader) = reader.object("resize", &known)? else { return Ok(None) };
        let side = |name| -> Result<Option<u32>, PlanError> {
            Ok(reader.integer(name, 1..=MAX_SIDE)?.map(|side| side as u32))
        };
        let fits = [("fill", Fit::Fill), ("inside", Fit::Inside), ("cover", Fit::Cover)];
        Ok(Some(Self {
            width: side("width")?,
            height: side("height")?,
            max_width: side("max_width")?,
            max_height: side("max_height")?,
            fit: reader.word("fit", &fits)?.unwrap_or_default(),
        }))
    }
}
