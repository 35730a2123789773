//! Audio codecs that can be written: the encoder in ffmpeg, and the bit rates, sample rates and channels that it accepts.

use super::media_info::Audio;

/// An audio codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum AudioCodec {
    Aac,
    Mp3,
    Mp2,
    Ac3,
    Vorbis,
    Opus,
    Flac,
    Wma,
    Alac,
    Pcm(PcmFormat),
}

/// The sample format of PCM, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum PcmFormat {
    Int16,
    Int24,
    Int32,
    Float32,
    Float64,
}

impl PcmFormat {
    /// The format that is lossless for a source; 16 bits for a lossy source.
    pub(in crate::media) const fn of(source: &Audio) -> Self {
        match (source.is_float, source.bits) {
            (true, 0..=32) => Self::Float32,
            (true, _) => Self::Float64,
            (false, 0..=16) => Self::Int16,
            (false, 17..=24) => Self::Int24,
            (false, _) => Self::Int32,
        }
    }
}

impl AudioCodec {
    /// ffmpeg's name of the encoder.
    pub(in crate::media) const fn encoder(self) -> &'static str {
        match self {
            Self::Aac => "aac",
            Self::Mp3 => "libmp3lame",
            Self::Mp2 => "mp2",
            Self::Ac3 => "ac3",
            Self::Vorbis => "libvorbis",
            Self::Opus => "libopus",
            Self::Flac => "flac",
            Self::Wma => "wmav2",
            Self::Alac => "alac",
            Self::Pcm(PcmFormat::Int16) => "pcm_s16le",
            Self::Pcm(PcmFormat::Int24) => "pcm_s24le",
            Self::Pcm(PcmFormat::Int32) => "pcm_s32le",
            Self::Pcm(PcmFormat::Float32) => "pcm_f32le",
            Self::Pcm(PcmFormat::Float64) => "pcm_f64le",
        }
    }

    /// ffmpeg's name of the best sample format for a source; `None` if the encoder has only one, or the source is lossy.
    pub(super) const fn sample_format(self, source: &Audio) -> Option<&'static str> {
        let is_deep = source.is_float || source.bits > 16;
        match self {
            _ if source.bits == 0 => None,
            // Both write 24 bits of these.
            Self::Flac if is_deep => Some("s32"),
            Self::Alac if is_deep => Some("s32p"),
            Self::Flac => Some("s16"),
            Self::Alac => Some("s16p"),
            _ => None,
        }
    }

    /// The minimum and maximum bit rate in bits per second; `None` for lossless codecs.
    pub(in crate::media) const fn bitrates(self) -> Option<(u32, u32)> {
        match self {
            Self::Aac => Some((16_000, 512_000)),
            Self::Mp3 => Some((8_000, 320_000)),
            Self::Mp2 => Some((32_000, 384_000)),
            Self::Ac3 => Some((32_000, 640_000)),
            Self::Vorbis => Some((32_000, 500_000)),
            Self::Opus => Some((6_000, 510_000)),
            Self::Wma => Some((24_000, 320_000)),
            Self::Flac | Self::Alac | Self::Pcm(_) => None,
        }
    }

    /// The minimum and maximum bit rate at a sample rate and number of channels.
    ///
    /// libvorbis fails to start with other rates; its limits were determined by experiment.
    pub(in crate::media) const fn bitrates_at(self, rate: u32, channels: u32) -> Option<(u32, u32)> {
        if !matches!(self, Self::Vorbis) {
            return self.bitrates();
        }
        let (mono, stereo) = match rate {
            0..=8_000 => ((16_000, 40_000), (16_000, 80_000)),
            8_001..=11_025 => ((16_000, 48_000), (16_000, 96_000)),
            11_026..=16_000 => ((16_000, 96_000), (32_000, 192_000)),
            16_001..=22_050 => ((16_000, 80_000), (32_000, 160_000)),
            22_051..=32_000 => ((32_000, 160_000), (40_000, 320_000)),
            _ => ((32_000, 240_000), (48_000, 500_000)),
        };
        Some(match channels {
            0 | 1 => mono,
            2 => stereo,
            more => (mono.0 * more, mono.1 * more),
        })
    }

    /// The default bit rate for stereo.
    pub(in crate::media) const fn default_bitrate(self) -> u32 {
        match self {
            Self::Opus => 96_000,
            Self::Mp3 => 160_000,
            Self::Mp2 | Self::Ac3 => 192_000,
            _ => 128_000,
        }
    }

    /// The only bit rates of the codec, lowest first; empty for any.
    pub(in crate::media) const fn bitrate_steps(self) -> &'static [u32] {
        match self {
            Self::Mp3 => &[
                8_000, 16_000, 24_000, 32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000,
                128_000, 160_000, 192_000, 224_000, 256_000, 320_000,
            ],
            Self::Mp2 => &[
                32_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 192_000, 224_000,
                256_000, 320_000, 384_000,
            ],
            _ => &[],
        }
    }

    /// The supported sample rates, lowest first; empty for any.
    pub(in crate::media) const fn sample_rates(self) -> &'static [u32] {
        match self {
            Self::Aac => &[
                8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
            ],
            Self::Mp3 => &[8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
            Self::Mp2 => &[16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
            Self::Ac3 => &[32_000, 44_100, 48_000],
            Self::Opus => &[8_000, 12_000, 16_000, 24_000, 48_000],
            Self::Wma | Self::Vorbis => &[8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
            Self::Flac | Self::Alac | Self::Pcm(_) => &[],
        }
    }

    /// The maximum number of channels.
    pub(in crate::media) const fn max_channels(self) -> u32 {
        match self {
            Self::Mp3 | Self::Mp2 | Self::Wma => 2,
            Self::Ac3 => 6,
            _ => 8,
        }
    }
}
