//! Builds the command lines of ffmpeg. The arguments of a video codec are in `video_codec.rs`, those of audio and subtitles in
//! `tracks.rs`, filters in `filters.rs`. File names are fixed and relative to the current directory, so no user text gets into them.

use super::color::Color;
use super::container::Container;
use super::filters;
use super::filters::PixelConversion;
use super::preset::Preset;
use super::tracks::Tracks;
use super::trim::Trim;
use super::video_codec::VideoCodec;

/// The common parts of a command.
#[derive(Debug, Clone)]
pub(in crate::media) struct FfmpegCommand<'a> {
    /// The demuxer of the input.
    pub(in crate::media) demuxer: &'a str,
    /// The file name of the input.
    pub(in crate::media) input: &'a str,
    /// A stream and its decoder, if not ffmpeg's default.
    pub(in crate::media) decoder: Option<(usize, &'static str)>,
    /// The file name of the output.
    pub(in crate::media) output: String,
    pub(in crate::media) trim: Option<Trim>,
    pub(in crate::media) strip_metadata: bool,
    pub(in crate::media) threads: usize,
    pub(in crate::media) limits: OutputLimits,
}

/// Limits at which ffmpeg stops. An output that reaches one is refused afterwards.
#[derive(Debug, Clone, Copy)]
pub(in crate::media) struct OutputLimits {
    pub(in crate::media) pixels: u64,
    pub(in crate::media) frames: u64,
    pub(in crate::media) seconds: f64,
    /// `None` for a file that leads to the output: the sandbox limits it.
    pub(in crate::media) bytes: Option<u64>,
}

/// The video encoding.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::media) struct VideoOptions {
    pub(in crate::media) codec: VideoCodec,
    pub(in crate::media) rate: RateControl,
    pub(in crate::media) preset: Option<Preset>,
    pub(in crate::media) filters: String,
    pub(in crate::media) pixel_conversion: PixelConversion,
    pub(in crate::media) is_rgb: bool,
    /// The frame rate is variable, and frames keep their timestamps.
    pub(in crate::media) is_variable: bool,
    /// HDR color tags to keep.
    pub(in crate::media) color: Option<Color>,
}

/// The rate control of the encoder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::media) enum RateControl {
    /// Constant quality (CRF).
    Quality(u8),
    /// One pass with this bit rate.
    Bits(u64),
    /// The number of a pass of two, and the bit rate.
    Pass(u8, u64),
}

/// The streams of the output.
#[derive(Debug, Clone)]
pub(in crate::media) enum Streams<'a> {
    /// The video and all other tracks.
    Video(Box<VideoOptions>, &'a Tracks),
    /// Audio without video.
    Audio(&'a Tracks),
    /// Copies the streams without encoding.
    Copy { video: bool, tracks: &'a Tracks },
}

/// The log file of a first pass.
const PASS_LOG: &str = "pass";

/// Allows one demuxer and only local files, so that ffmpeg does not open files that the input refers to.
pub(in crate::media) fn demuxer_arguments(demuxer: &str) -> [String; 6] {
    ["-protocol_whitelist", "file,pipe", "-format_whitelist", demuxer, "-f", demuxer].map(str::to_owned)
}

fn strings<const N: usize>(list: [&str; N]) -> impl Iterator<Item = String> {
    list.map(str::to_owned).into_iter()
}

impl FfmpegCommand<'_> {
    /// The arguments up to and including the input.
    fn input_arguments(&self) -> Vec<String> {
        let mut line: Vec<String> = strings(["-nostdin", "-hide_banner", "-y", "-v", "error"]).collect();
        line.extend(strings(["-nostats", "-stats_period", "0.5", "-progress", "pipe:1"]));
        line.extend(strings(["-threads"]));
        line.push(self.threads.to_string());
        line.extend(["-max_pixels".to_owned(), self.limits.pixels.min(i32::MAX as u64).to_string()]);
        line.extend(demuxer_arguments(self.demuxer));
        if let Some(trim) = self.trim.filter(|trim| trim.start > 0.0) {
            line.extend(["-ss".to_owned(), trim.start.to_string()]);
        }
        if let Some((stream, decoder)) = self.decoder {
            line.extend([format!("-c:{stream}"), decoder.to_owned()]);
        }
        line.extend(["-i".to_owned(), self.input.to_owned()]);
        line
    }

    /// The arguments from the limits to the name of the output.
    fn output_arguments(&self, line: &mut Vec<String>, muxer: &str, flags: &[&str], output: &str) {
        if self.strip_metadata {
            // Chapter titles stay.
            line.extend(strings(["-map_metadata:g", "-1", "-map_metadata:s", "-1", "-fflags", "+bitexact"]));
        }
        let asked = self.trim.and_then(|trim| Some(trim.end? - trim.start));
        let seconds = asked.unwrap_or(self.limits.seconds).min(self.limits.seconds);
        line.extend(["-t".to_owned(), seconds.to_string()]);
        line.extend(self.limits.bytes.iter().flat_map(|bytes| ["-fs".to_owned(), bytes.to_string()]));
        line.extend(strings(["-dn", "-max_muxing_queue_size", "4096"]));
        line.extend(flags.iter().map(|&flag| flag.to_owned()));
        line.extend(["-f".to_owned(), muxer.to_owned(), output.to_owned()]);
    }

    /// Encodes or copies streams into a container.
    pub(in crate::media) fn mux(&self, container: &Container, streams: &Streams<'_>) -> Vec<String> {
        let mut line = self.input_arguments();
        // In Ogg, stream titles and file titles are the same tags.
        let label = self.strip_metadata && self.demuxer != "ogg";
        match streams {
            Streams::Video(picture, tracks) => {
                line.extend(strings(["-map", "0:V:0"]));
                self.picture(&mut line, container, picture);
                if let RateControl::Pass(1, _) = picture.rate {
                    // The first pass writes only its log.
                    self.output_arguments(&mut line, "null", &[], "-");
                    return line;
                }
                line.extend(tracks.arguments(false, label));
                if self.strip_metadata && !tracks.audio.is_empty() {
                    line.extend(strings(["-flags:a", "+bitexact"]));
                }
            }
            Streams::Audio(tracks) => {
                line.extend(tracks.arguments(false, false));
                if self.strip_metadata {
                    line.extend(strings(["-flags:a", "+bitexact"]));
                } else if self.demuxer == "ogg" {
                    // The tags of the file are those of the stream.
                    line.extend(strings(["-map_metadata:g", "0:s:a:0"]));
                }
            }
            Streams::Copy { video, tracks } => {
                if *video {
                    line.extend(strings(["-map", "0:V:0"]));
                }
                line.extend(tracks.arguments(true, label && *video));
                line.extend(strings(["-c", "copy"]));
            }
        }
        self.output_arguments(&mut line, container.muxer, container.flags, &self.output);
        line
    }

    fn picture(&self, line: &mut Vec<String>, container: &Container, picture: &VideoOptions) {
        line.extend(["-vf".to_owned(), picture.filters.clone()]);
        line.extend(["-c:v".to_owned(), picture.codec.encoder().to_owned()]);
        let color = picture.color.as_ref().map(Color::x265).unwrap_or_default();
        line.extend(picture.codec.tuning(picture.preset, &color));
        match picture.rate {
            RateControl::Quality(crf) => line.extend(picture.codec.quality(crf)),
            RateControl::Bits(bits) => line.extend(["-b:v".to_owned(), bits.to_string()]),
            RateControl::Pass(pass, bits) => {
                line.extend(["-b:v".to_owned(), bits.to_string(), "-pass".to_owned(), pass.to_string()]);
                line.extend(strings(["-passlogfile", PASS_LOG]));
            }
        }
        if matches!(picture.codec, VideoCodec::H265)
            && self.output.ends_with('4') | self.output.ends_with("mov")
        {
            // Apple's players require this tag.
            line.extend(strings(["-tag:v", "hvc1"]));
        }
        if picture.is_rgb {
            line.extend(strings([
                "-colorspace",
                "bt709",
                "-color_primaries",
                "bt709",
                "-color_trc",
                "bt709",
            ]));
            line.extend(strings(["-color_range", "tv"]));
        }
        if picture.pixel_conversion.keeps_alpha {
            // The alpha channel does not support frames that are not displayed.
            line.extend(strings(["-auto-alt-ref", "0"]));
        } else if !self.strip_metadata {
            line.extend(strings(["-metadata:s:v:0", "alpha_mode="]));
        }
        if container.needs_variable_rate() {
            line.extend(strings(["-fps_mode:v", "vfr"]));
        }
        if picture.is_variable && picture.codec.has_presets() {
            line.extend(strings(["-enc_time_base:v", "-1"]));
        }
        line.extend(["-frames:v".to_owned(), self.limits.frames.to_string()]);
        line.extend(["-threads".to_owned(), self.threads.to_string()]);
        if self.strip_metadata {
            line.extend(strings(["-flags:v", "+bitexact"]));
        }
    }

    /// Writes one frame as a PNG.
    pub(in crate::media) fn frame(&self, filters: &str) -> Vec<String> {
        let mut line = self.input_arguments();
        line.extend(strings(["-map", "0:V:0", "-an"]));
        if !filters.is_empty() {
            line.extend(["-vf".to_owned(), filters.to_owned()]);
        }
        // `-update` writes one file instead of a sequence.
        line.extend(strings(["-frames:v", "1", "-c:v", "png", "-pred", "none", "-update", "1"]));
        self.output_arguments(&mut line, "image2", &[], &self.output);
        line
    }

    /// Prints the lowest alpha of each frame, as [`filters::has_transparent_pixel`] reads it.
    pub(in crate::media) fn alpha_statistics(&self) -> Vec<String> {
        let mut line = self.input_arguments();
        line.extend(strings(["-map", "0:V:0", "-an", "-vf", filters::ALPHA_STATISTICS]));
        line.extend(["-frames:v".to_owned(), self.limits.frames.to_string()]);
        self.output_arguments(&mut line, "null", &[], "-");
        line
    }

    /// Writes an animated GIF with its own palette.
    pub(in crate::media) fn gif(&self, filters: &str) -> Vec<String> {
        let mut line = self.input_arguments();
        let chain = if filters.is_empty() { String::new() } else { format!("{filters},") };
        let graph = format!(
            "{chain}split[seen][shown];[seen]palettegen=stats_mode=diff[palette];\
             [shown][palette]paletteuse=dither=sierra2_4a:diff_mode=rectangle"
        );
        line.extend(strings(["-map", "0:V:0", "-an"]));
        line.extend(["-vf".to_owned(), graph]);
        line.extend(["-frames:v".to_owned(), self.limits.frames.to_string()]);
        line.extend(strings(["-c:v", "gif", "-loop", "0"]));
        self.output_arguments(&mut line, "gif", &[], &self.output);
        line
    }

    /// Writes an animated WebP.
    pub(in crate::media) fn webp(&self, filters: &str, quality: u8, lossless: bool) -> Vec<String> {
        let mut line = self.input_arguments();
        line.extend(strings(["-map", "0:V:0", "-an"]));
        if !filters.is_empty() {
            line.extend(["-vf".to_owned(), filters.to_owned()]);
        }
        line.extend(["-frames:v".to_owned(), self.limits.frames.to_string()]);
        line.extend(strings(["-c:v", "libwebp_anim", "-loop", "0", "-lossless"]));
        line.push(u8::from(lossless).to_string());
        line.extend(["-quality".to_owned(), quality.to_string()]);
        self.output_arguments(&mut line, "webp", &[], &self.output);
        line
    }
}
