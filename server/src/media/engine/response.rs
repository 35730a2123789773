//! What the engine's child answers.

use filepress::error::{Detail, Error, ErrorCode};
use filepress_wire::TaskErrorCode;
use serde::{Deserialize, Serialize};

/// One line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::media) enum Response {
    Success(EngineOutput),
    Failure(EngineError),
}

/// What was made, or found out.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in crate::media) struct EngineOutput {
    /// The result is the input, byte for byte, and was not written.
    pub(in crate::media) unchanged: bool,
    /// Upright.
    pub(in crate::media) input_size: (u32, u32),
    /// Pictures of the input.
    pub(in crate::media) input_frames: u32,
    /// Upright.
    pub(in crate::media) output_size: (u32, u32),
    /// Seconds that an animation takes; 0 where that was not looked at.
    pub(in crate::media) duration: f64,
    /// Some bytes of a document are signed: any change breaks the signature.
    pub(in crate::media) signed: bool,
    pub(in crate::media) warnings: Vec<Warning>,
}

/// Something that was lost or done differently from what one might expect.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct Warning {
    /// A stable name.
    pub(in crate::media) code: String,
    /// A sentence for a person.
    pub(in crate::media) message: String,
}

/// Why nothing was made.
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

    /// A document whose streams the engine does not touch.
    pub(in crate::media) fn streams_kept() -> Self {
        let message =
            "The document is built in an unusual way: its images and its metadata were kept as they are.";
        Self::new("streams_kept", message)
    }
}

impl EngineError {
    pub(super) fn new(code: TaskErrorCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }

    /// A file of the folder could not be read or written.
    pub(super) fn of_file(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::FileTooLarge => {
                Self::new(TaskErrorCode::OutputTooLarge, "The result has more bytes than it may have.")
            }
            kind => {
                Self::new(TaskErrorCode::Internal, format!("A file could not be read or written: {kind}."))
            }
        }
    }
}

/// The engine's words are those of its JavaScript interface: where they name an option, it is said in the words of this one.
impl From<Error> for EngineError {
    fn from(error: Error) -> Self {
        let code = code_of(error.code());
        let number = |name: &str| match error.details().get(name) {
            Some(Detail::Number(number)) => Some(number.round()),
            _ => None,
        };
        let told = |what: &str, [actual, limit]: [&'static str; 2]| match [number(actual), number(limit)] {
            [Some(actual), Some(limit)] => format!("{what}: {actual}, of which {limit} are allowed."),
            _ => format!("{what}."),
        };
        let over = |what: &str| told(what, ["actual", "limit"]);
        let detail = match (error.code(), number("smallest")) {
            (ErrorCode::TooManyPixels, _) => over("The picture has too many pixels"),
            (ErrorCode::InputTooLarge, _) => over("The file has too many bytes"),
            (ErrorCode::TooMuchMemory, _) => {
                told("The conversion would need too many bytes of memory", ["needBytes", "limitBytes"])
            }
            (ErrorCode::TargetUnreachable, Some(smallest)) => {
                format!(
                    "The result cannot be made that small: the smallest that was reached has {smallest} bytes."
                )
            }
            (ErrorCode::UnknownType | ErrorCode::UnsupportedType, _) => {
                "The bytes are not those of a file that can be read here.".to_owned()
            }
            _ => in_api_terms(error.message()),
        };
        Self { code, detail }
    }
}

/// The names of options as this interface spells them.
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
        ErrorCode::UnsupportedType => TaskErrorCode::UnsupportedFile,
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
