//! Why a task failed, by names that never change.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A fault of the file or of what was asked of it, or of the service; shown in `processing_metadata.error.code`.
///
/// The serde form is the name in snake case, as [`Self::as_str`] gives it. A client that meets a name it does not know treats
/// it as [`Self::ConversionFailed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskErrorCode {
    /// The bytes break the rules of their type, or end too soon.
    CorruptFile,
    /// The file is of its type, but uses a part of it that cannot be read here.
    UnsupportedFile,
    /// The bytes are of another type than the one that was stated.
    WrongFormat,
    /// The file opens only with a password.
    PasswordProtected,
    /// A video was asked for of a GIF or WebP that holds a single picture.
    NotAnimated,
    /// The file has no moving picture.
    NoVideoStream,
    /// The file has no sound.
    NoAudioStream,
    /// The file has no such subtitles.
    NoSubtitleStream,
    /// Width × height is more than the service takes on.
    TooManyPixels,
    /// There are more pictures than the service takes on.
    TooManyFrames,
    /// There are more pages than the service takes on.
    TooManyPages,
    /// It plays for longer than the service takes on.
    TooLong,
    /// Reading or writing it takes more memory than the service gives.
    TooMuchMemory,
    /// The input has more bytes than this conversion takes.
    InputTooLarge,
    /// The result would have more bytes, or a larger picture, than is allowed.
    OutputTooLarge,
    /// The conversion was not done within the time it is given.
    TimedOut,
    /// The asked pages are not in the document.
    PageOutOfRange,
    /// The asked part begins after the end.
    TrimOutOfRange,
    /// The settings exclude each other for this file.
    UnsupportedSettings,
    /// No settings bring the result within `target_size`.
    TargetUnreachable,
    /// The input file was deleted before the task came to it.
    InputGone,
    /// The owner ended the task.
    Canceled,
    /// The conversion failed, and nothing more precise is known.
    ConversionFailed,
    /// Whatever worked at it was lost, again and again.
    WorkerLost,
    /// The service failed, not the file.
    Internal,
}

impl TaskErrorCode {
    /// Every code, in the order of the declaration.
    pub const ALL: [Self; 25] = [
        Self::CorruptFile,
        Self::UnsupportedFile,
        Self::WrongFormat,
        Self::PasswordProtected,
        Self::NotAnimated,
        Self::NoVideoStream,
        Self::NoAudioStream,
        Self::NoSubtitleStream,
        Self::TooManyPixels,
        Self::TooManyFrames,
        Self::TooManyPages,
        Self::TooLong,
        Self::TooMuchMemory,
        Self::InputTooLarge,
        Self::OutputTooLarge,
        Self::TimedOut,
        Self::PageOutOfRange,
        Self::TrimOutOfRange,
        Self::UnsupportedSettings,
        Self::TargetUnreachable,
        Self::InputGone,
        Self::Canceled,
        Self::ConversionFailed,
        Self::WorkerLost,
        Self::Internal,
    ];

    /// The name in the interface, for example `corrupt_file`.
    pub const fn as_str(self) -> &'static str {
        self.words().0
    }

    /// A heading for a person, the same wherever the code occurs.
    pub const fn title(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::CorruptFile => ("corrupt_file", "The file is damaged or incomplete"),
            Self::UnsupportedFile => ("unsupported_file", "The file cannot be read here"),
            Self::WrongFormat => ("wrong_format", "The file is of another type than stated"),
            Self::PasswordProtected => ("password_protected", "The file is protected by a password"),
            Self::NotAnimated => ("not_animated", "The image does not move"),
            Self::NoVideoStream => ("no_video_stream", "The file has no moving picture"),
            Self::NoAudioStream => ("no_audio_stream", "The file has no sound"),
            Self::NoSubtitleStream => ("no_subtitle_stream", "The file has no such subtitles"),
            Self::TooManyPixels => ("too_many_pixels", "The picture is too large"),
            Self::TooManyFrames => ("too_many_frames", "The file has too many pictures"),
            Self::TooManyPages => ("too_many_pages", "The document has too many pages"),
            Self::TooLong => ("too_long", "The file plays for too long"),
            Self::TooMuchMemory => ("too_much_memory", "The conversion needs too much memory"),
            Self::InputTooLarge => ("input_too_large", "The file is too large for this conversion"),
            Self::OutputTooLarge => ("output_too_large", "The result would be too large"),
            Self::TimedOut => ("timed_out", "The conversion took too long"),
            Self::PageOutOfRange => ("page_out_of_range", "The document has no such page"),
            Self::TrimOutOfRange => ("trim_out_of_range", "The asked part lies behind the end"),
            Self::UnsupportedSettings => {
                ("unsupported_settings", "The settings do not go together for this file")
            }
            Self::TargetUnreachable => ("target_unreachable", "The asked size cannot be reached"),
            Self::InputGone => ("input_gone", "The input file was deleted"),
            Self::Canceled => ("canceled", "The task was canceled"),
            Self::ConversionFailed => ("conversion_failed", "The conversion failed"),
            Self::WorkerLost => ("worker_lost", "The conversion was interrupted too often"),
            Self::Internal => ("internal", "The service failed"),
        }
    }
}

impl fmt::Display for TaskErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}
