//! Bits for a size, and a sound's rates within what its codec takes.

use super::audio_codec::AudioCodec;
use super::media_info::Audio;

/// How a sound is coded, decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) struct AudioEncoding {
    pub(in crate::media) codec: AudioCodec,
    /// Bits a second; none for codecs without loss.
    pub(in crate::media) bitrate: Option<u32>,
    /// The bit rates that its codec takes at its sample rate and channels.
    pub(in crate::media) bitrates: Option<(u32, u32)>,
    /// None: as it is.
    pub(in crate::media) sample_rate: Option<u32>,
    /// None: as it is.
    pub(in crate::media) channels: Option<u32>,
    /// In ffmpeg's name; none where the encoder chooses.
    pub(in crate::media) sample_format: Option<&'static str>,
}

/// What a sound was asked to become.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::media) struct AudioRequest {
    pub(in crate::media) bitrate: Option<u32>,
    pub(in crate::media) sample_rate: Option<u32>,
    pub(in crate::media) channels: Option<u32>,
    /// The most channels that the output takes.
    pub(in crate::media) max_channels: u32,
}

impl AudioEncoding {
    /// Decides: what was asked, else the default of the codec, but never more than the source has to give.
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
            // A sound that lost something at a lower rate has nothing to gain at a higher one.
            let worth = if source.bitrate > 0 { source.bitrate } else { u32::MAX };
            let wanted = audio_request.bitrate.unwrap_or(default.min(worth)).clamp(least, most);
            step_at_most(codec, wanted)
        });
        Self { codec, bitrate, bitrates, sample_rate, channels, sample_format: codec.sample_format(source) }
    }

    /// The same at another bit rate, or the nearest to it that there is.
    #[must_use]
    pub(in crate::media) fn with_bitrate(self, bitrate: u32) -> Self {
        let bitrate = self.bitrates.map(|(least, most)| step_at_most(self.codec, bitrate.clamp(least, most)));
        Self { bitrate, ..self }
    }
}

/// The highest that exists and is not more; the lowest where all are.
fn step_at_most(codec: AudioCodec, bitrate: u32) -> u32 {
    let steps = codec.bitrate_steps();
    let below = steps.iter().copied().take_while(|step| *step <= bitrate).last();
    below.or(steps.first().copied()).unwrap_or(bitrate)
}

/// The lowest rate of the codec that loses nothing, else its highest; none where it takes the source's.
fn nearest_rate(codec: AudioCodec, rate: u32) -> Option<u32> {
    let rates = codec.sample_rates();
    if rates.is_empty() || rates.contains(&rate) {
        return None;
    }
    rates.iter().copied().find(|candidate| *candidate >= rate).or(rates.last().copied())
}

/// Bits a second that fill `bytes` in `seconds`, less what the container takes.
pub(in crate::media) fn to_fill(bytes: u64, seconds: f64) -> f64 {
    /// The share of a file that is no sound and no picture.
    const CONTAINER: f64 = 0.03;
    bytes as f64 * 8.0 * (1.0 - CONTAINER) / seconds.max(0.1)
}
