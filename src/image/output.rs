//! What a call tells: how far it is, what came out, and what was lost.

use filepress_wire::MediaType;
use serde::Serialize;

use crate::warning::Warning;

/// A step of the pipeline that takes noticeable time, with the share of the whole call that lies before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Bytes to pixels.
    Decode,
    /// Pixels to fewer (or more) pixels.
    Resize,
    /// Pixels to bytes.
    Encode,
    /// Nothing is left to do.
    Done,
}

impl Stage {
    /// The name that JavaScript sees.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Resize => "resize",
            Self::Encode => "encode",
            Self::Done => "done",
        }
    }

    /// The share of the call that is done when this stage begins, 0 to 1: an estimate from typical photos.
    pub fn ratio(self) -> f64 {
        match self {
            Self::Decode => 0.0,
            Self::Resize => 0.25,
            Self::Encode => 0.4,
            Self::Done => 1.0,
        }
    }
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The coded image; `None` where it is the input, byte for byte.
    pub bytes: Option<Vec<u8>>,
    /// The truth about it.
    pub report: Report,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Type of the input, by its bytes.
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
    /// The coded pixels of the input were kept, since coding them again made them no smaller.
    pub kept_original: bool,
    /// The quality that was used, where the coding has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The SSIMULACRA2 score of the output against the pixels that were coded, where a quality was searched by it: 100 is
    /// identical, 90 can hardly be told apart, 70 is high quality, 50 medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}
