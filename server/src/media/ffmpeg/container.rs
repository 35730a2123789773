//! The table of video and audio containers: the demuxer, muxer and codecs of each type.

use filepress_wire::MediaType;

use super::audio_codec::{AudioCodec, PcmFormat};
use super::media_info::{Audio, Subtitle};
use super::video_codec::VideoCodec;

/// A container format.
#[derive(Debug)]
pub(in crate::media) struct Container {
    /// ffmpeg's name of the demuxer. It is forced: otherwise ffmpeg would open a playlist that is named `.mp4`.
    pub(in crate::media) demuxer: &'static str,
    /// ffmpeg's name of the muxer.
    pub(in crate::media) muxer: &'static str,
    /// The video codecs, the default first; empty for audio.
    pub(in crate::media) video: &'static [VideoCodec],
    /// The audio codec.
    pub(in crate::media) audio: AudioCodec,
    /// Arguments for the muxer.
    pub(in crate::media) flags: &'static [&'static str],
    /// The lossless audio codec that is used if the source is lossless.
    pub(in crate::media) lossless: Option<AudioCodec>,
    /// It can hold several audio streams, and players can select one.
    pub(in crate::media) many_audio: bool,
    /// The format of subtitles; `None` if not supported.
    pub(in crate::media) subtitles: Option<SubtitleFormat>,
    /// It can hold fonts for subtitles.
    pub(in crate::media) fonts: bool,
    /// It can hold a cover picture.
    pub(in crate::media) cover: bool,
}

/// How a container writes subtitles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::media) enum SubtitleFormat {
    /// Matroska: most formats are copied.
    Matroska,
    /// 3GPP Timed Text.
    MovText,
    WebVtt,
}

impl SubtitleFormat {
    /// ffmpeg's name of the encoder for a source, or `copy`; `None` if not supported.
    pub(in crate::media) fn encoder(self, source: &Subtitle) -> Option<&'static str> {
        const COPIED: [&str; 6] =
            ["subrip", "ass", "webvtt", "hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"];
        let codec = source.codec.as_str();
        match self {
            Self::Matroska if COPIED.contains(&codec) => Some("copy"),
            Self::MovText if codec == "mov_text" => Some("copy"),
            Self::WebVtt if codec == "webvtt" => Some("copy"),
            _ if !source.is_text() => None,
            Self::Matroska => Some("srt"),
            Self::MovText => Some("mov_text"),
            Self::WebVtt => Some("webvtt"),
        }
    }
}

impl Container {
    const fn lossless(mut self, codec: AudioCodec) -> Self {
        self.lossless = Some(codec);
        self
    }

    const fn many(mut self) -> Self {
        self.many_audio = true;
        self
    }

    const fn subtitles(mut self, form: SubtitleFormat) -> Self {
        self.subtitles = Some(form);
        self.fonts = matches!(form, SubtitleFormat::Matroska);
        self
    }

    const fn covered(mut self) -> Self {
        self.cover = true;
        self
    }

    /// Whether ffmpeg must be told to keep a variable frame rate; by default it would repeat and drop frames.
    pub(super) fn needs_variable_rate(&self) -> bool {
        self.demuxer == "mov"
    }

    /// The audio codec for a source: lossless if the source is, the container supports it, and `may_lose` is false.
    pub(in crate::media) fn codec_for(&self, source: &Audio, may_lose: bool) -> AudioCodec {
        match (self.audio, self.lossless) {
            (Pcm(_), _) => Pcm(PcmFormat::of(source)),
            (_, Some(codec)) if !may_lose && source.codec == codec.encoder() => codec,
            (codec, _) => codec,
        }
    }
}

use AudioCodec::{Aac, Ac3, Alac, Flac, Mp2, Mp3, Opus, Pcm, Vorbis, Wma};
use VideoCodec::{Av1, H264, H264Baseline, H265, Mpeg2, Mpeg4, Theora, Vp8, Vp9, Wmv2};

const fn container(
    demuxer: &'static str,
    muxer: &'static str,
    video: &'static [VideoCodec],
    audio: AudioCodec,
    flags: &'static [&'static str],
) -> Container {
    Container {
        demuxer,
        muxer,
        video,
        audio,
        flags,
        lossless: None,
        many_audio: false,
        subtitles: None,
        fonts: false,
        cover: false,
    }
}

/// Writes the index at the beginning, so that playback can start during the download.
const FAST_START: &[&str] = &["-movflags", "+faststart"];
/// Arguments for DVD players: one packet per sector, at the rate of the disc.
const DVD: &[&str] = &["-packetsize", "2048", "-muxrate", "10080000"];

static MP4: Container = container("mov", "mp4", &[H264, H265, Av1], Aac, FAST_START)
    .lossless(Alac)
    .many()
    .subtitles(SubtitleFormat::MovText);
static WEBM: Container =
    container("matroska", "webm", &[Vp9, Vp8, Av1], Opus, &[]).many().subtitles(SubtitleFormat::WebVtt);
static AVI: Container = container("avi", "avi", &[Mpeg4], Mp3, &[]);
static QUICKTIME: Container = container("mov", "mov", &[H264, H265], Aac, FAST_START)
    .lossless(Alac)
    .many()
    .subtitles(SubtitleFormat::MovText);
static WMV: Container = container("asf", "asf", &[Wmv2], Wma, &[]);
static FLV: Container = container("flv", "flv", &[H264], Aac, &[]);
static MATROSKA: Container = container("matroska", "matroska", &[H264, H265, Vp9, Vp8, Av1], Aac, &[])
    .lossless(Flac)
    .many()
    .subtitles(SubtitleFormat::Matroska);
static THREE_GPP: Container = container("mov", "3gp", &[H264Baseline], Aac, FAST_START);
static MPEG: Container = container("mpeg", "mpeg", &[Mpeg2], Mp2, &[]);
static OGG_VIDEO: Container = container("ogg", "ogg", &[Theora], Vorbis, &[]);
static MPEG_TS: Container = container("mpegts", "mpegts", &[H264, H265], Aac, &[]).many();
static M4V: Container = container("mov", "ipod", &[H264], Aac, FAST_START)
    .lossless(Alac)
    .many()
    .subtitles(SubtitleFormat::MovText);
static DVD_VIDEO: Container = container("mpeg", "dvd", &[Mpeg2], Ac3, DVD);
static F4V: Container = container("mov", "f4v", &[H264], Aac, FAST_START);

static MP3: Container = container("mp3", "mp3", &[], Mp3, &[]).covered();
static WAV: Container = container("wav", "wav", &[], Pcm(PcmFormat::Int16), &[]);
static AAC: Container = container("aac", "adts", &[], Aac, &[]);
static OGG_AUDIO: Container = container("ogg", "ogg", &[], Vorbis, &[]);
static OPUS: Container = container("ogg", "opus", &[], Opus, &[]);
static FLAC: Container = container("flac", "flac", &[], Flac, &[]).covered();
static M4A: Container = container("mov", "ipod", &[], Aac, FAST_START).lossless(Alac).covered();
static WMA: Container = container("asf", "asf", &[], Wma, &[]);

/// The container of a type; `None` if it is neither video nor audio.
pub(in crate::media) fn of(media: MediaType) -> Option<&'static Container> {
    Some(match media {
        MediaType::Mp4 => &MP4,
        MediaType::Webm => &WEBM,
        MediaType::Avi => &AVI,
        MediaType::QuickTime => &QUICKTIME,
        MediaType::Wmv => &WMV,
        MediaType::Flv => &FLV,
        MediaType::Matroska => &MATROSKA,
        MediaType::ThreeGpp => &THREE_GPP,
        MediaType::Mpeg => &MPEG,
        MediaType::OggVideo => &OGG_VIDEO,
        MediaType::MpegTs => &MPEG_TS,
        MediaType::M4v => &M4V,
        MediaType::Dvd => &DVD_VIDEO,
        MediaType::F4v => &F4V,
        MediaType::Mp3 => &MP3,
        MediaType::Wav => &WAV,
        MediaType::Aac => &AAC,
        MediaType::OggAudio => &OGG_AUDIO,
        MediaType::Opus => &OPUS,
        MediaType::Flac => &FLAC,
        MediaType::M4a => &M4A,
        MediaType::Wma => &WMA,
        _ => return None,
    })
}
