//! Builds ffmpeg and ffprobe command lines from typed settings, and parses their output. All functions are pure.

pub(super) mod arguments;
pub(super) mod audio_codec;
pub(super) mod bitrate;
pub(super) mod color;
pub(super) mod container;
pub(super) mod ffprobe;
pub(super) mod filters;
pub(super) mod media_info;
pub(super) mod preset;
pub(super) mod progress;
mod ratio;
pub(super) mod size;
pub(super) mod stderr;
pub(super) mod tags;
pub(super) mod tracks;
pub(super) mod trim;
pub(super) mod video_codec;

#[cfg(test)]
mod tests;
