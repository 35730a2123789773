//! The one error type: a stable code, whose fault it was, and what to do about it.
//!
//! Codes are part of the interface: JavaScript receives them word for word, so a code is never renamed. The kind is derived
//! from the code, which keeps the two from contradicting each other.

use std::borrow::Cow;

use crate::value::Value;

/// Result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whose fault an error is, which decides what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The bytes: choose another file.
    Input,
    /// What the caller asked for: change the call.
    Options,
    /// A limit of this call: raise it, or make the input smaller first.
    Limits,
    /// This package: report it.
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

/// What went wrong, by a name that never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// The input has no bytes.
    EmptyInput,
    /// The bytes are of no type that is recognized.
    UnknownType,
    /// The type is recognized (and named), but not one that can be read here.
    UnsupportedType,
    /// The bytes begin as their type should, and then break its rules or end too soon.
    Corrupt,
    /// Two pictures of different shapes cannot be compared.
    #[cfg(feature = "full")]
    SizesDiffer,
    /// An option with a name that does not exist.
    UnknownOption,
    /// An option with a value out of its range or of the wrong type.
    InvalidOption,
    /// The asked type cannot be written, or not from this input.
    UnsupportedOutput,
    /// `lossless` was asked for where the output type or the other options rule it out.
    LosslessUnsupported,
    /// The service cannot make that output of this input; the detail `outputs` has what it can.
    UnsupportedPair,
    /// Video, audio and PDF need the service.
    NeedsService,
    /// This build of the module lacks the codec.
    NotInBuild,
    /// More input bytes than `limits.maxInputBytes`.
    InputTooLarge,
    /// More pixels than `limits.maxPixels`, in the input or the output.
    TooManyPixels,
    /// More memory than `limits.maxMemoryBytes`, estimated from the header.
    TooMuchMemory,
    /// The output type cannot hold the asked width or height.
    OutputTooLarge,
    /// No quality and no size of the picture fits into `targetSize`; the detail `smallest` is the fewest bytes reached.
    TargetUnreachable,
    /// An encoder refused pixels that it should have taken.
    EncodeFailed,
}

impl ErrorCode {
    /// The name, as JavaScript sees it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EmptyInput => "empty_input",
            Self::UnknownType => "unknown_type",
            Self::UnsupportedType => "unsupported_type",
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

    /// Whose fault it was.
    pub const fn kind(self) -> ErrorKind {
        match self {
            Self::EmptyInput | Self::UnknownType | Self::UnsupportedType | Self::Corrupt => ErrorKind::Input,
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

/// A fact about an error that a program can read, for example the limit and the value that broke it.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// A count of bytes, pixels and the like; JavaScript sees a number.
    Number(f64),
    /// A name: a type, an option.
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
    /// The fact of that name.
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

/// An error of any call of this crate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: ErrorCode,
    message: Cow<'static, str>,
    details: Details,
}

impl Error {
    /// An error with a message for a person: one or two sentences, what is wrong and what to do.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), details: Details::default() }
    }

    /// Adds a fact for programs.
    #[must_use]
    pub fn with_detail(mut self, name: &'static str, value: impl Into<Detail>) -> Self {
        self.details.0.push((name, value.into()));
        self
    }

    /// `value` is more than `limit` allows; both become details.
    pub fn limit(code: ErrorCode, message: impl Into<Cow<'static, str>>, actual: u64, limit: u64) -> Self {
        Self::new(code, message).with_detail("actual", actual).with_detail("limit", limit)
    }

    /// [`ErrorCode::TooMuchMemory`]: more bytes are needed than `limits.maxMemoryBytes` allows; both become details.
    pub fn too_much_memory(message: impl Into<Cow<'static, str>>, need: u64, limit: u64) -> Self {
        let error = Self::new(ErrorCode::TooMuchMemory, message);
        error.with_detail("needBytes", need).with_detail("limitBytes", limit)
    }

    /// The bytes break the rules of their type; `cause` is what the decoder said.
    pub fn corrupt(format: &str, cause: impl std::fmt::Display) -> Self {
        let cause = cause.to_string();
        let cause = cause.trim().trim_end_matches('.');
        Self::new(ErrorCode::Corrupt, format!("This {format} file is damaged or incomplete: {cause}."))
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// Whose fault it was.
    pub fn kind(&self) -> ErrorKind {
        self.code.kind()
    }

    /// The sentence for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The facts for a program, by name.
    pub fn details(&self) -> &Details {
        &self.details
    }
}
