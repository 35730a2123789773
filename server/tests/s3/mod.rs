//! An S3 server for the tests of one program: s3s-fs (cargo), on the loopback address, with a port and a folder of its own. It ends with
//! the program and leaves nothing behind.
//!
//! It checks signatures and checksums, and knows ranges, copies, lists and uploads in parts. It has no permissions, no limits of sizes and
//! numbers and no rules for incomplete uploads, and it is never slow or busy as a service on a network is. It obeys headers that a presigned
//! URL was not signed for; with [`Server::guard`] it refuses them, as S3 does.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod gate;

use std::collections::BTreeSet;
use std::fs::File;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use filepress_server::config::ObjectStoreConfig;
use gate::{Gate, Refusal};
use http::StatusCode;
use tempfile::TempDir;

const BUCKET: &str = "files";
const PREFIX: &str = "some/prefix";
/// Both halves of the credentials.
const KEY: &str = "for-tests";
/// Runs the server until nobody holds the other end of standard input.
const SCRIPT: &str = r#"
    "$@" >/dev/null 2>&1 &
    server=$!
    cat >/dev/null
    kill -KILL "$server"
    wait "$server" 2>/dev/null || true
"#;

/// A server with an empty bucket.
pub struct Server {
    folder: TempDir,
    address: SocketAddr,
    /// Runs until its standard input is closed.
    shell: Option<Child>,
    gate: Option<Gate>,
}

impl Server {
    pub async fn start() -> Self {
        let address = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
        let mut server = Self { folder: tempfile::tempdir().unwrap(), address, shell: None, gate: None };
        server.resume().await;
        server
    }

    /// Kills the server; what it has stored stays.
    pub async fn kill(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            tokio::task::spawn_blocking(move || shell.wait()).await.unwrap().unwrap();
        }
        while TcpStream::connect(self.address).is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Starts it again at the same address.
    pub async fn resume(&mut self) {
        std::fs::create_dir_all(self.folder.path().join(BUCKET)).unwrap();
        let mut shell = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .arg(program())
            .args(["--host", "127.0.0.1", "--port", &self.address.port().to_string()])
            .args(["--access-key", KEY, "--secret-key", KEY])
            .arg(self.folder.path())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        while TcpStream::connect(self.address).is_err() {
            assert!(shell.try_wait().unwrap().is_none());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.shell = Some(shell);
    }

    /// From now on, [`Self::config`] and [`Self::url`] have an address at which headers that are not signed are refused, and [`Self::refuse`]
    /// has an effect.
    pub async fn guard(&mut self) {
        if self.gate.is_none() {
            self.gate = Some(Gate::before(self.address).await);
        }
    }

    /// The next `times` objects that are sent with one request get this status, each when `after` bytes of it have come.
    pub fn refuse(&self, status: StatusCode, times: u32, after: usize) {
        *self.gate.as_ref().unwrap().refusal.lock().unwrap() = Refusal { status, times, after };
    }

    /// How many objects are yet to be refused.
    pub fn to_refuse(&self) -> u32 {
        self.gate.as_ref().unwrap().refusal.lock().unwrap().times
    }

    /// Headers that are not signed get this status, instead of 403.
    pub fn answer_unsigned(&self, status: u16) {
        self.gate.as_ref().unwrap().status.store(status, Ordering::Relaxed);
    }

    fn endpoint(&self) -> String {
        let address = self.gate.as_ref().map_or(self.address, |gate| gate.address);
        format!("http://{address}")
    }

    /// How a service reaches it.
    pub fn config(&self) -> ObjectStoreConfig {
        let variables = [
            ("AWS_ENDPOINT_URL", self.endpoint()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value)).into();
        ObjectStoreConfig { url: format!("s3://{BUCKET}/{PREFIX}").parse().unwrap(), variables }
    }

    /// How many objects there are, complete or about to be.
    pub fn objects(&self) -> usize {
        files(&self.folder.path().join(BUCKET)).len()
    }

    /// The names of the complete objects.
    pub fn names(&self) -> BTreeSet<String> {
        let named = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        // Those that it is writing have longer names.
        let complete = |name: &String| name.len() == 36;
        files(&self.folder.path().join(BUCKET)).into_iter().map(named).filter(complete).collect()
    }

    /// How many files it has for uploads in parts that are not complete: the parts, and notes of its own.
    pub fn parts(&self) -> usize {
        let of_upload = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".upload"))
        };
        self.kept().iter().filter(of_upload).count()
    }

    /// Puts an object into the bucket without a request.
    pub fn plant(&self, name: &str, bytes: &[u8]) {
        let folder = self.folder.path().join(BUCKET).join(PREFIX);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    /// What the URLs of all objects begin with.
    pub fn url(&self) -> String {
        format!("{}/{BUCKET}/{PREFIX}/", self.endpoint())
    }

    /// Lets all objects be older by that time.
    pub fn age(&self, by: Duration) {
        for path in files(&self.folder.path().join(BUCKET)) {
            let file = File::options().write(true).open(path).unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            file.set_modified(modified - by).unwrap();
        }
    }

    /// Everything that the server keeps, parts of unfinished uploads included.
    pub fn kept(&self) -> Vec<PathBuf> {
        files(self.folder.path())
    }
}

/// The server's program, which `make setup` installs with the other tools.
fn program() -> PathBuf {
    let given =
        std::env::vars_os().find(|(name, _)| name == "FILEPRESS_TOOLS").map(|(_, folder)| folder.into());
    let tools = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools"));
    let program = tools.join("bin/s3s-fs");
    assert!(program.exists(), "{} is not installed: make setup", program.display());
    program
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}
