//! Facts of a video or sound. They are claims of the file: they decide what is refused, never how much is trusted.

use filepress_wire::TaskErrorCode;

use super::color::Color;
use crate::config::ConversionLimits;
use crate::media::Failure;

/// What a file says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct MediaInfo {
    /// In seconds; 0 where it is not known.
    pub(in crate::media) duration: f64,
    /// The first moving picture that is no cover.
    pub(in crate::media) video: Option<Video>,
    /// Every audio stream, in the order of the file.
    pub(in crate::media) audio: Vec<Audio>,
    /// Every subtitle stream, in the order of the file.
    pub(in crate::media) subtitles: Vec<Subtitle>,
    /// The first attached picture.
    pub(in crate::media) cover: Option<Cover>,
    /// The attachments that are fonts: for each, its codec (`ttf`, `otf`) and its position among the attachments.
    pub(in crate::media) fonts: Vec<(usize, Font)>,
    /// Attachments that are no fonts.
    pub(in crate::media) attachments: usize,
    pub(in crate::media) chapters: usize,
    /// Further streams: video beside the first, further covers, data.
    pub(in crate::media) others: usize,
}

/// The moving picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Video {
    /// The number of its stream in the file.
    pub(in crate::media) index: usize,
    pub(in crate::media) codec: String,
    /// As it is seen: turned as the file says, with square pixels.
    pub(in crate::media) width: u32,
    pub(in crate::media) height: u32,
    /// Width and height as they are stored, turned as the file says.
    pub(in crate::media) stored: (u32, u32),
    /// Frames a second, on average.
    pub(in crate::media) fps: f64,
    /// Frames do not follow each other at equal distances.
    pub(in crate::media) is_variable: bool,
    /// As the container claims, else estimated; 0 where nothing is known.
    pub(in crate::media) frames: u64,
    pub(in crate::media) has_alpha: bool,
    pub(in crate::media) is_rgb: bool,
    /// Which matrix its colors went through is not said.
    pub(in crate::media) matrix_unknown: bool,
    /// Bits a component.
    pub(in crate::media) depth: u32,
    /// It has a chroma sample for fewer than four pixels.
    pub(in crate::media) has_fine_chroma: bool,
    pub(in crate::media) color: Color,
    /// The fields of a frame are of different times: the one that is shown first.
    pub(in crate::media) first_field: Option<Field>,
}

impl Video {
    /// Its stream and decoder where ffmpeg's own would leave the alpha channel out.
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

/// What tells streams of one kind apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Labels {
    /// A language tag in lower case such as `deu`; empty where there is none.
    pub(in crate::media) language: String,
    /// Without control characters and within [`MAX_TITLE`].
    pub(in crate::media) title: String,
    pub(in crate::media) is_default: bool,
}

/// The most characters of a stream's title that are kept.
pub(super) const MAX_TITLE: usize = 200;

/// A sound.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Audio {
    pub(in crate::media) codec: String,
    pub(in crate::media) sample_rate: u32,
    pub(in crate::media) channels: u32,
    /// Bits a second; 0 where they are not known.
    pub(in crate::media) bitrate: u32,
    /// Bits a sample of a lossless codec; 0 for lossy ones.
    pub(in crate::media) bits: u32,
    /// Samples are floating-point numbers, in a lossless codec.
    pub(in crate::media) is_float: bool,
    pub(in crate::media) labels: Labels,
}

/// Subtitles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::media) struct Subtitle {
    pub(in crate::media) codec: String,
    pub(in crate::media) labels: Labels,
}

impl Subtitle {
    /// Whether they are text, and not pictures.
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
    /// Holds the claims against the bounds.
    pub(in crate::media) fn check(&self, limits: &ConversionLimits) -> Result<(), Failure> {
        let most = limits.duration.as_secs_f64();
        if self.duration > most {
            return Err(Failure::file(
                TaskErrorCode::TooLong,
                format!("It plays for {:.0} seconds; at most {most:.0} are taken.", self.duration),
            ));
        }
        let Some(video) = &self.video else { return Ok(()) };
        if video.frames > limits.frames {
            return Err(Failure::file(
                TaskErrorCode::TooManyFrames,
                format!("It has {} pictures; at most {} are taken.", video.frames, limits.frames),
            ));
        }
        let pixels = u64::from(video.width) * u64::from(video.height);
        if pixels > limits.pixels {
            return Err(Failure::file(
                TaskErrorCode::TooManyPixels,
                format!(
                    "Its pictures are {} × {}; at most {} pixels are taken.",
                    video.width, video.height, limits.pixels
                ),
            ));
        }
        Ok(())
    }
}
