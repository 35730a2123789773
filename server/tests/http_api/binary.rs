//! The program: its output, its commands beside a running service, and what its log must not contain.

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout};

use crate::reach::Binary;
use crate::service::{PNG, file_of, id, link, task_on};

/// A running program.
pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) stdout: BufReader<ChildStdout>,
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) data: TempDir,
    _binary: Binary,
}

impl Program {
    /// In development mode.
    pub(crate) async fn start(arguments: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), &[&["--dev"], arguments].concat()).await
    }

    pub(crate) async fn start_in(data: TempDir, arguments: &[&str]) -> Self {
        let binary = Binary::find();
        let mut command = tokio::process::Command::from(program(&binary, &data, &["serve"]));
        command.args(["--listen", "127.0.0.1:0", "--min-free-disk", "0"]).args(arguments).kill_on_drop(true);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).await.unwrap();
        let url = line.trim_end().strip_prefix("listening on ").expect("the first line").to_owned();
        let made =
            program(&binary, &data, &["keys", "create", "--email", "one@example.org"]).output().unwrap();
        let key = String::from_utf8(made.stdout).unwrap().trim_end().to_owned();
        Self { child, stdout, url, key, data, _binary: binary }
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.id().unwrap()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Ends it as an operator does, and gives what else it wrote on standard output and error.
    pub(crate) async fn stop(mut self) -> (String, String) {
        self.signal(rustix::process::Signal::TERM);
        let (mut out, mut log) = (String::new(), String::new());
        let mut stderr = self.child.stderr.take().unwrap();
        tokio::join!(async { self.stdout.read_to_string(&mut out).await.unwrap() }, async {
            stderr.read_to_string(&mut log).await.unwrap()
        },);
        assert!(self.child.wait().await.unwrap().success(), "{log}");
        (out, log)
    }
}

/// A command on a data folder.
fn program(binary: &Binary, data: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(&binary.path);
    command.args(arguments).env("FILEPRESS_DATA", data.path());
    if rustix::process::geteuid().is_root() {
        command.env("FILEPRESS_USER", "nobody");
    }
    command
}

/// Whether a command on a data folder succeeds, and what it says.
pub(crate) fn run(data: &TempDir, arguments: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = program(&Binary::find(), data, arguments).output().unwrap();
    (status.success(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[tokio::test]
async fn keys_are_managed_while_the_service_runs() {
    let program = Program::start(&[]).await;
    assert_eq!(program.key.len(), 46);
    let client = reqwest::Client::new();
    let status = async |key: &str| {
        client
            .get(format!("{}/v1/users/me", program.url))
            .bearer_auth(key)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(status(&program.key).await, 200);
    let (_, second) = run(&program.data, &["keys", "create", "--email", "one@example.org"]);
    let second = second.strip_suffix('\n').unwrap();
    let (_, list) = run(&program.data, &["keys", "list"]);
    assert_eq!(list.lines().count(), 2);
    assert!(list.contains(&program.key[..11]) && list.contains("one@example.org"), "{list}");
    assert!(!list.contains(&program.key) && !list.contains(second), "only at first and never again");
    assert!(run(&program.data, &["keys", "revoke", &program.key[..11]]).0);
    assert!(!run(&program.data, &["keys", "revoke", &program.key[..11]]).0, "no valid key");
    assert_eq!((status(&program.key).await, status(second).await), (401, 200));
    let (_, user) = run(&program.data, &["users", "create", "--email", "one@example.org"]);
    assert!(list.lines().all(|line| line.contains("one@example.org")));
    assert_eq!(user.trim_end().len(), 36);
    assert!(!run(&program.data, &["users", "create", "--email", "nobody"]).0);
}

#[tokio::test]
async fn the_first_line_is_the_only_one_and_the_second_process_is_refused() {
    let program = Program::start(&[]).await;
    assert!(program.url.starts_with("http://127.0.0.1:"), "{}", program.url);
    let (succeeded, text) = run(&program.data, &["serve", "--dev", "--listen", "127.0.0.1:0"]);
    assert!(!succeeded && text.contains("another process"), "{text}");
    let (out, log) = program.stop().await;
    assert_eq!(out, "");
    assert!(log.contains("plain HTTP"), "development mode is told at every start: {log}");
}

#[tokio::test]
async fn secrets_never_get_into_the_log() {
    for format in ["text", "json"] {
        let program = Program::start(&["--log", "trace", "--log-format", format]).await;
        let client = reqwest::Client::new();
        let post = async |path: &str, document: &Value| {
            let request = client.post(format!("{}{path}", program.url)).bearer_auth(&program.key);
            let request =
                request.header("content-type", crate::service::MEDIA_TYPE).body(document.to_string());
            request.send().await.unwrap().json::<Value>().await.unwrap()
        };
        let file = post("/v1/files", &file_of(PNG.len())).await["data"].clone();
        let (upload, download) = (link(&file, "upload"), link(&file, "download"));
        for (method, url, body) in [
            ("PUT", upload.to_owned(), &PNG[..3]),
            ("PUT", upload.to_owned(), PNG),
            ("PUT", upload.to_owned(), PNG),
            ("GET", download.to_owned(), b""),
            ("GET", upload.to_owned(), b""),
            ("GET", format!("{download}&more=1"), b""),
            ("GET", format!("{}/v1/files?{}", program.url, download.split_once('?').unwrap().1), b""),
        ] {
            let request = client.request(method.parse().unwrap(), url).bearer_auth(&program.key);
            request.body(body.to_vec()).send().await.unwrap();
        }
        post("/v1/tasks", &task_on(id(&file))).await;
        let signing: Value =
            serde_json::from_slice(&std::fs::read(program.data.path().join("signing-keys.json")).unwrap())
                .unwrap();
        let key = program.key.clone();
        let (_, log) = program.stop().await;
        assert!(log.matches("request_id").count() >= 9, "there is a log: {log}");
        let signature = |url: &str| url.rsplit_once("signature=").unwrap().1.to_owned();
        let secrets = [
            key[3..].to_owned(),
            signature(upload),
            signature(download),
            signing["keys"][0]["secret"].as_str().unwrap().to_owned(),
        ];
        for secret in secrets {
            assert!(secret.len() >= 43 && !log.contains(&secret), "{log}");
            assert!(!log.contains(&secret[..12]), "not even a part: {log}");
        }
        assert!(!log.contains("signature="), "{log}");
    }
}

#[test]
fn check_lists_the_supported_pairs() {
    let data = tempfile::tempdir().unwrap();
    let (succeeded, text) = run(&data, &["check"]);
    assert!(succeeded, "{text}");
    assert!(text.contains("ffmpeg"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("image/png") && line.contains("image/webp")), "{text}");
}

#[test]
fn the_openapi_description_is_printed() {
    let data = tempfile::tempdir().unwrap();
    let (succeeded, text) = run(&data, &["openapi"]);
    assert!(succeeded);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), filepress_server::openapi::description());
}

/// What a command with settings from the environment or a file says as it fails.
fn refused(data: &TempDir, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let Output { status, stdout, stderr } =
        program(&Binary::find(), data, arguments).envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8([stdout, stderr].concat()).unwrap();
    assert!(!status.success(), "{text}");
    text
}

#[test]
fn a_mistyped_database_url_does_not_print_its_password() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("settings.toml");
    if rustix::process::geteuid().is_root() {
        // The account that the commands switch to.
        std::os::unix::fs::chown(data.path(), Some(65534), Some(65534)).unwrap();
    }
    for url in [
        "postgress://filepress:S3cretWord@127.0.0.1:1/x",
        "postgres://filepress@127.0.0.1:1/x?sslkey=k&sslpassword=S3cretWord",
        "postgres://filepress:a/S3cretWord@127.0.0.1:1/x",
    ] {
        for command in [&["serve"][..], &["keys", "list"], &["users", "create", "--email", "one@example.org"]]
        {
            let said = refused(&data, command, &[("FILEPRESS_DATABASE", url)]);
            assert!(said.contains("database") && !said.contains("S3cretWord"), "{command:?}: {said}");
            std::fs::write(&file, format!("database = {url:?}\n")).unwrap();
            let said = refused(&data, command, &[("FILEPRESS_CONFIG", file.to_str().unwrap())]);
            assert!(said.contains("database") && !said.contains("S3cretWord"), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_malformed_line_of_the_settings_is_named_and_not_printed() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("settings.toml");
    let variables = [("FILEPRESS_CONFIG", file.to_str().unwrap())];
    for (text, line) in [
        ("dev = true\ndatabase = \"postgres://filepress:S3cret\"Word@127.0.0.1/x\"\n", "line 2"),
        ("databases = \"postgres://filepress:S3cretWord@127.0.0.1/x\"\n", "line 1"),
        ("\n\nretension = \"S3cretWord\"\n", "line 3"),
    ] {
        std::fs::write(&file, text).unwrap();
        let said = refused(&data, &["serve"], &variables);
        assert!(said.contains("settings.toml") && said.contains(line) && !said.contains("S3cret"), "{said}");
    }
}
