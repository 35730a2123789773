//! A video in the making, decided but for its bits; and the search for them where a number of bytes was asked for.

use super::context::Context;
use super::target::Search;
use crate::media::Failure;
use crate::media::engine::Warning;
use crate::media::ffmpeg::arguments::{Call, Picture, Rate, Streams};
use crate::media::ffmpeg::codec::VideoCodec;
use crate::media::ffmpeg::container::Container;
use crate::media::ffmpeg::filters::{self, Grid, Scaling};
use crate::media::ffmpeg::probe::Video;
use crate::media::ffmpeg::rate::{self, Sound};
use crate::media::settings::Resize;

/// The share of the bits that sound gets at most where bits are scarce.
const SOUND_SHARE: f64 = 0.3;
/// Bits for a pixel below which a smaller picture looks better.
const SCARCE: f64 = 0.02;
/// The fewest bits a second that encoders of video still make something of.
const MIN_BITS: f64 = 8_000.0;

/// An input on its way into a video, decided but for the bits.
pub(super) struct Plot<'a> {
    pub(super) demuxer: &'a str,
    pub(super) file: &'a str,
    pub(super) container: &'static Container,
    pub(super) source: &'a Video,
    pub(super) sound: Option<Sound>,
    pub(super) codec: VideoCodec,
    pub(super) fps: Option<f64>,
    pub(super) background: Option<[u8; 3]>,
    /// In seconds; 0 where it is not known.
    pub(super) length: f64,
}

impl Plot<'_> {
    pub(super) fn scaling(&self, resize: Option<Resize>, shrink: f64) -> Scaling {
        let grid = Grid { step: 2, max_width: self.codec.max_width() };
        filters::scaling((self.source.width, self.source.height), resize, grid, shrink)
    }

    fn picture(&self, context: &Context<'_>, rate: Rate, scaling: &Scaling) -> Picture {
        Picture {
            codec: self.codec,
            rate,
            preset: context.plan.settings.preset,
            filters: filters::video(self.source, scaling, self.fps, self.background),
            is_rgb: self.source.is_rgb,
        }
    }

    /// Writes the output; the size of its picture.
    pub(super) async fn encode(&self, context: &Context<'_>) -> Result<(u32, u32), Failure> {
        let settings = &context.plan.settings;
        let call = context.call(self.demuxer, self.file, context.output_name());
        if let Some(target) = settings.target_size {
            return self.search(context, &call, target).await;
        }
        let rate = match settings.video_bitrate {
            Some(bits) => Rate::Bits(bits),
            None => Rate::Quality(settings.crf.unwrap_or(self.codec.default_crf())),
        };
        let scaling = self.scaling(settings.resize, 1.0);
        let streams = Streams::Video(self.picture(context, rate, &scaling), self.sound);
        context.ffmpeg(call.contain(self.container, &streams), self.expected(), (0.0, 0.9)).await?;
        Ok(scaling.size)
    }

    /// Runs until the output has no more bytes than asked.
    async fn search(
        &self,
        context: &Context<'_>,
        call: &Call<'_>,
        target: u64,
    ) -> Result<(u32, u32), Failure> {
        let resize = context.plan.settings.resize;
        let length = if self.length > 0.0 { self.length } else { 1.0 };
        let mut search = Search::new(target, rate::to_fill(target, length));
        loop {
            let (bits, sound) = self.share(search.bits);
            let scaling = self.scaling(resize, self.shrink(resize, bits, search.shrink));
            let from = 0.9 * (1.0 - 0.5_f64.powi(search.attempt() as i32));
            let to = 0.9 * (1.0 - 0.5_f64.powi(search.attempt() as i32 + 1));
            let middle = f64::midpoint(from, to);
            let shares = [(from, middle), (middle, to)];
            let passes: &[Rate] = match self.codec.has_two_passes() {
                true => &[Rate::Pass(1, bits as u64), Rate::Pass(2, bits as u64)],
                false => &[Rate::Bits(bits as u64)],
            };
            for (rate, share) in passes.iter().zip(shares) {
                let streams = Streams::Video(self.picture(context, *rate, &scaling), sound);
                context.ffmpeg(call.contain(self.container, &streams), self.expected(), share).await?;
            }
            let size = context.size_of(&call.output).await.unwrap_or(0);
            if search.reached(size)? {
                return Ok(scaling.size);
            }
        }
    }

    /// The bits of the picture, and the sound with its own.
    fn share(&self, bits: f64) -> (f64, Option<Sound>) {
        let sound = self.sound.map(|sound| {
            let wanted = f64::from(sound.bitrate.unwrap_or(0));
            sound.at(wanted.min(bits * SOUND_SHARE) as u32)
        });
        let taken = sound.and_then(|sound| sound.bitrate).map_or(0.0, f64::from);
        ((bits - taken).max(MIN_BITS), sound)
    }

    /// The factor that a picture shrinks by where its bits are scarce, and `further`; 1 where its size was asked for.
    fn shrink(&self, resize: Option<Resize>, bits: f64, further: f64) -> f64 {
        if resize.is_some_and(|resize| resize.width.is_some() || resize.height.is_some()) {
            return 1.0;
        }
        let (width, height) = self.scaling(resize, 1.0).size;
        let fps = self.fps.unwrap_or(self.source.fps).max(1.0);
        let bits_of_pixel = bits / (f64::from(width) * f64::from(height) * fps);
        ((bits_of_pixel / SCARCE).sqrt().min(1.0) * further).clamp(0.05, 1.0)
    }

    /// Says so where the picture was made smaller for the sake of its bytes.
    pub(super) fn shrunk(&self, context: &Context<'_>, size: (u32, u32)) -> Option<Warning> {
        let full = self.scaling(context.plan.settings.resize, 1.0).size;
        (size != full).then(|| {
            let message = format!(
                "The picture was made smaller, to {} × {}, to fit into `target_size`.",
                size.0, size.1
            );
            Warning::new("resized_to_fit", message)
        })
    }

    /// Seconds and frames of the output.
    fn expected(&self) -> (f64, u64) {
        (self.length, (self.length * self.fps.unwrap_or(self.source.fps)) as u64)
    }
}

/// The codec that was asked for; else, where only fewer bytes were, that of the input; else the container's own.
pub(super) fn codec(
    context: &Context<'_>,
    container: &Container,
    source: &Video,
) -> Result<VideoCodec, Failure> {
    let plan = context.plan;
    let usable = |codec: &&VideoCodec| context.found.encodes(**codec);
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

/// The frames a second to bring a picture to; none where its own are kept.
pub(super) fn rate_of(codec: VideoCodec, source: &Video, wanted: Option<f64>) -> Option<f64> {
    let rates = codec.frame_rates();
    let rate = wanted.unwrap_or(source.fps);
    let (Some(highest), false) = (rates.last(), rates.iter().any(|known| (known - rate).abs() < 0.01)) else {
        return wanted;
    };
    Some(*rates.iter().find(|known| **known >= rate).unwrap_or(highest))
}
