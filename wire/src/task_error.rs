//! The error codes of failed tasks.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a task failed: the file, its settings, or the service. It is sent as `processing_metadata.error.code` and is stable.
///
/// The serde form is the name in snake case, as [`Self::as_str`] returns it. Clients treat unknown codes as
/// [`Self::ConversionFailed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskErrorCode {
    /// The file violates its format, or is truncated.
    CorruptFile,
    /// The file uses a feature of its format that is not supported.
    UnsupportedFile,
    /// The file is of another format than stated.
    WrongFormat,
    /// The file opens only with a password.
    PasswordProtected,
    /// A conversion to video was requested for a GIF or WebP with a single frame.
    NotAnimated,
    /// The file has no video stream.
    NoVideoStream,
    /// The file has no audio stream.
    NoAudioStream,
    /// The file has no such subtitle stream.
    NoSubtitleStream,
    /// Width × height exceeds the limit of the service.
    TooManyPixels,
    /// The file has more frames than the service allows.
    TooManyFrames,
    /// The document has more pages than the service allows.
    TooManyPages,
    /// The duration exceeds the limit of the service.
    TooLong,
    /// Decoding or encoding needs more memory than the service allows.
    TooMuchMemory,
    /// The input is larger than this conversion allows.
    InputTooLarge,
    /// The output would exceed the allowed size in bytes or pixels.
    OutputTooLarge,
    /// The conversion exceeded its time limit.
    TimedOut,
    /// The requested pages are not in the document.
    PageOutOfRange,
    /// The requested range starts after the end of the file.
    TrimOutOfRange,
    /// The settings cannot be combined for this file.
    UnsupportedSettings,
    /// No settings reach `target_size`.
    TargetUnreachable,
    /// The input file was deleted before the task started.
    InputGone,
    /// The owner canceled the task.
    Canceled,
    /// The conversion failed for an unknown reason.
    ConversionFailed,
    /// The worker was lost repeatedly.
    WorkerLost,
    /// An internal error of the service.
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

    /// The code as it is sent, for example `corrupt_file`.
    pub const fn as_str(self) -> &'static str {
        self.code_and_title().0
    }

    /// A short summary for people, the same for every occurrence.
    pub const fn title(self) -> &'static str {
        self.code_and_title().1
    }

    const fn code_and_title(self) -> (&'static str, &'static str) {
        match self {
            Self::CorruptFile => ("corrupt_file", "The file is damaged or incomplete"),
            Self::UnsupportedFile => ("unsupported_file", "The file uses an unsupported feature"),
            Self::WrongFormat => ("wrong_format", "The file is not of the stated format"),
            Self::PasswordProtected => ("password_protected", "The file is protected by a password"),
            Self::NotAnimated => ("not_animated", "The image is not animated"),
            Self::NoVideoStream => ("no_video_stream", "The file has no video stream"),
            Self::NoAudioStream => ("no_audio_stream", "The file has no audio stream"),
            Self::NoSubtitleStream => ("no_subtitle_stream", "The file has no such subtitle stream"),
            Self::TooManyPixels => ("too_many_pixels", "The image has too many pixels"),
            Self::TooManyFrames => ("too_many_frames", "The file has too many frames"),
            Self::TooManyPages => ("too_many_pages", "The document has too many pages"),
            Self::TooLong => ("too_long", "The duration is too long"),
            Self::TooMuchMemory => ("too_much_memory", "The conversion needs too much memory"),
            Self::InputTooLarge => ("input_too_large", "The file is too large for this conversion"),
            Self::OutputTooLarge => ("output_too_large", "The result would be too large"),
            Self::TimedOut => ("timed_out", "The conversion took too long"),
            Self::PageOutOfRange => ("page_out_of_range", "The document has no such page"),
            Self::TrimOutOfRange => ("trim_out_of_range", "The range starts after the end"),
            Self::UnsupportedSettings => {
                ("unsupported_settings", "The settings cannot be combined for this file")
            }
            Self::TargetUnreachable => ("target_unreachable", "The target size cannot be reached"),
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
