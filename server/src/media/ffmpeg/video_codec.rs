//! The video codecs for output: their ffmpeg encoders, and arguments for quality, speed and bit rate.

use super::preset::Preset;

/// A video codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum VideoCodec {
    H264,
    /// H.264 Baseline profile, for 3GPP files.
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

impl VideoCodec {
    /// Its name in the `codec` setting, which is also ffmpeg's name of the codec.
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

    /// The default `crf`: about the same visual quality for each codec.
    pub(in crate::media) const fn default_crf(self) -> u8 {
        match self {
            Self::H265 => 28,
            Self::Vp8 => 20,
            Self::Vp9 => 33,
            Self::Av1 => 35,
            _ => 23,
        }
    }

    /// The largest `crf` of the encoder.
    pub(in crate::media) const fn max_crf(self) -> u8 {
        match self {
            Self::Vp8 | Self::Vp9 | Self::Av1 => 63,
            _ => 51,
        }
    }

    /// Whether the encoder has presets.
    pub(in crate::media) const fn has_presets(self) -> bool {
        matches!(self, Self::H264 | Self::H264Baseline | Self::H265 | Self::Vp8 | Self::Vp9 | Self::Av1)
    }

    /// Whether two-pass encoding is supported.
    pub(in crate::media) const fn has_two_passes(self) -> bool {
        matches!(self, Self::H264 | Self::H264Baseline | Self::Vp8 | Self::Vp9)
    }

    /// The maximum width that the encoder and common players support.
    pub(in crate::media) const fn max_width(self) -> u32 {
        match self {
            Self::H264Baseline => 640,
            Self::Mpeg2 | Self::Wmv2 => 4094,
            Self::Mpeg4 => 8190,
            _ => 16_382,
        }
    }

    /// Width and height are multiples of this.
    pub(in crate::media) const fn size_step(self) -> u32 {
        match self {
            Self::Vp8 | Self::Vp9 => 1,
            _ => 2,
        }
    }

    /// Whether common players support it with 10 bits per component. H.264 uses 10 bits only if the source does.
    pub(in crate::media) const fn has_ten_bits(self) -> bool {
        matches!(self, Self::H265 | Self::Vp9 | Self::Av1)
    }

    /// Whether it can carry an alpha channel in WebM and Matroska.
    pub(in crate::media) const fn has_alpha(self) -> bool {
        matches!(self, Self::Vp8 | Self::Vp9)
    }

    /// The supported frame rates, lowest first; empty for any.
    pub(in crate::media) const fn frame_rates(self) -> &'static [f64] {
        match self {
            // ISO/IEC 13818-2, table 6-4. Players show other rates at a wrong speed.
            Self::Mpeg2 => &[23.976, 24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0],
            _ => &[],
        }
    }

    /// Arguments for a constant quality. Older encoders take a quantizer instead of a rate factor; it doubles every 4.5 steps of
    /// `crf`, which was measured by file size.
    pub(super) fn quality(self, crf: u8) -> Vec<String> {
        let pair = |name: &str, value: String| vec![name.to_owned(), value];
        match self {
            Self::Vp9 => [pair("-crf", crf.to_string()), pair("-b:v", "0".to_owned())].concat(),
            // libvpx treats `crf` for VP8 as a limit and needs a bit rate.
            Self::Vp8 => [pair("-crf", crf.max(4).to_string()), pair("-b:v", "4M".to_owned())].concat(),
            Self::Theora => pair("-q:v", format!("{:.1}", (10.0 - f32::from(crf) / 5.1).clamp(0.0, 10.0))),
            Self::Mpeg4 | Self::Wmv2 | Self::Mpeg2 => {
                pair("-q:v", format!("{:.1}", ((f32::from(crf) - 14.0) / 4.5).exp2().clamp(1.0, 31.0)))
            }
            _ => pair("-crf", crf.to_string()),
        }
    }

    /// Arguments for the speed, and fixed arguments. `color` contains further parameters of x265.
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
