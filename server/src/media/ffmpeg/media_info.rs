//! What ffprobe reports about a file. The values are claims of the file: they may lead to a refusal, but limits never rely on them.

use filepress_wire::TaskErrorCode;

use super::color::Color;
use crate::config::ConversionLimits;
use crate::media::Failure;

/// The streams and properties of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct MediaInfo {
    /// In seconds; 0 if unknown.
    pub(in crate::media) duration: f64,
    /// The first video stream that is not an attached picture.
    pub(in crate::media) video: Option<Video>,
    /// Every audio stream, in the order of the file.
    pub(in crate::media) audio: Vec<Audio>,
    /// Every subtitle stream, in the order of the file.
    pub(in crate::media) subtitles: Vec<Subtitle>,
    /// The first attached picture.
    pub(in crate::media) cover: Option<Cover>,
    /// The attachments that are fonts: for each, its codec (`ttf`, `otf`) and its position among the attachments.
    pub(in crate::media) fonts: Vec<(usize, Font)>,
    /// The number of attachments that are not fonts.
    pub(in crate::media) attachments: usize,
    pub(in crate::media) chapters: usize,
    /// The number of other streams: further video streams and covers, data.
    pub(in crate::media) others: usize,
}

/// A video stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Video {
    /// The number of its stream in the file.
    pub(in crate::media) index: usize,
    pub(in crate::media) codec: String,
    /// Displayed size: rotated as the file says, with square pixels.
    pub(in crate::media) width: u32,
    pub(in crate::media) height: u32,
    /// Stored width and height, rotated as the file says.
    pub(in crate::media) stored: (u32, u32),
    /// Average frames per second.
    pub(in crate::media) fps: f64,
    /// The frame rate is variable.
    pub(in crate::media) is_variable: bool,
    /// The number of frames by the container, else an estimate; 0 if unknown.
    pub(in crate::media) frames: u64,
    pub(in crate::media) has_alpha: bool,
    pub(in crate::media) is_rgb: bool,
    /// The file does not state its color matrix.
    pub(in crate::media) matrix_unknown: bool,
    /// Bits per component.
    pub(in crate::media) depth: u32,
    /// The chroma resolution is higher than 4:2:0.
    pub(in crate::media) has_fine_chroma: bool,
    pub(in crate::media) color: Color,
    /// For interlaced video, the field that is displayed first.
    pub(in crate::media) first_field: Option<Field>,
}

impl Video {
    /// Its stream and a decoder, if ffmpeg's default decoder ignores the alpha channel.
    pub(in crate::media) fn decoder(&self) -> Option<(usize, &'static str)> {
        let decoder = match self.codec.as_str() {
            "vp8" => "libvpx",
            "vp9" => "libvpx-vp9",
            _ => return None,
        };
        self.has_alpha.then_some((self.index, decoder))
    }
}

/// A field of an interlaced frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum Field {
    Top,
    Bottom,
}

/// The format of a font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum Font {
    TrueType,
    OpenType,
}

/// The labels of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Labels {
    /// A language tag in lower case, such as `deu`; empty if there is none.
    pub(in crate::media) language: String,
    /// Without control characters and within [`MAX_TITLE`].
    pub(in crate::media) title: String,
    pub(in crate::media) is_default: bool,
}

/// The maximum length of a stream's title in characters.
pub(super) const MAX_TITLE: usize = 200;

/// An audio stream.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Audio {
    pub(in crate::media) codec: String,
    pub(in crate::media) sample_rate: u32,
    pub(in crate::media) channels: u32,
    /// Bits per second; 0 if unknown.
    pub(in crate::media) bitrate: u32,
    /// Bits per sample of a lossless codec; 0 for lossy ones.
    pub(in crate::media) bits: u32,
    /// A lossless codec with floating-point samples.
    pub(in crate::media) is_float: bool,
    pub(in crate::media) labels: Labels,
}

/// A subtitle stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Subtitle {
    pub(in crate::media) codec: String,
    pub(in crate::media) labels: Labels,
}

impl Subtitle {
    /// Whether it contains text, not bitmaps.
    pub(in crate::media) fn is_text(&self) -> bool {
        const TEXT: [&str; 6] = ["subrip", "ass", "ssa", "mov_text", "webvtt", "text"];
        TEXT.contains(&self.codec.as_str())
    }
}

/// An attached picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Cover {
    /// The number of its stream in the file.
    pub(in crate::media) index: usize,
    pub(in crate::media) codec: String,
    pub(in crate::media) pixels: u64,
}

impl MediaInfo {
    /// Checks the values against the limits.
    pub(in crate::media) fn check(&self, limits: &ConversionLimits) -> Result<(), Failure> {
        let most = limits.duration.as_secs_f64();
        if self.duration > most {
            return Err(Failure::file(
                TaskErrorCode::TooLong,
                format!("The input lasts {:.0} s; the maximum is {most:.0} s.", self.duration),
            ));
        }
        let Some(video) = &self.video else { return Ok(()) };
        if video.frames > limits.frames {
            return Err(Failure::file(
                TaskErrorCode::TooManyFrames,
                format!("The input has {} frames; the maximum is {}.", video.frames, limits.frames),
            ));
        }
        let pixels = u64::from(video.width) * u64::from(video.height);
        if pixels > limits.pixels {
            return Err(Failure::file(
                TaskErrorCode::TooManyPixels,
                format!(
                    "The video has {} × {} pixels; the maximum is {} pixels.",
                    video.width, video.height, limits.pixels
                ),
            ));
        }
        Ok(())
    }
}
