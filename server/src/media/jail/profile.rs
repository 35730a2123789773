//! The system calls that each tool may make.

use std::path::Path;

use clap::ValueEnum;
use libc::c_long;

use super::syscalls::{COMMON, EXEC, LEGACY, MEMORY_POLICY, RENAME};

/// A tool, as the profile of its system calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// The image engine in the service's binary.
    Engine,
    /// ffmpeg and ffprobe.
    Ffmpeg,
    /// Ghostscript.
    Ghostscript,
    /// qpdf.
    Qpdf,
    /// heif-convert (heif-dec) and heif-info.
    Libheif,
    /// pdftoppm, pdfinfo and the other programs of poppler.
    Poppler,
}

impl Profile {
    /// The profile of a program; `None` for an unknown one, which must not run.
    pub(in crate::media) fn of(program: &Path) -> Option<Self> {
        match program.file_name()?.to_str()? {
            "ffmpeg" | "ffprobe" => Some(Self::Ffmpeg),
            "gs" => Some(Self::Ghostscript),
            "qpdf" => Some(Self::Qpdf),
            "heif-convert" | "heif-dec" | "heif-info" => Some(Self::Libheif),
            name if name.starts_with("pdf") => Some(Self::Poppler),
            _ => None,
        }
    }

    /// Its name on the command line.
    pub(in crate::media) const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Ffmpeg => "ffmpeg",
            Self::Ghostscript => "ghostscript",
            Self::Qpdf => "qpdf",
            Self::Libheif => "libheif",
            Self::Poppler => "poppler",
        }
    }

    /// The system calls that it may make with any arguments.
    pub(super) fn allowed_syscalls(self) -> impl Iterator<Item = c_long> {
        let more: [&[c_long]; 3] = match self {
            Self::Engine => [&[], &[], &[]],
            Self::Ffmpeg => [EXEC, RENAME, MEMORY_POLICY],
            Self::Ghostscript | Self::Qpdf => [EXEC, RENAME, &[]],
            Self::Libheif | Self::Poppler => [EXEC, &[], &[]],
        };
        [COMMON, LEGACY].into_iter().chain(more).flatten().copied()
    }
}
