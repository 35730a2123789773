//! The tags of a file, to find those that an output lacks.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The names of tags in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Tags {
    names: BTreeSet<String>,
    /// ffprobe's output was truncated or is not valid.
    is_unreadable: bool,
}

/// Tags that muxers write themselves.
const OWN: [&str; 12] = [
    "encoder",
    "duration",
    "major_brand",
    "minor_version",
    "compatible_brands",
    "handler_name",
    "vendor_id",
    "language",
    "alpha_mode",
    "bps",
    "number_of_frames",
    "number_of_bytes",
];

#[derive(Deserialize)]
struct Probed {
    #[serde(default)]
    streams: Vec<Section>,
    #[serde(default)]
    format: Section,
}

#[derive(Deserialize, Default)]
struct Section {
    #[serde(default)]
    tags: std::collections::BTreeMap<String, IgnoredAny>,
}

impl Tags {
    /// Reads ffprobe's JSON.
    pub(in crate::media) fn read(json: &[u8]) -> Self {
        let Ok(probed) = serde_json::from_slice::<Probed>(json) else {
            return Self { names: BTreeSet::new(), is_unreadable: true };
        };
        let sections = probed.streams.into_iter().chain([probed.format]);
        let names = sections.flat_map(|section| section.tags.into_keys().map(|name| name.to_lowercase()));
        Self {
            names: names
                .filter(|name| !OWN.contains(&name.as_str()) && !name.starts_with("_statistics"))
                .collect(),
            is_unreadable: false,
        }
    }

    /// The number of tags that `made` lacks; `None` if unknown.
    pub(in crate::media) fn missing_in(&self, made: &Self) -> Option<usize> {
        (!self.is_unreadable).then(|| self.names.difference(&made.names).count())
    }
}
