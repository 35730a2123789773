//! Maps ffmpeg's error output to errors. Its messages contain paths and change between versions, so users get our own.

use filepress_wire::{MediaType, TaskErrorCode};

use crate::media::Failure;
use crate::media::sandbox::{ChildExit, ChildOutput};

/// Parts of error messages and their meaning; specific ones come first.
const ERROR_PATTERNS: [(&str, TaskErrorCode); 22] = [
    ("exceeds specified max pixel count", TaskErrorCode::TooManyPixels),
    ("Picture size", TaskErrorCode::TooManyPixels),
    ("received signal 24", TaskErrorCode::TimedOut),
    ("File too large", TaskErrorCode::OutputTooLarge),
    ("Cannot allocate memory", TaskErrorCode::TooMuchMemory),
    ("malloc of size", TaskErrorCode::TooMuchMemory),
    ("matches no streams", TaskErrorCode::NoVideoStream),
    ("does not contain any stream", TaskErrorCode::NoVideoStream),
    ("no decoder found", TaskErrorCode::UnsupportedFile),
    ("Decoder not found", TaskErrorCode::UnsupportedFile),
    ("Unknown decoder", TaskErrorCode::UnsupportedFile),
    ("is not implemented", TaskErrorCode::UnsupportedFile),
    ("encrypted", TaskErrorCode::PasswordProtected),
    ("moov atom not found", TaskErrorCode::CorruptFile),
    ("Invalid data found", TaskErrorCode::CorruptFile),
    ("could not find codec parameters", TaskErrorCode::CorruptFile),
    ("Could not find codec parameters", TaskErrorCode::CorruptFile),
    ("EBML header parsing failed", TaskErrorCode::CorruptFile),
    ("Error while decoding", TaskErrorCode::CorruptFile),
    ("End of file", TaskErrorCode::CorruptFile),
    ("Format not on whitelist", TaskErrorCode::WrongFormat),
    ("Failed to read", TaskErrorCode::CorruptFile),
];

/// Parts of messages about data that ffmpeg could not read and left out.
const DAMAGE_PATTERNS: [&str; 8] = [
    "partial file",
    "ended prematurely",
    "rror while decoding",
    "nvalid data found",
    "corrupt",
    "damaged",
    "concealing",
    "Truncating packet",
];

/// Whether the messages of an ffmpeg process that succeeded tell of a damaged or incomplete input.
pub(in crate::media) fn tells_damage(stderr: &str) -> bool {
    DAMAGE_PATTERNS.iter().any(|sign| stderr.contains(sign))
}

/// The error for a failed ffmpeg process.
pub(in crate::media) fn failure(finished: &ChildOutput, input: MediaType) -> Failure {
    if finished.stderr.contains("No space left on device") {
        return Failure::Infrastructure("the disk is full".to_owned());
    }
    let sign = ERROR_PATTERNS.iter().find(|(sign, _)| finished.stderr.contains(sign)).map(|(_, code)| *code);
    let code = match (sign, finished.end) {
        (Some(code), _) => code,
        (None, ChildExit::Signal(_) | ChildExit::Exit(_)) => TaskErrorCode::ConversionFailed,
    };
    tracing::debug!(end = ?finished.end, stderr = ?finished.stderr.trim(), "ffmpeg failed");
    Failure::file(code, explain(code, input))
}

fn explain(code: TaskErrorCode, input: MediaType) -> String {
    let name = input.name();
    match code {
        TaskErrorCode::TooManyPixels => "The video exceeds the maximum number of pixels.".to_owned(),
        TaskErrorCode::TimedOut => "The conversion exceeded its time limit.".to_owned(),
        TaskErrorCode::OutputTooLarge => "The result exceeds the maximum output size.".to_owned(),
        TaskErrorCode::TooMuchMemory => "The conversion exceeded its memory limit.".to_owned(),
        TaskErrorCode::NoVideoStream => {
            format!("This {name} file has no stream that the output can hold.")
        }
        TaskErrorCode::UnsupportedFile => format!("This {name} file uses a codec that is not supported."),
        TaskErrorCode::PasswordProtected => format!("This {name} file is encrypted."),
        TaskErrorCode::WrongFormat => format!("This is not a {name} file."),
        TaskErrorCode::CorruptFile => {
            format!("This {name} file is damaged or incomplete, or is not a {name} file.")
        }
        _ => format!("This {name} file could not be converted."),
    }
}
