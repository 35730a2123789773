//! The codecs that are written: their encoders in ffmpeg, and what each understands by quality, speed and bit rate.

use super::media_info::Audio;
use super::preset::Preset;

/// How moving pictures are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum VideoCodec {
    H264,
    /// H.264 that telephones of 2003 play.
    H264Baseline,
    H265,
    Vp8,
    Vp9,
    Av1,
    Mpeg4,
    Wmv2,
    Mpeg2,
    Theora,
}

/// How sound is coded.
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
    Pcm(Samples),
}

/// How samples without compression are written, lowest byte first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum Samples {
    Int16,
    Int24,
    Int32,
    Float32,
    Float64,
}

impl Samples {
    /// Those that lose nothing of a source; 16 bits where it lost more than that before.
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

impl VideoCodec {
    /// The word of the `codec` setting, which is also ffmpeg's name of the codec.
    pub(in crate::media) const fn name(self) -> &'static str {
        match self {
            Self::H264 | Self::H264Baseline => "h264",
            Self::H265 => "h265",
            Self::Vp8 => "vp8",
            Self::Vp9 => "vp9",
            Self::Av1 => "av1",
            Self::Mpeg4 => "mpeg4",
            Self::Wmv2 => "wmv2",
            Self::Mpeg2 => "mpeg2",
            Self::Theora => "theora",
        }
    }

    /// Whether ffprobe calls streams of this codec `name`.
    pub(in crate::media) fn is_probed_as(self, name: &str) -> bool {
        match self {
            Self::H265 => name == "hevc",
            Self::Mpeg2 => name == "mpeg2video",
            codec => name == codec.name(),
        }
    }

    /// ffmpeg's name of the encoder.
    pub(in crate::media) const fn encoder(self) -> &'static str {
        match self {
            Self::H264 | Self::H264Baseline => "libx264",
            Self::H265 => "libx265",
            Self::Vp8 => "libvpx",
            Self::Vp9 => "libvpx-vp9",
            Self::Av1 => "libsvtav1",
            Self::Mpeg4 => "mpeg4",
            Self::Wmv2 => "wmv2",
            Self::Mpeg2 => "mpeg2video",
            Self::Theora => "libtheora",
        }
    }

    /// The `crf` that is used where none is asked for: about the same to the eye for each.
    pub(in crate::media) const fn default_crf(self) -> u8 {
        match self {
            Self::H265 => 28,
            Self::Vp8 => 20,
            Self::Vp9 => 33,
            Self::Av1 => 35,
            _ => 23,
        }
    }

    /// The largest `crf` that it takes.
    pub(in crate::media) const fn max_crf(self) -> u8 {
        match self {
            Self::Vp8 | Self::Vp9 | Self::Av1 => 63,
            _ => 51,
        }
    }

    /// Whether it can be told how much time to take.
    pub(in crate::media) const fn has_presets(self) -> bool {
        matches!(self, Self::H264 | Self::H264Baseline | Self::H265 | Self::Vp8 | Self::Vp9 | Self::Av1)
    }

    /// Whether the encoder has a second pass that spends bits where they are needed.
    pub(in crate::media) const fn has_two_passes(self) -> bool {
        matches!(self, Self::H264 | Self::H264Baseline | Self::Vp8 | Self::Vp9)
    }

    /// The widest picture that it, or what plays it, can take; nothing is made wider than this.
    pub(in crate::media) const fn max_width(self) -> u32 {
        match self {
            Self::H264Baseline => 640,
            Self::Mpeg2 | Self::Wmv2 => 4094,
            Self::Mpeg4 => 8190,
            _ => 16_382,
        }
    }

    /// Sides are multiples of this.
    pub(in crate::media) const fn size_step(self) -> u32 {
        match self {
            Self::Vp8 | Self::Vp9 => 1,
            _ => 2,
        }
    }

    /// Whether it carries 10 bits a component in what plays it; H.264 does where the source did so before.
    pub(in crate::media) const fn has_ten_bits(self) -> bool {
        matches!(self, Self::H265 | Self::Vp9 | Self::Av1)
    }

    /// Whether it carries an alpha channel, in WebM and Matroska.
    pub(in crate::media) const fn has_alpha(self) -> bool {
        matches!(self, Self::Vp8 | Self::Vp9)
    }

    /// Frames a second that it writes, the lowest first; empty where it takes any.
    pub(in crate::media) const fn frame_rates(self) -> &'static [f64] {
        match self {
            // ISO/IEC 13818-2, table 6-4. Others can be written, and are played at a wrong speed.
            Self::Mpeg2 => &[23.976, 24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0],
            _ => &[],
        }
    }

    /// Arguments for a constant quality. The older encoders have a quantizer instead of a rate factor: it doubles every
    /// 4.5 steps, as the size that it leads to shows.
    pub(super) fn quality(self, crf: u8) -> Vec<String> {
        let pair = |name: &str, value: String| vec![name.to_owned(), value];
        match self {
            Self::Vp9 => [pair("-crf", crf.to_string()), pair("-b:v", "0".to_owned())].concat(),
            // It takes the factor as a bound only, and needs a rate.
            Self::Vp8 => [pair("-crf", crf.max(4).to_string()), pair("-b:v", "4M".to_owned())].concat(),
            Self::Theora => pair("-q:v", format!("{:.1}", (10.0 - f32::from(crf) / 5.1).clamp(0.0, 10.0))),
            Self::Mpeg4 | Self::Wmv2 | Self::Mpeg2 => {
                pair("-q:v", format!("{:.1}", ((f32::from(crf) - 14.0) / 4.5).exp2().clamp(1.0, 31.0)))
            }
            _ => pair("-crf", crf.to_string()),
        }
    }

    /// Arguments for its speed and for what else it always gets. `color`: further parameters of x265.
    pub(super) fn tuning(self, preset: Option<Preset>, color: &str) -> Vec<String> {
        let preset = preset.unwrap_or_default();
        let x265 = format!("log-level=error{color}");
        let list: Vec<&str> = match self {
            Self::H264 => vec!["-preset", preset.name()],
            Self::H264Baseline => vec!["-preset", preset.name(), "-profile:v", "baseline", "-level", "3.0"],
            Self::H265 => vec!["-preset", preset.name(), "-x265-params", &x265],
            Self::Vp8 => vec!["-deadline", "good", "-cpu-used", preset.vpx_speed()],
            Self::Vp9 => vec!["-deadline", "good", "-cpu-used", preset.vpx_speed(), "-row-mt", "1"],
            Self::Av1 => vec!["-preset", preset.svt_speed()],
            Self::Mpeg4 => vec!["-vtag", "xvid"],
            Self::Mpeg2 => vec!["-maxrate", "9000000", "-bufsize", "1835008"],
            Self::Wmv2 | Self::Theora => vec![],
        };
        list.into_iter().map(str::to_owned).collect()
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
            Self::Pcm(Samples::Int16) => "pcm_s16le",
            Self::Pcm(Samples::Int24) => "pcm_s24le",
            Self::Pcm(Samples::Int32) => "pcm_s32le",
            Self::Pcm(Samples::Float32) => "pcm_f32le",
            Self::Pcm(Samples::Float64) => "pcm_f64le",
        }
    }

    /// ffmpeg's name of the sample format in which the encoder loses least of a source; none where it takes one alone, or
    /// where the source is lossy.
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

    /// Bits a second, at least and at most; `None` where nothing is lost, so that there is nothing to choose.
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

    /// Those of [`Self::bitrates`] that it takes at so many samples a second and channels.
    ///
    /// libvorbis refuses to begin with others than those that its tables hold for the rate, which were found by trial.
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

    /// Bits a second of a stereo sound where none are asked for.
    pub(in crate::media) const fn default_bitrate(self) -> u32 {
        match self {
            Self::Opus => 96_000,
            Self::Mp3 => 160_000,
            Self::Mp2 | Self::Ac3 => 192_000,
            _ => 128_000,
        }
    }

    /// Whether only these bit rates exist, the lowest first.
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

    /// Samples a second that it takes, the lowest first; empty where it takes any.
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

    /// The most channels that it takes.
    pub(in crate::media) const fn max_channels(self) -> u32 {
        match self {
            Self::Mp3 | Self::Mp2 | Self::Wma => 2,
            Self::Ac3 => 6,
            _ => 8,
        }
    }
}
