//! Facts of a video or sound, by ffprobe. They are claims of the file: they decide what is refused, never how much is trusted.

use filepress_wire::TaskErrorCode;
use serde::Deserialize;

use crate::config::Caps;
use crate::media::Failure;

/// What a file says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Facts {
    /// In seconds; 0 where it is not known.
    pub(in crate::media) duration: f64,
    pub(in crate::media) video: Option<Video>,
    pub(in crate::media) audio: Option<Audio>,
    /// Streams that no output gets: further tracks, subtitles, attachments, data, covers.
    pub(in crate::media) others: usize,
}

/// The first moving picture that is no cover.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Video {
    pub(in crate::media) codec: String,
    /// As it is seen: turned as the file says, with square pixels.
    pub(in crate::media) width: u32,
    pub(in crate::media) height: u32,
    /// Width and height as they are stored, turned as the file says.
    pub(in crate::media) stored: (u32, u32),
    /// Frames a second, on average.
    pub(in crate::media) fps: f64,
    /// As the container claims, else estimated; 0 where nothing is known.
    pub(in crate::media) frames: u64,
    pub(in crate::media) has_alpha: bool,
    pub(in crate::media) is_rgb: bool,
    /// Which matrix its colours went through is not said.
    pub(in crate::media) matrix_unknown: bool,
}

/// The first sound.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Audio {
    pub(in crate::media) codec: String,
    pub(in crate::media) sample_rate: u32,
    pub(in crate::media) channels: u32,
    /// Bits a second; 0 where they are not known.
    pub(in crate::media) bitrate: u32,
}

/// The arguments of ffprobe for a file of the current folder.
pub(in crate::media) fn arguments(demuxer: &str, file: &str) -> Vec<String> {
    const ENTRIES: &str = "format=duration:stream=codec_type,codec_name,width,height,sample_aspect_ratio,\
        avg_frame_rate,r_frame_rate,nb_frames,duration,pix_fmt,color_space,sample_rate,channels,bit_rate:\
        stream_disposition=attached_pic:stream_tags=:format_tags=:stream_side_data=rotation";
    let mut arguments: Vec<String> = ["-v", "error"].map(str::to_owned).into();
    arguments.extend(super::arguments::guard(demuxer));
    arguments.extend(["-of", "json", "-show_entries", ENTRIES, file].map(str::to_owned));
    arguments
}

/// How the names of pixel formats with transparency begin, and those in which colours are red, green and blue.
const ALPHA: [&str; 8] = ["rgba", "bgra", "argb", "abgr", "gbrap", "yuva", "ya", "pal8"];
const RGB: [&str; 6] = ["rgb", "bgr", "gbr", "argb", "abgr", "pal8"];

#[derive(Deserialize)]
struct Probed {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Deserialize, Default)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Stream {
    codec_type: Option<String>,
    codec_name: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    sample_aspect_ratio: Option<String>,
    avg_frame_rate: Option<String>,
    r_frame_rate: Option<String>,
    nb_frames: Option<String>,
    duration: Option<String>,
    pix_fmt: Option<String>,
    color_space: Option<String>,
    sample_rate: Option<String>,
    channels: Option<u32>,
    bit_rate: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Deserialize, Default)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

impl Facts {
    /// Reads ffprobe's JSON.
    pub(in crate::media) fn read(json: &[u8]) -> Option<Self> {
        let probed: Probed = serde_json::from_slice(json).ok()?;
        let is = |kind: &'static str| {
            move |stream: &&Stream| {
                stream.codec_type.as_deref() == Some(kind) && stream.disposition.attached_pic == 0
            }
        };
        let video = probed.streams.iter().find(is("video"));
        let audio = probed.streams.iter().find(is("audio"));
        let lengths = probed.streams.iter().map(|stream| &stream.duration).chain([&probed.format.duration]);
        let duration = lengths.filter_map(|text| seconds(text.as_deref())).fold(0.0, f64::max);
        Some(Self {
            duration,
            video: video.map(|stream| stream.video(duration)),
            audio: audio.map(Stream::audio),
            others: probed.streams.len() - usize::from(video.is_some()) - usize::from(audio.is_some()),
        })
    }

    /// Holds the claims against the bounds.
    pub(in crate::media) fn check(&self, caps: &Caps) -> Result<(), Failure> {
        let most = caps.duration.as_secs_f64();
        if self.duration > most {
            return Err(Failure::file(
                TaskErrorCode::TooLong,
                format!("It plays for {:.0} seconds; at most {most:.0} are taken.", self.duration),
            ));
        }
        let Some(video) = &self.video else { return Ok(()) };
        if video.frames > caps.frames {
            return Err(Failure::file(
                TaskErrorCode::TooManyFrames,
                format!("It has {} pictures; at most {} are taken.", video.frames, caps.frames),
            ));
        }
        let pixels = u64::from(video.width) * u64::from(video.height);
        if pixels > caps.pixels {
            return Err(Failure::file(
                TaskErrorCode::TooManyPixels,
                format!(
                    "Its pictures are {} × {}; at most {} pixels are taken.",
                    video.width, video.height, caps.pixels
                ),
            ));
        }
        Ok(())
    }
}

impl Stream {
    fn video(&self, duration: f64) -> Video {
        let turned = self.side_data_list.iter().find_map(|data| data.rotation).unwrap_or(0.0);
        let (width, height) = (self.width.unwrap_or(0), self.height.unwrap_or(0));
        let seen = match ratio(self.sample_aspect_ratio.as_deref(), ':') {
            Some(aspect) if aspect > 0.05 && aspect < 20.0 => {
                (f64::from(width) * aspect).round().max(1.0) as u32
            }
            _ => width,
        };
        let quarter = (turned / 90.0).round() as i64 % 2 != 0;
        let upright = |(width, height)| if quarter { (height, width) } else { (width, height) };
        let average = ratio(self.avg_frame_rate.as_deref(), '/').filter(|fps| *fps > 0.0);
        let fps = average.or_else(|| ratio(self.r_frame_rate.as_deref(), '/')).unwrap_or(0.0);
        let claimed = self.nb_frames.as_deref().and_then(|frames| frames.parse().ok());
        let pixel_format = self.pix_fmt.as_deref().unwrap_or_default();
        let (seen_width, seen_height) = upright((seen, height));
        Video {
            codec: self.codec_name.clone().unwrap_or_default(),
            width: seen_width,
            height: seen_height,
            stored: upright((width, height)),
            fps,
            frames: claimed.unwrap_or((fps * duration).round() as u64),
            has_alpha: ALPHA.iter().any(|name| pixel_format.starts_with(name)),
            is_rgb: RGB.iter().any(|name| pixel_format.starts_with(name)),
            matrix_unknown: matches!(self.color_space.as_deref(), None | Some("unknown")),
        }
    }

    fn audio(&self) -> Audio {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok()).unwrap_or(0);
        Audio {
            codec: self.codec_name.clone().unwrap_or_default(),
            sample_rate: number(&self.sample_rate),
            channels: self.channels.unwrap_or(0),
            bitrate: number(&self.bit_rate),
        }
    }
}

fn seconds(text: Option<&str>) -> Option<f64> {
    text?.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)
}

/// Two numbers, as `30000/1001`.
fn ratio(text: Option<&str>, between: char) -> Option<f64> {
    let (one, other) = text?.split_once(between)?;
    let (one, other): (f64, f64) = (one.parse().ok()?, other.parse().ok()?);
    (other > 0.0).then_some(one / other)
}
