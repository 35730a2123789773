//! The JSON Schema of the settings of a task.

use serde_json::{Value, json};

use super::schema_types::{object, string};

/// All settings. Each pair of types accepts some of them and refuses the others.
pub(super) fn settings() -> Value {
    let side = json!({ "type": "integer", "minimum": 1, "maximum": 16383 });
    let mut settings = object(
        &[],
        json!({
            "optimize": { "type": "boolean" },
            "resize": object(&[], json!({
                "width": side, "height": side, "max_width": side, "max_height": side,
                "fit": { "enum": ["fill", "inside", "cover"], "default": "fill" },
            })),
            "strip_metadata": { "type": "boolean", "default": true },
            "target_size": { "type": "integer", "minimum": 1, "description": "Bytes." },
            "quality": whole(1, 100),
            "lossless": { "type": "boolean", "default": false },
            "effort": whole(0, 9),
            "colors": whole(2, 256),
            "dither": { "type": "number", "minimum": 0, "maximum": 1 },
            "chroma": { "enum": ["auto", "444", "420"], "default": "auto" },
            "background": { "type": "string", "description": "#rgb, #rrggbb, white or black." },
            "codec": string(),
            "crf": whole(0, 63),
            "preset": string(),
            "video_bitrate": { "type": "integer", "description": "Bits per second." },
            "fps": { "type": "number", "minimum": 1, "maximum": 120 },
            "mute": { "type": "boolean", "default": false },
            "audio": {
                "type": ["integer", "string"],
                "description": "Audio streams: a number from 0, a language, \"default\", \"all\" or \"none\".",
            },
            "subtitles": {
                "type": ["integer", "string"],
                "description": "Subtitle streams: a number from 0, a language, \"default\", \"all\" or \"none\".",
            },
            "trim": object(&[], json!({
                "start": { "type": "number", "minimum": 0 }, "end": { "type": "number", "minimum": 0 },
            })),
            "bitrate": { "type": "integer", "description": "Bits per second." },
            "sample_rate": { "type": "integer", "description": "Hertz." },
            "channels": whole(1, 8),
            "dpi": whole(36, 600),
            "pages": {
                "type": "string",
                "description": "`all`, or a list such as 1-3,5,8-. Several pages as images produce a ZIP archive (application/zip).",
            },
            "password": {
                "type": "string",
                "maxLength": 127,
                "writeOnly": true,
                "description": "The password of a PDF. Never shown; erased when the task ends.",
            },
            "page": { "type": "integer", "minimum": 1 },
        }),
    );
    settings["description"] =
        json!("The allowed members depend on the pair of formats; others are refused (422).");
    settings
}

fn whole(minimum: u32, maximum: u32) -> Value {
    json!({ "type": "integer", "minimum": minimum, "maximum": maximum })
}
