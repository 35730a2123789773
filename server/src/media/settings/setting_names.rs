//! The names of the settings of each pair of types.

use filepress_wire::MediaType;

use crate::media::conversion_kind::ConversionKind;
use crate::media::ffmpeg::container;

const COMMON_SETTINGS: &[&str] = &["optimize", "strip_metadata", "target_size"];
const VIDEO_SETTINGS: &[&str] = &["resize", "crf", "codec", "video_bitrate", "fps", "trim"];
const IMAGE_SETTINGS: &[&str] =
    &["resize", "quality", "lossless", "effort", "colors", "dither", "chroma", "background"];

/// The names of the settings of a pair, in the order in which error messages list them.
pub(super) fn of(kind: ConversionKind, output: MediaType) -> Vec<&'static str> {
    let lossy_sound = container::of(output).is_some_and(|container| container.audio.bitrates().is_some());
    let presets = container::of(output)
        .is_some_and(|container| container.video.iter().any(|codec| codec.has_presets()));
    let holds_subtitles = container::of(output).is_some_and(|container| container.subtitles.is_some());
    let subtitles: &[&str] = if holds_subtitles { &["subtitles"] } else { &[] };
    let bitrate: &[&str] = if lossy_sound { &["bitrate"] } else { &[] };
    let preset: &[&str] = if presets { &["preset"] } else { &[] };
    let own: &[&[&str]] = match kind {
        ConversionKind::Image | ConversionKind::HeicToImage => &[IMAGE_SETTINGS],
        ConversionKind::ImageToPdf => &[&["resize", "quality", "background", "dpi"]],
        ConversionKind::Video => &[
            VIDEO_SETTINGS,
            preset,
            &["background", "mute", "audio"],
            subtitles,
            bitrate,
            &["sample_rate", "channels"],
        ],
        ConversionKind::Animation if output == MediaType::Webp => {
            &[&["resize", "fps", "trim", "quality", "lossless", "effort"]]
        }
        ConversionKind::Animation => &[&["resize", "fps", "trim", "quality", "effort", "colors", "dither"]],
        ConversionKind::Frame => &[IMAGE_SETTINGS, &["trim"]],
        ConversionKind::AnimationToVideo => &[VIDEO_SETTINGS, preset, &["background"]],
        ConversionKind::Audio => &[bitrate, &["sample_rate", "channels", "trim", "audio"]],
        ConversionKind::Pdf => &[&["dpi", "quality", "lossless", "pages", "password"]],
        ConversionKind::PdfToImage => &[&["dpi", "page", "pages", "password"], IMAGE_SETTINGS],
    };
    [COMMON_SETTINGS].iter().chain(own).flat_map(|names| names.iter().copied()).collect()
}
