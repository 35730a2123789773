//! Finds the programs for conversions and queries their versions, and the codecs and containers of ffmpeg.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// An installed program that runs.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) version: String,
}

/// ffmpeg, and what it was built with.
#[derive(Debug, Clone)]
pub(super) struct Ffmpeg {
    pub(super) program: Program,
    encoders: BTreeSet<String>,
    muxers: BTreeSet<String>,
    demuxers: BTreeSet<String>,
}

/// The programs of libheif.
#[derive(Debug, Clone)]
pub(super) struct Libheif {
    /// heif-convert, which newer versions call heif-dec.
    pub(super) convert: Program,
    pub(super) info: Program,
    /// Whether it has a decoder of HEVC, which may be a plug-in.
    pub(super) decodes_hevc: bool,
}

/// The programs; `None` if not installed.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) ffmpeg: Option<Ffmpeg>,
    pub(super) ffprobe: Option<Program>,
    pub(super) ghostscript: Option<Program>,
    pub(super) qpdf: Option<Program>,
    pub(super) pdftoppm: Option<Program>,
    pub(super) pdfinfo: Option<Program>,
    pub(super) libheif: Option<Libheif>,
    pub(super) bubblewrap: Option<Program>,
}

/// The directories of programs, also inside the sandbox.
const PROGRAM_DIRS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// How long a program may take to print its version.
const QUERY_TIMEOUT: Duration = Duration::from_secs(60);

impl Tools {
    pub(super) async fn find() -> Self {
        let (ffmpeg, ffprobe, ghostscript, qpdf, pdftoppm, pdfinfo, libheif, bubblewrap) = tokio::join!(
            Ffmpeg::find(),
            Program::find("ffprobe", "-version"),
            Program::find("gs", "--version"),
            Program::find("qpdf", "--version"),
            Program::find("pdftoppm", "-v"),
            Program::find("pdfinfo", "-v"),
            Libheif::find(),
            Program::find("bwrap", "--version"),
        );
        Self { ffmpeg, ffprobe, ghostscript, qpdf, pdftoppm, pdfinfo, libheif, bubblewrap }
    }
}

impl Program {
    async fn find(name: &str, version_flag: &str) -> Option<Self> {
        let path =
            PROGRAM_DIRS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())?;
        let output_text = query(&path, &[version_flag]).await?;
        let is_number =
            |word: &&str| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.');
        let version = output_text.split_whitespace().find(is_number)?.to_owned();
        Some(Self { path, version })
    }
}

impl Ffmpeg {
    async fn find() -> Option<Self> {
        let program = Program::find("ffmpeg", "-version").await?;
        let path = &program.path;
        let (encoders, muxers, demuxers) = tokio::join!(
            list_names(path, "-encoders"),
            list_names(path, "-muxers"),
            list_names(path, "-demuxers")
        );
        Some(Self { encoders: encoders?, muxers: muxers?, demuxers: demuxers?, program })
    }

    pub(super) fn encodes(&self, encoder: &str) -> bool {
        self.encoders.contains(encoder)
    }

    pub(super) fn writes(&self, muxer: &str) -> bool {
        self.muxers.contains(muxer)
    }

    pub(super) fn reads(&self, demuxer: &str) -> bool {
        self.demuxers.contains(demuxer)
    }
}

impl Libheif {
    async fn find() -> Option<Self> {
        let convert = match Program::find("heif-dec", "--help").await {
            Some(program) => program,
            None => Program::find("heif-convert", "--help").await?,
        };
        let info = Program::find("heif-info", "--help").await?;
        let decoders = query(&convert.path, &["--list-decoders"]).await?;
        Some(Self { decodes_hevc: lists_hevc(&decoders), convert, info })
    }
}

/// Whether there is a decoder in a list of heif-convert: a line that begins with a hyphen, after the one that names the format.
fn lists_hevc(decoders: &str) -> bool {
    let mut lines = decoders.lines().skip_while(|line| !line.starts_with("HEIC"));
    lines.nth(1).is_some_and(|line| line.trim_start().starts_with('-'))
}

/// The second word of each line of a list of ffmpeg, split at commas.
async fn list_names(path: &Path, list: &str) -> Option<BTreeSet<String>> {
    let output_text = query(path, &["-hide_banner", list]).await?;
    let second = output_text.lines().filter_map(|line| line.split_whitespace().nth(1));
    Some(second.flat_map(|list_names| list_names.split(',')).map(str::to_owned).collect())
}

/// What a program prints to both streams. It reads no user data, so it needs no sandbox.
async fn query(path: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(path);
    command.args(arguments).env_clear().stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(QUERY_TIMEOUT, command.output()).await.ok()?.ok()?;
    let text = [output.stdout, output.stderr].concat();
    output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::lists_hevc;

    #[test]
    fn a_decoder_of_hevc_is_found_in_the_list_of_decoders() {
        let with = "HEIC decoders:\n- libde265 = libde265 HEVC decoder, version 1.0.11\nAVIF decoders:\n- dav1d = dav1d v6.6.0\n";
        assert!(lists_hevc(with));
        assert!(!lists_hevc("HEIC decoders:\nAVIF decoders:\n- dav1d = dav1d v6.6.0\n"));
        assert!(!lists_hevc("HEIC decoders:\n"));
        assert!(!lists_hevc(""));
    }
}
