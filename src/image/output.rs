//! The result of a call: the output, and what was lost.

use filepress_wire::MediaType;
use serde::Serialize;

use crate::warning::Warning;

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The encoded image; `None` if the result is the input, byte for byte.
    pub bytes: Option<Vec<u8>>,
    /// What was done.
    pub report: Report,
}

/// A description of what was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Type of the input, recognized by its content.
    pub input_type: MediaType,
    /// Type of the output.
    #[serde(rename = "type")]
    pub media: MediaType,
    /// Width of the output in pixels, upright.
    pub width: u32,
    /// Height of the output in pixels, upright.
    pub height: u32,
    /// Width of the input in pixels, upright.
    pub input_width: u32,
    /// Height of the input in pixels, upright.
    pub input_height: u32,
    /// Whether the encoded pixels of the input were kept, since encoding them again saved no bytes.
    pub kept_original: bool,
    /// The quality that was used, if the encoding has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The SSIMULACRA2 score of the output against the pixels that were encoded, if a quality was searched by it: 100
    /// is identical, 90 hardly distinguishable, 70 high quality, 50 medium quality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}
