//! The streams of an output besides the video: their source, encoding and labels.

use super::bitrate::AudioEncoding;
use super::media_info::{Font, Labels};

/// A stream of the input.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::media) struct Track<T> {
    /// Its number among the streams of its kind in the input.
    pub(in crate::media) index: usize,
    pub(in crate::media) coding: T,
    pub(in crate::media) labels: Labels,
}

/// All streams besides the video.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Tracks {
    pub(in crate::media) audio: Vec<Track<AudioEncoding>>,
    /// Subtitle streams with their encoders.
    pub(in crate::media) subtitles: Vec<Track<&'static str>>,
    /// Fonts with their numbers among the attachments.
    pub(in crate::media) fonts: Vec<(usize, Font)>,
    /// The stream of the attached picture.
    pub(in crate::media) cover: Option<usize>,
}

impl Tracks {
    /// The arguments of all streams. With `copy`, streams are copied without encoding.
    pub(super) fn arguments(&self, copy: bool, label: bool) -> Vec<String> {
        let mut line = Vec::new();
        for (number, track) in self.audio.iter().enumerate() {
            line.extend(["-map".to_owned(), format!("0:a:{}", track.index)]);
            if !copy {
                line.extend(track.coding.arguments(number));
            }
            if label {
                line.extend(track.labels.arguments("a", number));
            }
        }
        for (number, track) in self.subtitles.iter().enumerate() {
            line.extend(["-map".to_owned(), format!("0:s:{}", track.index)]);
            if !copy {
                line.extend([format!("-c:s:{number}"), track.coding.to_owned()]);
            }
            if label {
                line.extend(track.labels.arguments("s", number));
            }
        }
        for (number, (index, font)) in self.fonts.iter().enumerate() {
            line.extend(font.arguments(number, *index));
        }
        if let Some(index) = self.cover {
            line.extend(["-map".to_owned(), format!("0:{index}")]);
            line.extend(["-c:v", "copy", "-disposition:v:0", "attached_pic"].map(str::to_owned));
        }
        line
    }

    /// The same tracks with a total audio bit rate of `bits`, divided in the same proportions.
    #[must_use]
    pub(in crate::media) fn with_bitrate(&self, bits: f64) -> Self {
        let wanted = self.audio_bits();
        let mut tracks = self.clone();
        for track in &mut tracks.audio {
            let share = f64::from(track.coding.bitrate.unwrap_or(0)) / wanted.max(1.0);
            track.coding = track.coding.with_bitrate((bits * share) as u32);
        }
        tracks
    }

    /// The total bit rate of all lossy audio in bits per second.
    pub(in crate::media) fn audio_bits(&self) -> f64 {
        self.audio.iter().filter_map(|track| track.coding.bitrate).map(f64::from).sum()
    }
}

impl AudioEncoding {
    /// The arguments for the audio stream `number` of the output.
    fn arguments(self, number: usize) -> Vec<String> {
        let mut line = vec![format!("-c:a:{number}"), self.codec.encoder().to_owned()];
        let mut put = |name: &str, value: Option<String>| {
            line.extend(value.into_iter().flat_map(|value| [format!("-{name}:a:{number}"), value]));
        };
        put("b", self.bitrate.map(|bitrate| bitrate.to_string()));
        put("ar", self.sample_rate.map(|rate| rate.to_string()));
        put("ac", self.channels.map(|channels| channels.to_string()));
        put("sample_fmt", self.sample_format.map(str::to_owned));
        line
    }
}

impl Labels {
    /// Each label is a single argument, so that a title cannot be parsed as another option.
    fn arguments(&self, kind: &str, number: usize) -> Vec<String> {
        let members = [("language", &self.language), ("title", &self.title)];
        let given = members.into_iter().filter(|(_, text)| !text.is_empty());
        given
            .flat_map(|(name, text)| [format!("-metadata:s:{kind}:{number}"), format!("{name}={text}")])
            .collect()
    }
}

impl Font {
    /// Players find fonts by the names inside them, so a generated file name is sufficient.
    fn arguments(self, number: usize, index: usize) -> Vec<String> {
        let (extension, media) = match self {
            Self::TrueType => ("ttf", "application/x-truetype-font"),
            Self::OpenType => ("otf", "application/vnd.ms-opentype"),
        };
        vec![
            "-map".to_owned(),
            format!("0:t:{index}"),
            format!("-c:t:{number}"),
            "copy".to_owned(),
            format!("-metadata:s:t:{number}"),
            format!("filename=font-{number}.{extension}"),
            format!("-metadata:s:t:{number}"),
            format!("mimetype={media}"),
        ]
    }
}
