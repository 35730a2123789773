//! Encodes a video, at a given quality or bit rate, or with a search for a `target_size`.

use super::context::Context;
use super::output_limits;
use super::size_search::BitrateSearch;
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::ffmpeg::arguments::{FfmpegCommand, RateControl, Streams, VideoOptions};
use crate::media::ffmpeg::bitrate;
use crate::media::ffmpeg::container::Container;
use crate::media::ffmpeg::filters::{self, PixelConversion, Scaling, SizeConstraints};
use crate::media::ffmpeg::media_info::Video;
use crate::media::ffmpeg::progress::Progress;
use crate::media::ffmpeg::size::Resize;
use crate::media::ffmpeg::tracks::Tracks;
use crate::media::ffmpeg::video_codec::VideoCodec;
use crate::media::settings::color;

/// The maximum share of the bit rate for audio in a search for a size.
const MAX_AUDIO_SHARE: f64 = 0.3;
/// With fewer bits per pixel than this, a smaller picture looks better.
const MIN_BITS_PER_PIXEL: f64 = 0.02;
/// The lowest useful video bit rate in bits per second.
const MIN_BITRATE: f64 = 8_000.0;

/// An encoded video.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    /// Its width and height.
    pub(super) size: (u32, u32),
    /// The final progress of ffmpeg.
    pub(super) progress: Progress,
}

/// The parameters of an encoding, except the bit rate.
pub(super) struct VideoEncoding<'a> {
    pub(super) demuxer: &'a str,
    pub(super) file: &'a str,
    pub(super) container: &'static Container,
    pub(super) source: &'a Video,
    pub(super) tracks: Tracks,
    pub(super) codec: VideoCodec,
    pub(super) fps: Option<f64>,
    pub(super) pixel_conversion: PixelConversion,
    /// The duration in seconds; 0 if unknown.
    pub(super) length: f64,
}

impl VideoEncoding<'_> {
    pub(super) fn scaling(&self, resize: Option<Resize>, shrink: f64) -> Scaling {
        let constraints = SizeConstraints { step: self.codec.size_step(), max_width: self.codec.max_width() };
        filters::scaling((self.source.width, self.source.height), resize, constraints, shrink)
    }

    /// The scaling if the codec took any size.
    pub(super) fn asked_scaling(&self, resize: Option<Resize>) -> Scaling {
        let constraints = SizeConstraints { step: 1, max_width: self.codec.max_width() };
        filters::scaling((self.source.width, self.source.height), resize, constraints, 1.0)
    }

    fn picture(&self, context: &Context<'_>, rate: RateControl, scaling: &Scaling) -> VideoOptions {
        VideoOptions {
            codec: self.codec,
            rate,
            preset: context.plan.settings.preset,
            filters: filters::video(self.source, scaling, self.fps, self.pixel_conversion),
            pixel_conversion: self.pixel_conversion,
            is_rgb: self.source.is_rgb,
            is_variable: self.source.is_variable && self.fps.is_none(),
            color: (self.pixel_conversion.is_deep && self.pixel_conversion.tone_map.is_none())
                .then(|| self.source.color.clone()),
        }
    }

    /// Encodes the output.
    pub(super) async fn encode(&self, context: &Context<'_>) -> Result<Encoded, Failure> {
        let settings = &context.plan.settings;
        let mut call = context.ffmpeg_command(self.demuxer, self.file, context.output_name());
        call.decoder = self.source.decoder();
        let asked = self.asked_scaling(settings.resize);
        output_limits::check(context.job.limits, &asked, self.source, (self.length, self.fps))?;
        if let Some(target) = settings.target_size {
            // The search has to know how much larger an attempt is.
            call.limits.bytes = None;
            return self.search(context, &call, target).await;
        }
        let rate = match settings.video_bitrate {
            Some(bits) => RateControl::Bits(bits),
            None => RateControl::Quality(settings.crf.unwrap_or(self.codec.default_crf())),
        };
        let scaling = self.scaling(settings.resize, 1.0);
        let streams = Streams::Video(Box::new(self.picture(context, rate, &scaling)), &self.tracks);
        let arguments = call.mux(self.container, &streams);
        let progress = context.ffmpeg(arguments, self.expected_length(), (0.0, 0.9)).await?;
        Ok(Encoded { size: scaling.size, progress })
    }

    /// Encodes until the output fits into `target` bytes.
    async fn search(
        &self,
        context: &Context<'_>,
        call: &FfmpegCommand<'_>,
        target: u64,
    ) -> Result<Encoded, Failure> {
        let resize = context.plan.settings.resize;
        let length = if self.length > 0.0 { self.length } else { 1.0 };
        let mut search = BitrateSearch::new(target, bitrate::to_fill(target, length));
        loop {
            let (bits, tracks) = self.split_bitrate(search.bits);
            let scaling = self.scaling(resize, self.shrink_factor(resize, bits, search.shrink));
            let from = 0.9 * (1.0 - 0.5_f64.powi(search.attempt() as i32));
            let to = 0.9 * (1.0 - 0.5_f64.powi(search.attempt() as i32 + 1));
            let middle = f64::midpoint(from, to);
            let shares = [(from, middle), (middle, to)];
            let passes: &[RateControl] = match self.codec.has_two_passes() {
                true => &[RateControl::Pass(1, bits as u64), RateControl::Pass(2, bits as u64)],
                false => &[RateControl::Bits(bits as u64)],
            };
            let mut progress = Progress::default();
            for (rate, share) in passes.iter().zip(shares) {
                let streams = Streams::Video(Box::new(self.picture(context, *rate, &scaling)), &tracks);
                let arguments = call.mux(self.container, &streams);
                progress = context.ffmpeg(arguments, self.expected_length(), share).await?;
            }
            let size = context.size_of(&call.output).await.unwrap_or(0);
            if search.reached(size)? {
                return Ok(Encoded { size: scaling.size, progress });
            }
        }
    }

    /// Divides a bit rate between the video and the audio streams.
    fn split_bitrate(&self, bits: f64) -> (f64, Tracks) {
        let tracks = self.tracks.with_bitrate(self.tracks.audio_bits().min(bits * MAX_AUDIO_SHARE));
        ((bits - tracks.audio_bits()).max(MIN_BITRATE), tracks)
    }

    /// The factor on width and height if bits are scarce, times `further`; 1 if a setting fixes the size.
    fn shrink_factor(&self, resize: Option<Resize>, bits: f64, further: f64) -> f64 {
        if resize.is_some_and(|resize| resize.width.is_some() || resize.height.is_some()) {
            return 1.0;
        }
        let (width, height) = self.scaling(resize, 1.0).size;
        let fps = self.fps.unwrap_or(self.source.fps).max(1.0);
        let bits_of_pixel = bits / (f64::from(width) * f64::from(height) * fps);
        ((bits_of_pixel / MIN_BITS_PER_PIXEL).sqrt().min(1.0) * further).clamp(0.05, 1.0)
    }

    /// A warning if the picture was reduced to reach `target_size`.
    pub(super) fn resize_warning(&self, context: &Context<'_>, size: (u32, u32)) -> Option<Warning> {
        let full = self.scaling(context.plan.settings.resize, 1.0).size;
        (size != full).then(|| {
            let message =
                format!("The picture was reduced to {} × {} to reach `target_size`.", size.0, size.1);
            Warning::new("resized_to_fit", message)
        })
    }

    /// The expected seconds and frames of the output.
    fn expected_length(&self) -> (f64, u64) {
        (self.length, (self.length * self.fps.unwrap_or(self.source.fps)) as u64)
    }
}

/// The codec of the settings; else that of the input if the type stays the same; else the container's default.
pub(super) fn codec(
    context: &Context<'_>,
    container: &Container,
    source: &Video,
) -> Result<VideoCodec, Failure> {
    let plan = context.plan;
    let usable = |codec: &&VideoCodec| context.environment.encodes(**codec);
    let same = container
        .video
        .iter()
        .filter(usable)
        .find(|codec| plan.input == plan.output && codec.is_probed_as(&source.codec));
    plan.settings
        .codec
        .or(same.copied())
        .or(container.video.first().copied())
        .ok_or_else(|| Failure::Infrastructure("a container without codecs".to_owned()))
}

/// How transparency, bit depth and dynamic range are converted.
pub(super) fn pixel_conversion(
    context: &Context<'_>,
    container: &Container,
    codec: VideoCodec,
    source: &Video,
) -> PixelConversion {
    let settings = &context.plan.settings;
    let keeps_alpha = source.has_alpha && codec.has_alpha() && container.demuxer == "matroska";
    let was_so =
        codec == VideoCodec::H264 && source.codec == "h264" && context.plan.input == context.plan.output;
    let is_deep = source.depth > 8 && !keeps_alpha && (codec.has_ten_bits() || was_so);
    let background = settings.background.as_deref().and_then(color).unwrap_or([255; 3]);
    PixelConversion {
        keeps_alpha,
        is_deep: is_deep && (codec.has_ten_bits() || source.color.hdr().is_none()),
        background: (source.has_alpha && !keeps_alpha).then_some(background),
        tone_map: source.color.hdr().filter(|_| !(is_deep && codec.has_ten_bits())),
    }
}

/// The frame rate of the output; `None` to keep that of the input.
pub(super) fn output_frame_rate(codec: VideoCodec, source: &Video, wanted: Option<f64>) -> Option<f64> {
    let rates = codec.frame_rates();
    let rate = wanted.unwrap_or(source.fps);
    let (Some(highest), false) = (rates.last(), rates.iter().any(|known| (known - rate).abs() < 0.01)) else {
        return wanted;
    };
    Some(*rates.iter().find(|known| **known >= rate).unwrap_or(highest))
}
