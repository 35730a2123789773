//! What ffmpeg says while it works: lines of `key=value`, a block every half second (`-progress`).

/// How far it has come; a sink for lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::media) struct Progress {
    /// Seconds of output.
    pub(in crate::media) seconds: f64,
    /// Pictures of output.
    pub(in crate::media) frames: u64,
    /// Pictures that were written again to keep to a rate.
    pub(in crate::media) repeated: u64,
    /// Pictures that were left out to keep to a rate.
    pub(in crate::media) dropped: u64,
    /// Bytes of output.
    pub(in crate::media) bytes: u64,
}

impl Progress {
    /// Reads a line; true where a block is complete.
    pub(in crate::media) fn read(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.trim().split_once('=') else { return false };
        let value = value.trim();
        match key {
            // Microseconds, whatever the other name says; "N/A" until there are some.
            "out_time_us" | "out_time_ms" => {
                self.seconds = value.parse::<f64>().map_or(self.seconds, |time| (time / 1e6).max(0.0));
            }
            "frame" => self.frames = value.parse().unwrap_or(self.frames),
            "dup_frames" => self.repeated = value.parse().unwrap_or(self.repeated),
            "drop_frames" => self.dropped = value.parse().unwrap_or(self.dropped),
            "total_size" => self.bytes = value.parse().unwrap_or(self.bytes),
            "progress" => return true,
            _ => {}
        }
        false
    }

    /// The share that is done, 0 to 1, of so many seconds and frames as are expected.
    pub(in crate::media) fn share(&self, seconds: f64, frames: u64) -> f64 {
        let by_time = if seconds > 0.0 { self.seconds / seconds } else { 0.0 };
        let by_frames = if frames > 0 { self.frames as f64 / frames as f64 } else { 0.0 };
        by_time.max(by_frames).clamp(0.0, 1.0)
    }
}
