//! The error type of the crate: a stable code, its kind, a message and details.
//!
//! JavaScript receives the codes unchanged, so they are never renamed. The kind is derived from the code.

use std::borrow::Cow;

use crate::value::Value;

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The cause of an error, which tells the caller what to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input: choose another file.
    Input,
    /// The options: change the call.
    Options,
    /// A limit of the call: raise it, or use a smaller input.
    Limits,
    /// A bug in this package: report it.
    Internal,
}

impl ErrorKind {
    /// The name, as JavaScript sees it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Options => "options",
            Self::Limits => "limits",
            Self::Internal => "internal",
        }
    }
}

/// A stable error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The input is empty.
    EmptyInput,
    /// The format of the input is not recognized.
    UnknownType,
    /// The format is recognized but not supported.
    UnsupportedType,
    /// The format is an image's, recognized but not supported: a decoder of the caller or of the platform has to read it.
    NeedsDecoder,
    /// The input violates its format or is truncated.
    Corrupt,
    /// The images to compare have different aspect ratios.
    #[cfg(feature = "full")]
    SizesDiffer,
    /// An option that does not exist.
    UnknownOption,
    /// An option of the wrong type or out of range.
    InvalidOption,
    /// The output format cannot be written, or not from this input.
    UnsupportedOutput,
    /// `lossless` is not possible for the output format or with the other options.
    LosslessUnsupported,
    /// No server supports this conversion; the detail `outputs` lists the supported output types.
    UnsupportedPair,
    /// The call needs a server.
    NeedsService,
    /// This build does not include the codec.
    NotInBuild,
    /// The input exceeds `limits.maxInputBytes`.
    InputTooLarge,
    /// The input or the output exceeds `limits.maxPixels`.
    TooManyPixels,
    /// The memory estimated from the header exceeds `limits.maxMemoryBytes`.
    TooMuchMemory,
    /// The output format cannot store the width or height.
    OutputTooLarge,
    /// No quality and no dimensions reach `targetSize`; the detail `smallest` is the smallest size in bytes that was reached.
    TargetUnreachable,
    /// An encoder failed.
    EncodeFailed,
}

impl ErrorCode {
    /// The name, as JavaScript sees it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EmptyInput => "empty_input",
            Self::UnknownType => "unknown_type",
            Self::UnsupportedType => "unsupported_type",
            Self::NeedsDecoder => "needs_decoder",
            Self::Corrupt => "corrupt",
            #[cfg(feature = "full")]
            Self::SizesDiffer => "sizes_differ",
            Self::UnknownOption => "unknown_option",
            Self::InvalidOption => "invalid_option",
            Self::UnsupportedOutput => "unsupported_output",
            Self::LosslessUnsupported => "lossless_unsupported",
            Self::UnsupportedPair => "unsupported_pair",
            Self::NeedsService => "needs_service",
            Self::NotInBuild => "not_in_build",
            Self::InputTooLarge => "input_too_large",
            Self::TooManyPixels => "too_many_pixels",
            Self::TooMuchMemory => "too_much_memory",
            Self::OutputTooLarge => "output_too_large",
            Self::TargetUnreachable => "target_unreachable",
            Self::EncodeFailed => "encode_failed",
        }
    }

    /// The kind of the error.
    pub const fn kind(self) -> ErrorKind {
        match self {
            Self::EmptyInput
            | Self::UnknownType
            | Self::UnsupportedType
            | Self::NeedsDecoder
            | Self::Corrupt => ErrorKind::Input,
            #[cfg(feature = "full")]
            Self::SizesDiffer => ErrorKind::Input,
            Self::UnknownOption
            | Self::InvalidOption
            | Self::UnsupportedOutput
            | Self::LosslessUnsupported
            | Self::UnsupportedPair
            | Self::NeedsService
            | Self::NotInBuild => ErrorKind::Options,
            Self::InputTooLarge
            | Self::TooManyPixels
            | Self::TooMuchMemory
            | Self::OutputTooLarge
            | Self::TargetUnreachable => ErrorKind::Limits,
            Self::EncodeFailed => ErrorKind::Internal,
        }
    }
}

/// A machine-readable fact about an error, for example the limit that was exceeded.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// A number, for example of bytes or pixels.
    Number(f64),
    /// A name, for example of a type or an option.
    Text(Cow<'static, str>),
    /// Several names.
    List(Vec<&'static str>),
}

impl From<Vec<&'static str>> for Detail {
    fn from(value: Vec<&'static str>) -> Self {
        Self::List(value)
    }
}

impl From<u64> for Detail {
    fn from(value: u64) -> Self {
        Self::Number(value as f64)
    }
}

impl From<&'static str> for Detail {
    fn from(value: &'static str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Detail {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}

/// The facts about an error, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details(Vec<(&'static str, Detail)>);

impl Details {
    /// The fact with this name.
    pub fn get(&self, name: &str) -> Option<&Detail> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, detail)| detail)
    }
}

impl From<&Details> for Value {
    fn from(details: &Details) -> Self {
        let member = |(name, detail): &(&'static str, Detail)| {
            let value = match detail {
                Detail::Number(number) => Self::Number(*number),
                Detail::Text(text) => Self::String(text.to_string()),
                Detail::List(names) => Self::Array(names.iter().map(|name| Self::from(*name)).collect()),
            };
            ((*name).to_owned(), value)
        };
        Self::Object(details.0.iter().map(member).collect())
    }
}

/// `{ kind, code, message, details }`.
impl From<&Error> for Value {
    fn from(error: &Error) -> Self {
        Self::object([
            ("kind", error.kind().as_str().into()),
            ("code", error.code.as_str().into()),
            ("message", error.message().into()),
            ("details", (&error.details).into()),
        ])
    }
}

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: ErrorCode,
    message: Cow<'static, str>,
    details: Details,
}

impl Error {
    /// Creates an error. The message is one or two sentences for people: what is wrong, and what to do.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::bare(code, message.into())
    }

    /// Compiled once, not for each type of message.
    #[inline(never)]
    fn bare(code: ErrorCode, message: Cow<'static, str>) -> Self {
        Self { code, message, details: Details::default() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_detail(mut self, name: &'static str, value: impl Into<Detail>) -> Self {
        self.add(name, value.into());
        self
    }

    /// Compiled once, not for each type of value.
    #[inline(never)]
    fn add(&mut self, name: &'static str, value: Detail) {
        self.details.0.push((name, value));
    }

    /// `actual` exceeds `limit`; both become details.
    pub fn limit(code: ErrorCode, message: impl Into<Cow<'static, str>>, actual: u64, limit: u64) -> Self {
        Self::new(code, message).with_detail("actual", actual).with_detail("limit", limit)
    }

    /// [`ErrorCode::TooMuchMemory`]: `need` exceeds `limits.maxMemoryBytes`, which is `limit`; both become details.
    pub fn too_much_memory(message: impl Into<Cow<'static, str>>, need: u64, limit: u64) -> Self {
        let error = Self::new(ErrorCode::TooMuchMemory, message);
        error.with_detail("needBytes", need).with_detail("limitBytes", limit)
    }

    /// [`ErrorCode::Corrupt`]: the input violates its format; `cause` is the message of the decoder.
    pub fn corrupt(format: &str, cause: impl std::fmt::Display) -> Self {
        let cause = cause.to_string();
        let cause = cause.trim().trim_end_matches('.');
        Self::new(ErrorCode::Corrupt, format!("This {format} file is damaged or incomplete: {cause}."))
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.code.kind()
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The facts about the error, by name.
    pub fn details(&self) -> &Details {
        &self.details
    }
}
