//! The response of the engine process.

use filepress::error::{Detail, Error, ErrorCode};
use filepress_wire::TaskErrorCode;
use serde::{Deserialize, Serialize};

use super::pdf_file::DocumentParts;

/// One line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::media) enum Response {
    Success(EngineOutput),
    Failure(EngineError),
}

/// The result of a request.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in crate::media) struct EngineOutput {
    /// The output equals the input and was not written.
    pub(in crate::media) unchanged: bool,
    /// Upright.
    pub(in crate::media) input_size: (u32, u32),
    /// The number of frames of the input.
    pub(in crate::media) input_frames: u32,
    /// Upright.
    pub(in crate::media) output_size: (u32, u32),
    /// The duration of an animation in seconds; 0 if not determined.
    pub(in crate::media) duration: f64,
    /// The document is signed; any change invalidates the signature.
    pub(in crate::media) signed: bool,
    /// The parts of a PDF that is written page by page.
    pub(in crate::media) document: DocumentParts,
    pub(in crate::media) warnings: Vec<Warning>,
}

/// A loss, or something else that the user may not expect.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct Warning {
    /// The stable code.
    pub(in crate::media) code: String,
    /// A sentence for the user.
    pub(in crate::media) message: String,
}

/// Why the request failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct EngineError {
    pub(in crate::media) code: TaskErrorCode,
    /// For a person.
    pub(in crate::media) detail: String,
}

impl Warning {
    pub(in crate::media) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }

    /// The warning for a document whose streams the engine left unchanged.
    pub(in crate::media) fn streams_kept() -> Self {
        let message =
            "The structure of the document is not supported; its images and metadata were not changed.";
        Self::new("streams_kept", message)
    }
}

impl EngineError {
    pub(super) fn new(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }

    /// The error for a file that cannot be read or written.
    pub(super) fn of_file(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::FileTooLarge => {
                Self::new(TaskErrorCode::OutputTooLarge, "The result exceeds the maximum output size.")
            }
            kind => {
                Self::new(TaskErrorCode::Internal, format!("A file could not be read or written: {kind}."))
            }
        }
    }
}

/// The engine's messages name options of its JavaScript API; this replaces them with the names of the service's settings.
impl From<Error> for EngineError {
    fn from(error: Error) -> Self {
        let code = code_of(error.code());
        let number = |name: &str| match error.details().get(name) {
            Some(Detail::Number(number)) => Some(number.round()),
            _ => None,
        };
        let told = |what: &str, [actual, limit]: [&'static str; 2]| match [number(actual), number(limit)] {
            [Some(actual), Some(limit)] => format!("{what}: {actual}; the maximum is {limit}."),
            _ => format!("{what}."),
        };
        let over = |what: &str| told(what, ["actual", "limit"]);
        let detail = match (error.code(), number("smallest")) {
            (ErrorCode::TooManyPixels, _) => over("The picture has too many pixels"),
            (ErrorCode::InputTooLarge, _) => over("The file has too many bytes"),
            (ErrorCode::TooMuchMemory, _) => {
                told("The conversion needs too many bytes of memory", ["needBytes", "limitBytes"])
            }
            (ErrorCode::TargetUnreachable, Some(smallest)) => {
                format!("The target size cannot be reached; the smallest result has {smallest} bytes.")
            }
            (ErrorCode::UnknownType | ErrorCode::UnsupportedType | ErrorCode::NeedsDecoder, _) => {
                "The type of the file is not supported.".to_owned()
            }
            _ => in_api_terms(error.message()),
        };
        Self { code, detail }
    }
}

/// Replaces option names of the engine with setting names of the API.
pub(in crate::media) fn in_api_terms(message: &str) -> String {
    message
        .replace("options.", "")
        .replace("targetSize", "target_size")
        .replace("maxWidth", "max_width")
        .replace("maxHeight", "max_height")
}

fn code_of(code: ErrorCode) -> TaskErrorCode {
    match code {
        ErrorCode::EmptyInput | ErrorCode::Corrupt => TaskErrorCode::CorruptFile,
        ErrorCode::UnknownType => TaskErrorCode::WrongFormat,
        ErrorCode::UnsupportedType | ErrorCode::NeedsDecoder => TaskErrorCode::UnsupportedFile,
        ErrorCode::UnknownOption
        | ErrorCode::InvalidOption
        | ErrorCode::UnsupportedOutput
        | ErrorCode::LosslessUnsupported
        | ErrorCode::UnsupportedPair => TaskErrorCode::UnsupportedSettings,
        ErrorCode::InputTooLarge => TaskErrorCode::InputTooLarge,
        ErrorCode::TooManyPixels => TaskErrorCode::TooManyPixels,
        ErrorCode::TooMuchMemory => TaskErrorCode::TooMuchMemory,
        ErrorCode::OutputTooLarge => TaskErrorCode::OutputTooLarge,
        ErrorCode::TargetUnreachable => TaskErrorCode::TargetUnreachable,
        ErrorCode::EncodeFailed => TaskErrorCode::ConversionFailed,
        ErrorCode::NeedsService | ErrorCode::NotInBuild | ErrorCode::SizesDiffer => TaskErrorCode::Internal,
    }
}
