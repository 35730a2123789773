//! Parses ffmpeg's `-progress` output: blocks of `key=value` lines, one every half second.

/// The progress of ffmpeg.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Progress {
    /// Seconds of output.
    pub(in crate::media) seconds: f64,
    /// Frames of output.
    pub(in crate::media) frames: u64,
    /// Frames that were repeated for a constant frame rate.
    pub(in crate::media) repeated: u64,
    /// Frames that were dropped for a constant frame rate.
    pub(in crate::media) dropped: u64,
}

impl Progress {
    /// Parses a line; true at the end of a block.
    pub(in crate::media) fn read(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.trim().split_once('=') else { return false };
        let value = value.trim();
        match key {
            // Both are microseconds, despite the name; "N/A" at first.
            "out_time_us" | "out_time_ms" => {
                self.seconds = value.parse::<f64>().map_or(self.seconds, |time| (time / 1e6).max(0.0));
            }
            "frame" => self.frames = value.parse().unwrap_or(self.frames),
            "dup_frames" => self.repeated = value.parse().unwrap_or(self.repeated),
            "drop_frames" => self.dropped = value.parse().unwrap_or(self.dropped),
            "progress" => return true,
            _ => {}
        }
        false
    }

    /// The frames that were written, which few containers tell; `None` if ffmpeg did not count them.
    pub(in crate::media) fn written(&self) -> Option<u64> {
        Some(self.frames).filter(|frames| *frames > 0)
    }

    /// The fraction that is done, 0 to 1, given the expected seconds and frames.
    pub(in crate::media) fn share(&self, seconds: f64, frames: u64) -> f64 {
        let by_time = if seconds > 0.0 { self.seconds / seconds } else { 0.0 };
        let by_frames = if frames > 0 { self.frames as f64 / frames as f64 } else { 0.0 };
        by_time.max(by_frames).clamp(0.0, 1.0)
    }
}
