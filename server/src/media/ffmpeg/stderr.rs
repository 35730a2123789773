//! What ffmpeg's complaints mean. Its words have paths and change between versions, so that people get our own.

use filepress_wire::{MediaType, TaskErrorCode};

use crate::media::Failure;
use crate::media::sandbox::{ChildExit, ChildOutput};

/// Parts of complaints, and what they tell of; the more telling ones first.
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

/// A child of ffmpeg's that ended without success.
pub(in crate::media) fn failure(finished: &ChildOutput, input: MediaType) -> Failure {
    if finished.stderr.contains("No space left on device") {
        return Failure::Infrastructure("no space is left for a conversion".to_owned());
    }
    let sign = ERROR_PATTERNS.iter().find(|(sign, _)| finished.stderr.contains(sign)).map(|(_, code)| *code);
    let code = match (sign, finished.end) {
        (Some(code), _) => code,
        (None, ChildExit::Signal(_) | ChildExit::Exit(_)) => TaskErrorCode::ConversionFailed,
    };
    tracing::debug!(end = ?finished.end, stderr = %finished.stderr.trim(), "ffmpeg failed");
    Failure::file(code, explain(code, input))
}

fn explain(code: TaskErrorCode, input: MediaType) -> String {
    let name = input.name();
    match code {
        TaskErrorCode::TooManyPixels => "Its pictures are larger than the service takes.".to_owned(),
        TaskErrorCode::TimedOut => "The conversion was stopped, as it took longer than it may.".to_owned(),
        TaskErrorCode::OutputTooLarge => "The result would be larger than it may be.".to_owned(),
        TaskErrorCode::TooMuchMemory => "The conversion needs more memory than it is given.".to_owned(),
        TaskErrorCode::NoVideoStream => {
            format!("This {name} file has nothing that can be put into the output.")
        }
        TaskErrorCode::UnsupportedFile => format!("This {name} file uses a codec that cannot be read here."),
        TaskErrorCode::PasswordProtected => format!("This {name} file is encrypted."),
        TaskErrorCode::WrongFormat => format!("The bytes are not those of a {name} file."),
        TaskErrorCode::CorruptFile => format!("This {name} file is damaged, incomplete, or no {name} file."),
        _ => format!("This {name} file could not be converted."),
    }
}
