//! The real binary as a process that tests can kill and stop, and a client for it.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

use std::fs::{OpenOptions, read_dir};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

#[path = "../reach/mod.rs"]
pub mod reach;
#[path = "../../../tests/common/seed.rs"]
pub mod seed;

use reach::Binary;

const BINARY: &str = env!("CARGO_BIN_EXE_filepress-server");
const JSON_API: &str = "application/vnd.api+json";
/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(600);

/// A running service; dropped, it is killed.
pub struct Service {
    child: Child,
    _binary: Binary,
    pub url: String,
}

impl Service {
    /// Starts it on `data`, with a log beside that folder.
    pub async fn start(data: &Path, arguments: &[&str]) -> Self {
        Self::start_with(data, arguments, &[]).await
    }

    /// As [`Self::start`], with variables of the environment.
    pub async fn start_with(data: &Path, arguments: &[&str], variables: &[(String, String)]) -> Self {
        let binary = Binary::find();
        let mut command = Command::new(&binary.path);
        command.envs(variables.iter().cloned());
        Self::run(command, binary, data, arguments).await
    }

    /// Whether [`Self::start_on_disk`] works, which mounts: where it does not, this says so.
    pub fn has_disks() -> bool {
        if !is_root() {
            std::io::stderr()
                .write_all(b"not run: only root can mount a disk for a service that is not root\n")
                .unwrap();
        }
        is_root()
    }

    /// As [`Self::start`], with `data` on a disk of its own of that many bytes, which nothing outside of the process sees but
    /// through [`Self::inside`].
    pub async fn start_on_disk(data: &Path, bytes: u64, arguments: &[&str]) -> Self {
        let mut command = Command::new("unshare");
        let script = format!("mount -t tmpfs -o size={bytes},mode=0700 tmpfs \"$0\" && exec \"$@\"");
        let binary = Binary::find();
        command.args(["-m", "sh", "-c", &script]).arg(data).arg(&binary.path);
        Self::run(command, binary, data, arguments).await
    }

    async fn run(mut command: Command, binary: Binary, data: &Path, arguments: &[&str]) -> Self {
        let log = OpenOptions::new().create(true).append(true).open(log(data)).unwrap();
        as_nobody(&mut command, data);
        command.arg("serve");
        let mut child = command
            .args(["--dev", "--listen", "127.0.0.1:0", "--rate-limit", "1000000", "--rate-burst", "1000000"])
            .arg("--data")
            .arg(data)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
        // One that only works has no address.
        let url = line.trim_end().strip_prefix("listening on ").or_else(|| line.strip_prefix("working\n"));
        let Some(url) = url else {
            panic!("{line:?}: {}", std::fs::read_to_string(self::log(data)).unwrap());
        };
        Self { url: url.to_owned(), child, _binary: binary }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id().unwrap()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Waits for its end.
    pub async fn ended(mut self) -> ExitStatus {
        tokio::time::timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap()
    }

    /// Makes an API key beside it, on the same disk.
    pub async fn key(&self, data: &Path) -> String {
        let mut command = Command::new("nsenter");
        let id = self.child.id().unwrap().to_string();
        command.args(["--mount", "--target", &id, BINARY]);
        make_key(command, data, "one@example.org").await
    }

    /// The path of a file as the process sees it.
    pub fn inside(&self, path: &Path) -> PathBuf {
        let path = path.strip_prefix("/").unwrap();
        Path::new("/proc").join(self.child.id().unwrap().to_string()).join("root").join(path)
    }
}

/// Root has the service be another user, who has to pass through the folder above.
fn as_nobody(command: &mut Command, data: &Path) {
    if is_root() {
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(data.parent().unwrap(), open).unwrap();
        command.env("FILEPRESS_USER", "nobody");
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Makes an API key.
pub async fn key(data: &Path) -> String {
    key_of(data, "one@example.org").await
}

/// Makes an API key of the user with this email.
pub async fn key_of(data: &Path, email: &str) -> String {
    make_key(Command::new(BINARY), data, email).await
}

/// Makes an API key in a PostgreSQL database.
pub async fn key_in(database: &str) -> String {
    let mut command = Command::new(BINARY);
    command.args(["keys", "create", "--email", "one@example.org", "--database", database]);
    printed(command).await
}

async fn make_key(mut command: Command, data: &Path, email: &str) -> String {
    as_nobody(&mut command, data);
    command.args(["keys", "create", "--email", email, "--data"]).arg(data);
    printed(command).await
}

/// The secret of the callbacks of the user whose key [`key`] makes.
pub async fn callback_secret(data: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(BINARY);
    as_nobody(&mut command, data);
    command
        .args(["users", "callback-secret", "--email", "one@example.org", "--data"])
        .arg(data)
        .args(arguments);
    printed(command).await
}

/// What a command prints, which must succeed.
async fn printed(mut command: Command) -> String {
    let output = command.output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Where the log of the service on `data` is.
pub fn log(data: &Path) -> PathBuf {
    data.with_extension("log")
}

/// Calls the service with a key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    pub url: String,
    key: String,
}

impl Client {
    pub fn new(service: &Service, key: &str) -> Self {
        Self { http: reqwest::Client::new(), url: service.url.clone(), key: key.to_owned() }
    }

    fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.http.request(method, url).bearer_auth(&self.key).header("Accept", JSON_API)
    }

    /// An answer to GET, which must be a success.
    pub async fn get(&self, path: &str) -> reqwest::Result<Value> {
        let url = if path.starts_with('/') { format!("{}{path}", self.url) } else { path.to_owned() };
        self.request(Method::GET, &url).send().await?.error_for_status()?.json().await
    }

    /// An answer to POST, whatever it is.
    pub async fn post(&self, path: &str, document: &Value) -> reqwest::Result<Response> {
        self.poster(path, document).send().await
    }

    fn poster(&self, path: &str, document: &Value) -> RequestBuilder {
        let request = self.request(Method::POST, &format!("{}{path}", self.url));
        request.header("Content-Type", JSON_API).body(document.to_string())
    }

    /// An answer to the PATCH that cancels a task, whatever it is.
    pub async fn cancel(&self, task: &str) -> reqwest::Result<Response> {
        let document =
            json!({ "data": { "type": "tasks", "id": task, "attributes": { "status": "FAILED" } } });
        let request = self.request(Method::PATCH, &format!("{}/v1/tasks/{task}", self.url));
        request.header("Content-Type", JSON_API).body(document.to_string()).send().await
    }

    /// An answer to DELETE, whatever it is.
    pub async fn delete(&self, path: &str) -> reqwest::Result<Response> {
        self.request(Method::DELETE, &format!("{}{path}", self.url)).send().await
    }

    /// An answer to a POST that must be a success, and may be asked for again by `key`.
    pub async fn once(&self, path: &str, document: &Value, key: &str) -> reqwest::Result<Value> {
        let request = self.poster(path, document).header("Idempotency-Key", key);
        request.send().await?.error_for_status()?.json().await
    }

    /// An answer to a POST that must be a success.
    async fn created(&self, path: &str, document: &Value) -> reqwest::Result<Value> {
        let answer = self.post(path, document).await?.error_for_status()?;
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await
    }

    /// A record for that many bytes: its id and where they go.
    pub async fn declare(&self, size: usize) -> reqwest::Result<(String, String)> {
        let file = self.created("/v1/files", &new_file(size)).await?;
        Ok((text(&file["data"]["id"]), text(&file["data"]["links"]["upload"])))
    }

    /// An answer to PUT, whatever it is.
    pub async fn put(&self, url: &str, bytes: &[u8]) -> reqwest::Result<Response> {
        // A link from before a restart names the port of then.
        let (_, path) = url.split_once("/v1/").unwrap();
        self.http.put(format!("{}/v1/{path}", self.url)).body(bytes.to_owned()).send().await
    }

    /// Uploads a file: its id.
    pub async fn upload(&self, bytes: &[u8]) -> reqwest::Result<String> {
        let (id, url) = self.declare(bytes.len()).await?;
        self.put(&url, bytes).await?.error_for_status()?;
        Ok(id)
    }

    /// Queues a conversion: its id.
    pub async fn convert(&self, input: &str, output: &str, settings: Value) -> reqwest::Result<String> {
        let task = self.created("/v1/tasks", &new_task(input, output, settings)).await?;
        Ok(text(&task["data"]["id"]))
    }

    /// Queues a conversion that takes seconds, and gives its id once it is worked at.
    pub async fn long_work(&self) -> reqwest::Result<String> {
        let input = self.upload(&noise(640, 1)).await?;
        let task = self.convert(&input, "image/avif", json!({})).await?;
        eventually(async || {
            let now = self.get(&format!("/v1/tasks/{task}")).await.unwrap();
            (now["data"]["attributes"]["status"] == "PROCESSING").then_some(())
        })
        .await;
        Ok(task)
    }

    /// A task once it has ended.
    pub async fn ended(&self, task: &str) -> Value {
        eventually(async || {
            let task = self.get(&format!("/v1/tasks/{task}")).await.unwrap();
            let status = &task["data"]["attributes"]["status"];
            (status == "COMPLETED" || status == "FAILED").then_some(task)
        })
        .await
    }

    /// Every item of a list, over all of its pages.
    pub async fn all(&self, path: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut next = Value::from(format!("{path}?page%5Bsize%5D=100"));
        while let Some(url) = next.as_str() {
            let mut page = self.get(url).await.unwrap();
            match page["data"].take() {
                Value::Array(page) => items.extend(page),
                other => panic!("{other}"),
            }
            next = page["links"]["next"].take();
        }
        items
    }

    /// The bytes behind a signed link.
    pub async fn download(&self, url: &Value) -> Vec<u8> {
        let answer = self.http.get(text(url)).send().await.unwrap().error_for_status().unwrap();
        answer.bytes().await.unwrap().to_vec()
    }
}

pub fn new_file(size: usize) -> Value {
    json!({ "data": { "type": "files", "attributes": { "size": size } } })
}

pub fn new_task(input: &str, output: &str, settings: Value) -> Value {
    json!({ "data": {
        "type": "tasks",
        "attributes": { "format": { "output": output }, "settings": settings },
        "relationships": { "input": { "data": { "type": "files", "id": input } } },
    } })
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Asks until there is an answer.
pub async fn eventually<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let answer = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, answer).await.unwrap()
}

/// The names of the blobs below a data folder.
pub fn blobs(data: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for shelf in read_dir(data.join("blobs")).unwrap() {
        for blob in read_dir(shelf.unwrap().path()).unwrap() {
            names.push(blob.unwrap().file_name().into_string().unwrap());
        }
    }
    names
}

/// An image of colored noise as PNM. Each `own` number gives another image.
pub fn noise(side: u32, own: u32) -> Vec<u8> {
    let mut state = (seed::seed(own.into()) as u32).wrapping_mul(2_654_435_761).max(1);
    let mut picture = format!("P6\n{side} {side}\n255\n").into_bytes();
    for _ in 0..side * side * 3 {
        // Marsaglia's xorshift.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        picture.push(state.to_le_bytes()[3]);
    }
    picture
}

/// What the service on `data` has logged so far.
pub fn read_log(data: &Path) -> String {
    std::fs::read_to_string(log(data)).unwrap()
}
