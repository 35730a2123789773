//! The environment of conversions: the installed tools, the sandbox and the number of threads.

use super::Failure;
use super::ffmpeg::video_codec::VideoCodec;
use super::sandbox::{ConfinementLevel, Sandbox};
use super::tools::Tools;

#[derive(Debug)]
pub(super) struct Environment {
    pub(super) tools: Tools,
    /// `None`: no sandbox works, so no tool can run.
    pub(super) sandbox: Option<Sandbox>,
    /// Why stronger sandboxes are not used.
    pub(super) reasons: Vec<(ConfinementLevel, String)>,
    /// Threads of one conversion.
    pub(super) threads: usize,
}

impl Environment {
    pub(super) fn sandbox(&self) -> Result<&Sandbox, Failure> {
        let none = || Failure::Infrastructure("no sandbox works on this machine".to_owned());
        self.sandbox.as_ref().ok_or_else(none)
    }

    pub(super) fn encodes(&self, codec: VideoCodec) -> bool {
        self.tools.ffmpeg.as_ref().is_some_and(|ffmpeg| ffmpeg.encodes(codec.encoder()))
    }
}
