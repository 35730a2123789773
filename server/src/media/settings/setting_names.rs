//! Which settings a pair has.

use filepress_wire::MediaType;

use crate::media::conversion_kind::Route;
use crate::media::ffmpeg::container;

const COMMON: &[&str] = &["optimize", "strip_metadata", "target_size"];
const MOVING: &[&str] = &["resize", "crf", "codec", "video_bitrate", "fps", "trim"];
const STILL: &[&str] = &["resize", "quality", "lossless", "effort", "background"];

/// The names of the settings of a pair, in the order in which people are told them.
pub(super) fn of(route: Route, output: MediaType) -> Vec<&'static str> {
    let lossy_sound = container::of(output).is_some_and(|container| container.audio.bitrates().is_some());
    let presets = container::of(output)
        .is_some_and(|container| container.video.iter().any(|codec| codec.has_presets()));
    let holds_subtitles = container::of(output).is_some_and(|container| container.subtitles.is_some());
    let subtitles: &[&str] = if holds_subtitles { &["subtitles"] } else { &[] };
    let bitrate: &[&str] = if lossy_sound { &["bitrate"] } else { &[] };
    let preset: &[&str] = if presets { &["preset"] } else { &[] };
    let own: &[&[&str]] = match route {
        Route::Image => &[STILL],
        Route::ImageToPdf => &[&["resize", "quality", "background", "dpi"]],
        Route::Video => &[
            MOVING,
            preset,
            &["background", "mute", "audio"],
            subtitles,
            bitrate,
            &["sample_rate", "channels"],
        ],
        Route::Animation if output == MediaType::Webp => {
            &[&["resize", "fps", "trim", "quality", "lossless", "effort"]]
        }
        Route::Animation => &[&["resize", "fps", "trim", "quality", "effort"]],
        Route::Frame => &[STILL, &["trim"]],
        Route::AnimationToVideo => &[MOVING, preset, &["background"]],
        Route::Audio => &[bitrate, &["sample_rate", "channels", "trim", "audio"]],
        Route::Pdf => &[&["dpi", "quality", "lossless", "pages", "password"]],
        Route::PdfToImage => &[&["dpi", "page", "pages", "password"], STILL],
    };
    [COMMON].iter().chain(own).flat_map(|names| names.iter().copied()).collect()
}
