//! The `audio` and `subtitles` settings: which streams of a kind to keep.

use serde_json::Value;

use super::PlanError;
use super::reader::Reader;

/// The largest stream number.
const MAX_INDEX: u64 = 999;

/// A selection of streams of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::media) enum StreamSelection {
    /// All that the output can hold.
    All,
    /// The default stream of the file, else its first.
    Default,
    None,
    /// By its number among the streams of its kind, from 0.
    Index(usize),
    /// Those whose language tag is or begins with this one.
    Language(String),
}

impl StreamSelection {
    /// Reads the setting `name`. Without `many`, the selection must be exactly one stream.
    pub(super) fn read(reader: &Reader<'_>, name: &str, many: bool) -> Result<Option<Self>, PlanError> {
        let words = if many { "\"default\", \"all\", \"none\"" } else { "\"default\"" };
        let expected = format!(
            "a number from 0 to {MAX_INDEX}, a language of two or three letters as in the file, or one of {words}"
        );
        let selection = reader.read(name, Self::of, &expected)?;
        match selection {
            Some(Self::All | Self::None) if !many => {
                Err(reader.refuse(name, format_args!("must be {expected}")))
            }
            selection => Ok(selection),
        }
    }

    fn of(value: &Value) -> Option<Self> {
        if let Some(number) = value.as_u64().filter(|number| *number <= MAX_INDEX) {
            return Some(Self::Index(number as usize));
        }
        let is_language =
            |text: &&str| matches!(text.len(), 2 | 3) && text.bytes().all(|byte| byte.is_ascii_lowercase());
        match value.as_str()? {
            "all" => Some(Self::All),
            "none" => Some(Self::None),
            "default" => Some(Self::Default),
            text => Some(text).filter(is_language).map(|text| Self::Language(text.to_owned())),
        }
    }
}
