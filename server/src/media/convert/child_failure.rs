//! Maps the failure of a child process to an error.

use filepress_wire::TaskErrorCode;

use crate::config::ConversionLimits;
use crate::media::Failure;
use crate::media::ffmpeg::progress::Progress;
use crate::media::sandbox::{ChildExit, ChildOutput};

/// Checks whether ffmpeg stopped at a limit of frames or seconds: it then exits with success, but its output is truncated.
pub(super) fn check_limits(limits: &ConversionLimits, progress: &Progress) -> Result<(), Failure> {
    if progress.frames > limits.frames {
        let detail = format!(
            "The input, or the output with its frame rate, has more than the maximum of {} frames.",
            limits.frames
        );
        return Err(Failure::file(TaskErrorCode::TooManyFrames, detail));
    }
    if progress.seconds >= limits.duration.as_secs_f64() {
        let detail =
            format!("The input is longer than the maximum of {} seconds.", limits.duration.as_secs());
        return Err(Failure::file(TaskErrorCode::TooLong, detail));
    }
    Ok(())
}

/// The error for an engine process that ended without a response.
pub(super) fn engine_crashed(finished: &ChildOutput) -> Failure {
    tracing::warn!(end = ?finished.end, stderr = ?finished.stderr.trim(), "the image engine crashed");
    // Rust aborts if an allocation fails.
    if finished.stderr.contains("memory allocation of") || finished.stderr.contains("capacity overflow") {
        return Failure::file(TaskErrorCode::TooMuchMemory, "The conversion exceeded its memory limit.");
    }
    match finished.end {
        // The same input would make it crash again.
        ChildExit::Exit(101) | ChildExit::Signal(_) => {
            Failure::file(TaskErrorCode::ConversionFailed, "This image could not be converted.")
        }
        ChildExit::Exit(code) => {
            Failure::Infrastructure(format!("the image engine exited with status {code}"))
        }
    }
}
