//! What the end of a child process means where it gave no usable result.

use filepress_wire::TaskErrorCode;

use crate::config::Caps;
use crate::media::Failure;
use crate::media::ffmpeg::progress::Progress;
use crate::media::sandbox::{End, Finished};

/// ffmpeg ends with success where it stopped at a bound: what it wrote is cut off.
pub(super) fn check_bounds(caps: &Caps, progress: &Progress) -> Result<(), Failure> {
    if progress.frames >= caps.frames {
        let detail = format!("It has more pictures than the {} that are taken.", caps.frames);
        return Err(Failure::file(TaskErrorCode::TooManyFrames, detail));
    }
    if progress.seconds >= caps.duration.as_secs_f64() {
        let detail =
            format!("It plays for longer than the {} seconds that are taken.", caps.duration.as_secs());
        return Err(Failure::file(TaskErrorCode::TooLong, detail));
    }
    if progress.bytes >= caps.output {
        let detail = format!("The result would have more than {} bytes.", caps.output);
        return Err(Failure::file(TaskErrorCode::OutputTooLarge, detail));
    }
    Ok(())
}

/// The engine ended without an answer.
pub(super) fn crashed(finished: &Finished) -> Failure {
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
        End::Exit(101) | End::Signal(_) => {
            Failure::file(TaskErrorCode::ConversionFailed, "This image could not be converted.")
        }
        End::Exit(code) => Failure::Infrastructure(format!("the image engine ended with {code}")),
    }
}
