//! ffmpeg as a pure function of what is wanted: arguments out of typed settings and facts; what it says, read back.

pub(super) mod arguments;
pub(super) mod bitrate;
pub(super) mod codec;
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

#[cfg(test)]
mod tests;
