//! Chooses bit rates and sample rates that a codec supports, and bit rates for a target size.

use super::audio_codec::AudioCodec;
use super::media_info::Audio;

/// The encoding of an audio stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) struct AudioEncoding {
    pub(in crate::media) codec: AudioCodec,
    /// Bits per second; `None` for lossless codecs.
    pub(in crate::media) bitrate: Option<u32>,
    /// The bit rates that the codec supports at this sample rate and number of channels.
    pub(in crate::media) bitrates: Option<(u32, u32)>,
    /// `None`: unchanged.
    pub(in crate::media) sample_rate: Option<u32>,
    /// `None`: unchanged.
    pub(in crate::media) channels: Option<u32>,
    /// ffmpeg's name of the sample format; `None` if the encoder chooses.
    pub(in crate::media) sample_format: Option<&'static str>,
}

/// The requested audio settings.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::media) struct AudioRequest {
    pub(in crate::media) bitrate: Option<u32>,
    pub(in crate::media) sample_rate: Option<u32>,
    pub(in crate::media) channels: Option<u32>,
    /// The maximum number of channels of the output.
    pub(in crate::media) max_channels: u32,
}

impl AudioEncoding {
    /// Chooses the requested values, else the defaults of the codec, but never more than the source has.
    pub(in crate::media) fn choose(codec: AudioCodec, source: &Audio, audio_request: AudioRequest) -> Self {
        let most = codec.max_channels().min(audio_request.max_channels);
        let channels = audio_request.channels.or((source.channels > most).then_some(most));
        let count = channels.unwrap_or(source.channels).max(1);
        let sample_rate = audio_request.sample_rate.or_else(|| nearest_rate(codec, source.sample_rate));
        let bitrates = codec.bitrates_at(sample_rate.unwrap_or(source.sample_rate), count);
        let bitrate = bitrates.map(|(least, most)| {
            let default = match count {
                1 => codec.default_bitrate() / 2,
                2 => codec.default_bitrate(),
                more => codec.default_bitrate() / 2 * more,
            };
            // A lossy source gains nothing from a higher bit rate than its own.
            let worth = if source.bitrate > 0 { source.bitrate } else { u32::MAX };
            let wanted = audio_request.bitrate.unwrap_or(default.min(worth)).clamp(least, most);
            step_at_most(codec, wanted)
        });
        Self { codec, bitrate, bitrates, sample_rate, channels, sample_format: codec.sample_format(source) }
    }

    /// The same with another bit rate, or the nearest supported one.
    #[must_use]
    pub(in crate::media) fn with_bitrate(self, bitrate: u32) -> Self {
        let bitrate = self.bitrates.map(|(least, most)| step_at_most(self.codec, bitrate.clamp(least, most)));
        Self { bitrate, ..self }
    }
}

/// The highest supported bit rate that is not above `bitrate`; else the lowest.
fn step_at_most(codec: AudioCodec, bitrate: u32) -> u32 {
    let steps = codec.bitrate_steps();
    let below = steps.iter().copied().take_while(|step| *step <= bitrate).last();
    below.or(steps.first().copied()).unwrap_or(bitrate)
}

/// The lowest supported sample rate that is not below `rate`, else the highest; `None` if `rate` is supported.
fn nearest_rate(codec: AudioCodec, rate: u32) -> Option<u32> {
    let rates = codec.sample_rates();
    if rates.is_empty() || rates.contains(&rate) {
        return None;
    }
    rates.iter().copied().find(|candidate| *candidate >= rate).or(rates.last().copied())
}

/// The bit rate that fills `bytes` in `seconds`, minus the overhead of the container.
pub(in crate::media) fn to_fill(bytes: u64, seconds: f64) -> f64 {
    /// The share of the container's overhead.
    const CONTAINER: f64 = 0.03;
    bytes as f64 * 8.0 * (1.0 - CONTAINER) / seconds.max(0.1)
}
