//! What a tool may ask of the kernel.

use std::path::Path;

use clap::ValueEnum;
use libc::c_long;

use super::syscalls::{COMMON, EXEC, LEGACY, MEMORY_POLICY, RENAME};

/// A tool, by the system calls that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// The image engine of the own binary.
    Engine,
    /// ffmpeg and ffprobe.
    Ffmpeg,
    /// Ghostscript.
    Ghostscript,
    /// qpdf.
    Qpdf,
    /// pdftoppm, pdfinfo and the rest of poppler's programs.
    Poppler,
}

impl Profile {
    /// That of a program; none where it is not known, and so must not be run.
    pub(in crate::media) fn of(program: &Path) -> Option<Self> {
        match program.file_name()?.to_str()? {
            "ffmpeg" | "ffprobe" => Some(Self::Ffmpeg),
            "gs" => Some(Self::Ghostscript),
            "qpdf" => Some(Self::Qpdf),
            name if name.starts_with("pdf") => Some(Self::Poppler),
            _ => None,
        }
    }

    /// The word for it.
    pub(in crate::media) const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Ffmpeg => "ffmpeg",
            Self::Ghostscript => "ghostscript",
            Self::Qpdf => "qpdf",
            Self::Poppler => "poppler",
        }
    }

    /// The calls that it may make with any arguments.
    pub(super) fn allowed_syscalls(self) -> impl Iterator<Item = c_long> {
        let more: [&[c_long]; 3] = match self {
            Self::Engine => [&[], &[], &[]],
            Self::Ffmpeg => [EXEC, RENAME, MEMORY_POLICY],
            Self::Ghostscript | Self::Qpdf => [EXEC, RENAME, &[]],
            Self::Poppler => [EXEC, &[], &[]],
        };
        [COMMON, LEGACY].into_iter().chain(more).flatten().copied()
    }
}
