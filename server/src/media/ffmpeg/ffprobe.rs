//! ffprobe: its arguments and the parser of its output.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::color::{Color, SideData};
use super::media_info::{Audio, Cover, Field, Font, Labels, MAX_TITLE, MediaInfo, Subtitle, Video};
use super::ratio::ratio;

/// The arguments of ffprobe for a file in the current directory.
pub(in crate::media) fn arguments(demuxer: &str, file: &str) -> Vec<String> {
    const ENTRIES: &str = "format=duration:chapter=id:stream=index,codec_type,codec_name,codec_tag_string,width,height,\
        sample_aspect_ratio,avg_frame_rate,r_frame_rate,nb_frames,duration,pix_fmt,field_order,color_range,color_space,\
        color_transfer,color_primaries,sample_rate,channels,bit_rate,bits_per_sample,bits_per_raw_sample:\
        stream_disposition=attached_pic,default:stream_tags=language,title,alpha_mode:format_tags=:\
        stream_side_data=rotation,red_x,red_y,green_x,green_y,blue_x,blue_y,white_point_x,white_point_y,min_luminance,\
        max_luminance,max_content,max_average";
    let mut arguments: Vec<String> = ["-v", "error"].map(str::to_owned).into();
    arguments.extend(super::arguments::demuxer_arguments(demuxer));
    arguments.extend(["-of", "json", "-show_entries", ENTRIES, file].map(str::to_owned));
    arguments
}

/// The arguments of ffprobe for the tags of a file and of its audio streams, because some containers store tags there.
pub(in crate::media) fn tag_arguments(demuxer: &str, file: &str) -> Vec<String> {
    let mut arguments: Vec<String> = ["-v", "error"].map(str::to_owned).into();
    arguments.extend(super::arguments::demuxer_arguments(demuxer));
    arguments.extend(
        ["-of", "json", "-show_entries", "format_tags:stream_tags", "-select_streams", "a", file]
            .map(str::to_owned),
    );
    arguments
}

/// The arguments of ffprobe for the side data of the first frame.
pub(in crate::media) fn frame_arguments(demuxer: &str, file: &str) -> Vec<String> {
    let mut arguments: Vec<String> = ["-v", "error"].map(str::to_owned).into();
    arguments.extend(super::arguments::demuxer_arguments(demuxer));
    let entries =
        ["-read_intervals", "%+#1", "-select_streams", "V:0", "-show_entries", "frame_side_data_list"];
    arguments.extend(entries.map(str::to_owned));
    arguments.extend(["-of", "json", file].map(str::to_owned));
    arguments
}

/// Prefixes of pixel formats with alpha, and of RGB formats.
const ALPHA: [&str; 9] = ["rgba", "bgra", "argb", "abgr", "gbrap", "yuva", "ya8", "ya16", "pal8"];
const RGB: [&str; 6] = ["rgb", "bgr", "gbr", "argb", "abgr", "pal8"];
/// Prefixes of lossless codecs.
const LOSSLESS: [&str; 9] = ["pcm_", "flac", "alac", "wavpack", "tta", "ape", "truehd", "mlp", "wmalossless"];

#[derive(Deserialize)]
struct Probed {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    chapters: Vec<IgnoredAny>,
    #[serde(default)]
    format: Format,
}

#[derive(Deserialize, Default)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize, Default)]
struct Stream {
    #[serde(default)]
    index: usize,
    codec_type: Option<String>,
    codec_name: Option<String>,
    codec_tag_string: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    sample_aspect_ratio: Option<String>,
    avg_frame_rate: Option<String>,
    r_frame_rate: Option<String>,
    nb_frames: Option<String>,
    duration: Option<String>,
    pix_fmt: Option<String>,
    field_order: Option<String>,
    color_range: Option<String>,
    color_space: Option<String>,
    color_transfer: Option<String>,
    color_primaries: Option<String>,
    sample_rate: Option<String>,
    channels: Option<u32>,
    bit_rate: Option<String>,
    bits_per_sample: Option<u32>,
    bits_per_raw_sample: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    tags: Tags,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Deserialize, Default)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
    #[serde(default)]
    default: u8,
}

#[derive(Deserialize, Default)]
struct Tags {
    language: Option<String>,
    title: Option<String>,
    alpha_mode: Option<String>,
}

impl MediaInfo {
    /// Reads ffprobe's JSON.
    pub(in crate::media) fn read(json: &[u8]) -> Option<Self> {
        let probed: Probed = serde_json::from_slice(json).ok()?;
        let lengths = probed.streams.iter().map(|stream| &stream.duration).chain([&probed.format.duration]);
        let duration = lengths.filter_map(|text| seconds(text.as_deref())).fold(0.0, f64::max);
        let mut info = Self { duration, chapters: probed.chapters.len(), ..Self::default() };
        for stream in &probed.streams {
            info.add(stream);
        }
        Some(info)
    }

    fn add(&mut self, stream: &Stream) {
        let codec = stream.codec_name.as_deref().unwrap_or_default();
        match stream.codec_type.as_deref() {
            Some("video") if stream.disposition.attached_pic != 0 && self.cover.is_none() => {
                self.cover = Some(stream.cover());
            }
            Some("video") if stream.disposition.attached_pic == 0 && self.video.is_none() => {
                self.video = Some(stream.video(self.duration));
            }
            Some("audio") => self.audio.push(stream.audio()),
            Some("subtitle") => {
                self.subtitles.push(Subtitle { codec: codec.to_owned(), labels: stream.labels() });
            }
            Some("attachment") => {
                let position = self.fonts.len() + self.attachments;
                match codec {
                    "ttf" => self.fonts.push((position, Font::TrueType)),
                    "otf" => self.fonts.push((position, Font::OpenType)),
                    _ => self.attachments += 1,
                }
            }
            // QuickTime stores chapters this way.
            Some("data") if stream.codec_tag_string.as_deref() == Some("text") && self.chapters > 0 => {}
            _ => self.others += 1,
        }
    }
}

impl Stream {
    fn labels(&self) -> Labels {
        let language = self.tags.language.clone().unwrap_or_default().to_ascii_lowercase();
        let is_tag = (2..=12).contains(&language.len())
            && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && language != "und";
        let title = self.tags.title.iter().flat_map(|title| title.chars());
        Labels {
            language: if is_tag { language } else { String::new() },
            title: title.filter(|character| !character.is_control()).take(MAX_TITLE).collect(),
            is_default: self.disposition.default != 0,
        }
    }

    fn cover(&self) -> Cover {
        Cover {
            index: self.index,
            codec: self.codec_name.clone().unwrap_or_default(),
            pixels: u64::from(self.width.unwrap_or(0)) * u64::from(self.height.unwrap_or(0)),
        }
    }

    fn video(&self, duration: f64) -> Video {
        let turned = self.side_data_list.iter().find_map(SideData::rotation).unwrap_or(0.0);
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
        let highest = ratio(self.r_frame_rate.as_deref(), '/').filter(|fps| *fps > 0.0);
        let fps = average.or(highest).unwrap_or(0.0);
        let claimed = self.nb_frames.as_deref().and_then(|frames| frames.parse().ok());
        let pixel_format = self.pix_fmt.as_deref().unwrap_or_default();
        let begins = |names: &[&str]| names.iter().any(|name| pixel_format.starts_with(name));
        let (seen_width, seen_height) = upright((seen, height));
        let codec = self.codec_name.clone().unwrap_or_default();
        // ffmpeg's own decoders of VP8 and VP9 ignore the alpha channel.
        let vpx_alpha = codec.starts_with("vp") && self.tags.alpha_mode.as_deref() == Some("1");
        Video {
            index: self.index,
            codec,
            width: seen_width,
            height: seen_height,
            stored: upright((width, height)),
            fps,
            is_variable: highest.is_some_and(|highest| (fps / highest - 1.0).abs() > 0.005),
            frames: claimed.unwrap_or((fps * duration).round() as u64),
            has_alpha: vpx_alpha || begins(&ALPHA),
            is_rgb: begins(&RGB),
            matrix_unknown: matches!(self.color_space.as_deref(), None | Some("unknown")),
            depth: depth(pixel_format),
            has_fine_chroma: ["422", "440", "444"].iter().any(|chroma| pixel_format.contains(chroma)),
            color: Color::read(
                [&self.color_primaries, &self.color_transfer, &self.color_space, &self.color_range]
                    .map(|word| word.as_deref().unwrap_or_default()),
                &self.side_data_list,
            ),
            first_field: match self.field_order.as_deref() {
                Some("tt" | "bt") => Some(Field::Top),
                Some("bb" | "tb") => Some(Field::Bottom),
                _ => None,
            },
        }
    }

    fn audio(&self) -> Audio {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok()).unwrap_or(0);
        let codec = self.codec_name.clone().unwrap_or_default();
        let is_lossless = LOSSLESS.iter().any(|name| codec.starts_with(name));
        let bits = match (number(&self.bits_per_raw_sample), self.bits_per_sample.unwrap_or(0)) {
            (0, bits) => bits,
            (bits, _) => bits,
        };
        Audio {
            sample_rate: number(&self.sample_rate),
            channels: self.channels.unwrap_or(0),
            bitrate: number(&self.bit_rate),
            bits: if is_lossless { bits } else { 0 },
            is_float: codec.starts_with("pcm_f"),
            labels: self.labels(),
            codec,
        }
    }
}

/// Bits per component of a pixel format, from the end of its name: `yuv420p10le`, `p010le`, `gray12be`.
fn depth(pixel_format: &str) -> u32 {
    let name = pixel_format.trim_end_matches("le").trim_end_matches("be");
    [9, 10, 12, 14, 16]
        .into_iter()
        .find(|bits| {
            let ending = [format!("p{bits}"), format!("y{bits}"), format!("p0{bits}"), format!("p2{bits}")];
            let ends = ending.iter().any(|ending| name.ends_with(ending.as_str()));
            ends || (*bits == 16 && ["rgb48", "bgr48", "rgba64", "bgra64"].contains(&name))
        })
        .unwrap_or(8)
}

fn seconds(text: Option<&str>) -> Option<f64> {
    text?.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)
}
