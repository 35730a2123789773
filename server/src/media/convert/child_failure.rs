//! What the end of a child process means where it gave no usable result.

use filepress_wire::TaskErrorCode;

use crate::config::ConversionLimits;
use crate::media::Failure;
use crate::media::ffmpeg::progress::Progress;
use crate::media::sandbox::{ChildExit, ChildOutput};

/// ffmpeg ends with success where it stopped at a bound: what it wrote is cut off.
pub(super) fn check_limits(limits: &ConversionLimits, progress: &Progress) -> Result<(), Failure> {
    if progress.frames >= limits.frames {
        let detail = format!("It has more pictures than the {} that are taken.", limits.frames);
        return Err(Failure::file(TaskErrorCode::TooManyFrames, detail));
    }
    if progress.seconds >= limits.duration.as_secs_f64() {
        let detail =
            format!("It plays for longer than the {} seconds that are taken.", limits.duration.as_secs());
        return Err(Failure::file(TaskErrorCode::TooLong, detail));
    }
    if progress.bytes >= limits.output {
        let detail = format!("The result would have more than {} bytes.", limits.output);
        return Err(Failure::file(TaskErrorCode::OutputTooLarge, detail));
    }
    Ok(())
}

/// The engine ended without an answer.
pub(super) fn engine_crashed(finished: &ChildOutput) -> Failure {
    tracing::warn!(end = ?finished.end, stderr = %finished.stderr.trim(), "the image engine crashed");
    // Rust aborts where memory cannot be had.
    if finished.stderr.contains("memory allocation of") || finished.stderr.contains("capacity overflow") {
        return Failure::file(
            TaskErrorCode::TooMuchMemory,
            "The conversion needs more memory than it is given.",
        );
    }
    match finished.end {
        // Whatever it was, the same bytes would do it again.
        ChildExit::Exit(101) | ChildExit::Signal(_) => {
            Failure::file(TaskErrorCode::ConversionFailed, "This image could not be converted.")
        }
        ChildExit::Exit(code) => Failure::Infrastructure(format!("the image engine ended with {code}")),
    }
}
