//! The containers of the interface: how ffmpeg reads each, and what it writes into it. The one table of video and audio types.

use filepress_wire::MediaType;

use super::codec::{AudioCodec, VideoCodec};

/// How a type is read and written.
#[derive(Debug)]
pub(in crate::media) struct Container {
    /// ffmpeg's name of the demuxer. It is forced: ffmpeg's own guess would take a playlist named `.mp4` for what it is.
    pub(in crate::media) demuxer: &'static str,
    /// ffmpeg's name of the muxer.
    pub(in crate::media) muxer: &'static str,
    /// Codecs that may be asked for, the default first; empty for sound.
    pub(in crate::media) video: &'static [VideoCodec],
    /// The codec of its sound.
    pub(in crate::media) audio: AudioCodec,
    /// Further arguments for the muxer.
    pub(in crate::media) flags: &'static [&'static str],
}

use AudioCodec::{Aac, Ac3, Flac, Mp2, Mp3, Opus, Pcm, Vorbis, Wma};
use VideoCodec::{Av1, H264, H264Baseline, H265, Mpeg2, Mpeg4, Theora, Vp8, Vp9, Wmv2};

const fn container(
    demuxer: &'static str,
    muxer: &'static str,
    video: &'static [VideoCodec],
    audio: AudioCodec,
    flags: &'static [&'static str],
) -> Container {
    Container { demuxer, muxer, video, audio, flags }
}

/// The index at the beginning, so that playing starts before all has come.
const FAST_START: &[&str] = &["-movflags", "+faststart"];
/// What a DVD player reads: packets of a sector, at the speed of the disc.
const DVD: &[&str] = &["-packetsize", "2048", "-muxrate", "10080000"];

static MP4: Container = container("mov", "mp4", &[H264, H265, Av1], Aac, FAST_START);
static WEBM: Container = container("matroska", "webm", &[Vp9, Vp8, Av1], Opus, &[]);
static AVI: Container = container("avi", "avi", &[Mpeg4], Mp3, &[]);
static QUICKTIME: Container = container("mov", "mov", &[H264, H265], Aac, FAST_START);
static WMV: Container = container("asf", "asf", &[Wmv2], Wma, &[]);
static FLV: Container = container("flv", "flv", &[H264], Aac, &[]);
static MATROSKA: Container = container("matroska", "matroska", &[H264, H265, Vp9, Vp8, Av1], Aac, &[]);
static THREE_GPP: Container = container("mov", "3gp", &[H264Baseline], Aac, FAST_START);
static MPEG: Container = container("mpeg", "mpeg", &[Mpeg2], Mp2, &[]);
static OGG_VIDEO: Container = container("ogg", "ogg", &[Theora], Vorbis, &[]);
static MPEG_TS: Container = container("mpegts", "mpegts", &[H264, H265], Aac, &[]);
static M4V: Container = container("mov", "ipod", &[H264], Aac, FAST_START);
static DVD_VIDEO: Container = container("mpeg", "dvd", &[Mpeg2], Ac3, DVD);
static F4V: Container = container("mov", "f4v", &[H264], Aac, FAST_START);

static MP3: Container = container("mp3", "mp3", &[], Mp3, &[]);
static WAV: Container = container("wav", "wav", &[], Pcm, &[]);
static AAC: Container = container("aac", "adts", &[], Aac, &[]);
static OGG_AUDIO: Container = container("ogg", "ogg", &[], Vorbis, &[]);
static OPUS: Container = container("ogg", "opus", &[], Opus, &[]);
static FLAC: Container = container("flac", "flac", &[], Flac, &[]);
static M4A: Container = container("mov", "ipod", &[], Aac, FAST_START);
static WMA: Container = container("asf", "asf", &[], Wma, &[]);

/// The row of a type; `None` for what is neither video nor sound.
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
