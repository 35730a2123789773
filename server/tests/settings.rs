//! The settings of each pair of types: names, ranges, and the errors for wrong ones.

mod tools;

use filepress_server::config::SandboxChoice;
use filepress_wire::{ErrorCode, MediaType};
use serde_json::{Value, json};
use tools::{object, toolbox};

/// A setting of a pair with values that are taken and values that are not, the latter with their pointers.
struct Case {
    pair: (MediaType, MediaType),
    taken: Value,
    refused: Value,
}

fn cases() -> Vec<Case> {
    use MediaType::{Flac, Gif, Jpeg, Matroska, Mp3, Mp4, Opus, Pdf, Png, ThreeGpp, Webm, Webp};
    let case = |from, to, taken, refused| Case { pair: (from, to), taken, refused };
    vec![
        case(
            Png,
            Jpeg,
            json!([{ "quality": 1 }, { "quality": 100 }, { "effort": 0 }, { "chroma": "444" }, { "chroma": "auto" }, { "lossless": false }, { "target_size": 1 },
                { "background": "#fff" }, { "background": "black" }, { "strip_metadata": false }, { "optimize": true },
                { "resize": {} }, { "resize": { "width": 16383, "fit": "cover" } }, { "resize": { "max_height": 1 } }]),
            json!([["/quality", { "quality": 0 }], ["/quality", { "quality": 101 }], ["/quality", { "quality": 1.5 }],
                ["/quality", { "quality": "80" }], ["/quality", { "quality": null }], ["/effort", { "effort": 10 }],
                ["/chroma", { "chroma": "422" }], ["/chroma", { "chroma": 444 }], ["/colors", { "colors": 16 }],
                ["/lossless", { "lossless": true }], ["/lossless", { "lossless": "yes" }],
                ["/target_size", { "target_size": 0 }], ["/background", { "background": "red" }],
                ["/background", { "background": 7 }], ["/optimize", { "optimize": 1 }],
                ["/strip_metadata", { "strip_metadata": "no" }], ["/resize", { "resize": 5 }],
                ["/resize/width", { "resize": { "width": 0 } }], ["/resize/width", { "resize": { "width": 16384 } }],
                ["/resize/max_height", { "resize": { "max_height": -1 } }], ["/resize/fit", { "resize": { "fit": "x" } }]]),
        ),
        case(
            Matroska,
            Mp4,
            json!([{ "crf": 0 }, { "crf": 51 }, { "preset": "slow" }, { "codec": "h265" }, { "codec": "av1", "crf": 63 },
                { "video_bitrate": 10000 }, { "fps": 29.97 }, { "mute": true }, { "trim": { "start": 1, "end": 2.5 } },
                { "bitrate": 64000, "sample_rate": 44100, "channels": 6 }, { "audio": 0 }, { "audio": "deu" },
                { "audio": "none", "mute": true }, { "subtitles": "all" }, { "subtitles": "default", "audio": "en" }]),
            json!([["/audio", { "audio": -1 }], ["/audio", { "audio": 1000 }], ["/audio", { "audio": "DEU" }],
                ["/audio", { "audio": "0:v" }], ["/audio", { "audio": [0] }], ["/subtitles", { "subtitles": "first" }],
                ["/audio", { "audio": 1, "mute": true }], ["/crf", { "crf": 52 }], ["/preset", { "preset": "fastest" }], ["/codec", { "codec": "vp9" }],
                ["/video_bitrate", { "video_bitrate": 9999 }], ["/fps", { "fps": 0 }], ["/fps", { "fps": 121 }],
                ["/trim", { "trim": [1, 2] }], ["/trim/end", { "trim": { "start": 2, "end": 2 } }],
                ["/trim/start", { "trim": { "start": -1 } }], ["/bitrate", { "bitrate": 128 }],
                ["/sample_rate", { "sample_rate": 44000 }], ["/channels", { "channels": 9 }],
                ["/crf", { "crf": 20, "video_bitrate": 100000 }], ["/crf", { "crf": 20, "target_size": 100000 }],
                ["/video_bitrate", { "video_bitrate": 20000, "target_size": 100000 }]]),
        ),
        case(
            Jpeg,
            Png,
            json!([{ "colors": 2 }, { "colors": 256, "quality": 50 }, { "dither": 0 }, { "dither": 0.5, "lossless": false }]),
            json!([["/colors", { "colors": 1 }], ["/colors", { "colors": 257 }], ["/dither", { "dither": 1.1 }],
                ["/colors", { "colors": 16, "lossless": true }], ["/chroma", { "chroma": "420" }]]),
        ),
        case(Mp4, ThreeGpp, json!([{ "channels": 1 }]), json!([["/channels", { "channels": 2 }]])),
        case(
            Mp4,
            Webm,
            json!([{ "crf": 63 }, { "sample_rate": 48000 }]),
            json!([["/sample_rate", { "sample_rate": 44100 }]]),
        ),
        case(
            Mp3,
            Opus,
            json!([{ "bitrate": 6000 }, { "audio": "default" }]),
            json!([["/bitrate", { "bitrate": 5999 }], ["/audio", { "audio": "none" }]]),
        ),
        case(
            Mp3,
            Flac,
            json!([{ "sample_rate": 192000 }]),
            json!([["/sample_rate", { "sample_rate": 7999 }]]),
        ),
        case(
            Gif,
            Mp4,
            json!([{ "background": "#123456", "crf": 20 }]),
            json!([["/background", { "background": "" }]]),
        ),
        case(Mp4, Webp, json!([{ "lossless": true, "fps": 5 }]), json!([["/quality", { "quality": 0 }]])),
        case(
            Pdf,
            Pdf,
            json!([{ "dpi": 36 }, { "dpi": 600 }, { "pages": "1" }, { "pages": "3-, 1-2" }, { "lossless": true },
                { "quality": 10 }]),
            json!([["/dpi", { "dpi": 35 }], ["/dpi", { "dpi": 601 }], ["/pages", { "pages": "0" }],
                ["/pages", { "pages": "5-2" }], ["/pages", { "pages": "" }], ["/pages", { "pages": "1,,2" }],
                ["/pages", { "pages": "+1" }], ["/pages", { "pages": "z" }], ["/pages", { "pages": [1] }],
                ["/pages", { "pages": "1 --json-output x" }]]),
        ),
        case(Pdf, Png, json!([{ "page": 1, "dpi": 72, "effort": 9 }]), json!([["/page", { "page": 0 }]])),
        case(Jpeg, Pdf, json!([{ "dpi": 300, "quality": 50 }]), json!([["/dpi", { "dpi": 0 }]])),
    ]
}

#[tokio::test]
async fn values_are_checked_against_their_ranges() {
    let tools = toolbox(SandboxChoice::Auto).await;
    for Case { pair: (from, to), taken, refused } in cases() {
        for settings in taken.as_array().expect("a list") {
            let plan = tools.plan(from, Some(to), &object(settings.clone()));
            let plan = plan.unwrap_or_else(|refusal| panic!("{from} → {to} {settings}: {refusal:?}"));
            assert_eq!(&Value::Object(plan.settings()), settings);
        }
        for wrong in refused.as_array().expect("a list") {
            let (pointer, settings) = (wrong[0].as_str().expect("a pointer"), wrong[1].clone());
            let refusal = tools.plan(from, Some(to), &object(settings)).expect_err("out of range");
            assert_eq!(refusal.code, ErrorCode::InvalidSetting, "{wrong}");
            assert_eq!(refusal.pointer, format!("/data/attributes/settings{pointer}"), "{wrong}");
            assert!(!refusal.detail.is_empty());
        }
    }
}

#[tokio::test]
async fn a_setting_that_a_pair_does_not_support_is_refused() {
    let tools = toolbox(SandboxChoice::Auto).await;
    for (from, to, settings, pointer) in [
        (MediaType::Png, MediaType::Jpeg, json!({ "crf": 20 }), "/crf"),
        (MediaType::Png, MediaType::Jpeg, json!({ "Quality": 20 }), "/Quality"),
        (MediaType::Png, MediaType::Jpeg, json!({ "a/b~c": 1 }), "/a~1b~0c"),
        (MediaType::Png, MediaType::Jpeg, json!({ "resize": { "maxWidth": 5 } }), "/resize/maxWidth"),
        (MediaType::Mp4, MediaType::Mp3, json!({ "fps": 25 }), "/fps"),
        (MediaType::Mp4, MediaType::Wav, json!({ "bitrate": 64000 }), "/bitrate"),
        (MediaType::Mp4, MediaType::Avi, json!({ "preset": "slow" }), "/preset"),
        (MediaType::Gif, MediaType::Mp4, json!({ "mute": true }), "/mute"),
        (MediaType::Mp4, MediaType::Avi, json!({ "subtitles": "all" }), "/subtitles"),
        (MediaType::Mp4, MediaType::Gif, json!({ "lossless": true }), "/lossless"),
        (MediaType::Mp4, MediaType::Mp4, json!({ "trim": { "from": 1 } }), "/trim/from"),
        (MediaType::Pdf, MediaType::Pdf, json!({ "page": 1 }), "/page"),
        (MediaType::Png, MediaType::Pdf, json!({ "password": "a" }), "/password"),
    ] {
        let refusal = tools.plan(from, Some(to), &object(settings)).expect_err("unknown");
        assert_eq!(refusal.code, ErrorCode::UnknownSetting, "{pointer}");
        assert_eq!(refusal.pointer, format!("/data/attributes/settings{pointer}"));
    }
}
