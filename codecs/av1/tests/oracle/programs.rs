//! Programs of Debian, and a folder for what they read and write.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder that goes away with its value.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// `own` tells the folders of tests that run together apart.
    pub(super) fn new(own: u64) -> Self {
        let path = std::env::temp_dir().join(format!("filepress-av1-oracle-{}-{own}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// What a program wrote, which is removed.
    pub(super) fn take(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name);
        let bytes = std::fs::read(&path).ok()?;
        std::fs::remove_file(path).unwrap();
        Some(bytes).filter(|bytes| !bytes.is_empty())
    }

    /// Writes a bitstream to where it stays, and returns its path.
    pub(super) fn keep(&self, number: usize, obus: &[u8]) -> String {
        let path = std::env::temp_dir().join(format!("filepress-av1-{}-{number}.obu", std::process::id()));
        std::fs::write(&path, obus).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Runs a program. Returns whether it succeeded.
pub(super) fn run(program: &str, arguments: &[String]) -> bool {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap_or_else(|error| panic!("{program}, which setup.sh installs: {error}"));
    status.success()
}

/// What aomenc makes of a file of YUV4MPEG2 with these options; `None` if it refuses it.
pub(super) fn aomenc(folder: &Folder, y4m: &[u8], options: &[&str]) -> Option<Vec<u8>> {
    let input = folder.write("source.y4m", y4m);
    let output = folder.path("aomenc.obu");
    let arguments = [&["--obu"], options, &["-o", &output, &input]].concat();
    run("aomenc", &arguments.into_iter().map(String::from).collect::<Vec<_>>()).then_some(())?;
    folder.take("aomenc.obu")
}
