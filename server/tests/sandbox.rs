//! The levels of the sandbox: each is found by its self-test, runs conversions, and restricts its children.

#![allow(clippy::expect_used, reason = "a test may stop at what it does not expect")]

mod tools;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use filepress_server::config::{Config, SandboxChoice};
use filepress_server::media::Toolbox;
use filepress_wire::MediaType;
use serde_json::json;
use tools::{Bench, pnm};

const PROGRAM: &str = env!("CARGO_BIN_EXE_filepress-server");

const RUNGS: [(SandboxChoice, &str); 3] = [
    (SandboxChoice::Bubblewrap, "bubblewrap"),
    (SandboxChoice::Landlock, "landlock"),
    (SandboxChoice::Limits, "limits"),
];

#[tokio::test]
async fn every_tool_works_at_every_available_level() {
    let mut rungs = 0;
    for (choice, name) in RUNGS {
        let bench = Bench::confined(choice).await;
        if bench.tools.confinement() == "none" {
            // The machine lacks it; there is nothing to run then.
            assert!(MediaType::ALL.iter().all(|media| bench.tools.outputs(*media).is_empty()));
            continue;
        }
        rungs += 1;
        assert_eq!(bench.tools.confinement(), name);
        let picture = bench.write("picture.pnm", pnm(32, 32));
        let film = bench.video("film.mp4", &[]);
        let document = bench.write("document.pdf", tools::document(2));
        for (input, from, to) in [
            (&picture, MediaType::Pnm, MediaType::Webp),
            (&picture, MediaType::Pnm, MediaType::Pdf),
            (&film, MediaType::Mp4, MediaType::Webm),
            (&film, MediaType::Mp4, MediaType::Jpeg),
            (&document, MediaType::Pdf, MediaType::Pdf),
            (&document, MediaType::Pdf, MediaType::Png),
        ] {
            let made = bench.convert(input, from, Some(to), json!({})).await;
            let made = made.unwrap_or_else(|failure| panic!("{name}: {from} → {to}: {failure:?}"));
            assert!(tools::is(&made.bytes, to), "{name}: {from} → {to}");
        }
        assert!(std::fs::read(&picture).is_ok_and(|bytes| bytes == pnm(32, 32)), "the input was written");
    }
    assert!(rungs > 0);
}

#[tokio::test]
async fn the_strongest_working_level_is_used_and_reported() {
    let tools = tools::toolbox(SandboxChoice::Auto).await;
    let strongest = tools.confinement();
    let mut holding = Vec::new();
    for (choice, name) in RUNGS {
        if tools::toolbox(choice).await.confinement() == name {
            holding.push(name);
        }
    }
    assert_eq!(holding.first(), Some(&strongest));
    let names: Vec<_> = tools.report().iter().map(|tool| tool.name).collect();
    let expected = [
        "engine",
        "ffmpeg",
        "ffprobe",
        "ghostscript",
        "qpdf",
        "pdftoppm",
        "pdfinfo",
        "heif-convert",
        "heif-info",
        "bubblewrap",
        "landlock",
    ];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn without_a_sandbox_no_pair_is_supported() {
    let config = Config { program: Some("/nonexistent/program".into()), ..Config::new("/nonexistent") };
    let tools = Toolbox::find(&config).await;
    assert_eq!(tools.confinement(), "none");
    assert!(MediaType::ALL.iter().all(|media| tools.outputs(*media).is_empty()));
    assert!(tools.report().iter().any(|tool| !tool.lacks.is_empty()));
}

/// Runs a command in the jail, in a folder, with the system calls of a tool.
fn jail(folder: &Path, tool: &str, options: &[&str], command: &[&str]) -> Output {
    let bounds = ["--profile", tool, "--memory", "2000000000", "--cpu", "5", "--file", "100000"];
    let mut jail = Command::new(PROGRAM);
    jail.arg("jail").args(options).args(bounds).arg("--").args(command).current_dir(folder);
    jail.output().expect("the service's binary")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn the_jail_sets_resource_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = ["/bin/sh", "-c", "ulimit -t; ulimit -c; ulimit -n; ulimit -v"];
    let told = jail(folder.path(), "poppler", &[], &limits);
    assert_eq!(stdout(&told), format!("5\n0\n256\n{}", 2_000_000_000 / 1024));
    let write = ["/bin/dd", "if=/dev/zero", "of=large", "bs=300000", "count=1", "status=none"];
    let written = jail(folder.path(), "poppler", &[], &write);
    assert!(!written.status.success());
    assert_eq!(std::fs::metadata(folder.path().join("large")).expect("a file").len(), 100_000);
}

#[test]
fn the_jail_allows_the_system_calls_of_a_tool() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    for (tool, may_rename) in
        [("ffmpeg", true), ("ghostscript", true), ("qpdf", true), ("libheif", false), ("poppler", false)]
    {
        std::fs::write(&file, "bytes").expect("a file");
        let renamed = jail(folder.path(), tool, &[], &["/bin/mv", "-T", "file", "other"]);
        assert_eq!(renamed.status.success(), may_rename, "{tool}");
        // No tool starts another, not even by way of a shell.
        let started = jail(folder.path(), tool, &[], &["/bin/sh", "-c", "/bin/echo out; true"]);
        assert_eq!(stdout(&started), "", "{tool}");
    }
    // The engine is in the own binary, so that this one becomes no other.
    let other = jail(folder.path(), "engine", &[], &["/bin/echo", "out"]);
    assert_eq!((other.status.code(), stdout(&other).as_str()), (Some(125), ""));
    for tool in ["engine", "ffmpeg", "ghostscript", "qpdf", "libheif", "poppler"] {
        let trial = jail(folder.path(), tool, &[], &["engine", "trial", "/nonexistent"]);
        assert_eq!(stdout(&trial), "confined", "{tool}");
    }
}

#[test]
fn landlock_denies_other_files_and_directories() {
    let folder = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("a folder");
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "secret").expect("a file");
    let readable = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", PROGRAM];
    let mut options = vec!["--landlock", "--write", folder.path().to_str().expect("a path")];
    options.extend(readable.iter().flat_map(|path| ["--read", path]));
    let run = |command: &[&str]| jail(folder.path(), "poppler", &options, command);
    let path = secret.to_str().expect("a path");
    let read = run(&["/bin/cat", path]);
    if read.status.code() == Some(125) {
        std::io::stderr().write_all(b"not run: this kernel has no Landlock\n").expect("standard error");
        return;
    }
    assert_eq!(stdout(&read), "");
    assert_eq!(stdout(&run(&["/bin/ls", outside.path().to_str().expect("a path")])), "");
    assert!(!run(&["/bin/dd", "if=/dev/zero", "count=1", &format!("of={path}")]).status.success());
    assert_eq!(std::fs::read_to_string(&secret).expect("a file"), "secret");
    assert!(run(&["/bin/dd", "if=/dev/zero", "count=1", "of=mine"]).status.success());
    assert!(folder.path().join("mine").exists());
}

#[test]
fn the_jail_requires_all_limits() {
    let bounds = ["--memory", "2000000000", "--cpu", "5", "--file", "100000"];
    for arguments in [
        &["--", "/bin/true"][..],
        &["--memory", "1"],
        &["--memory", "x", "--", "/bin/true"],
        &[],
        &[&bounds[..], &["--", "/bin/true"]].concat(),
        &[&bounds[..], &["--profile", "shell", "--", "/bin/true"]].concat(),
    ] {
        let ended = Command::new(PROGRAM).arg("jail").args(arguments).status().expect("the service's binary");
        assert_eq!(ended.code(), Some(125), "{arguments:?}");
    }
}

/// The engine's child answers for an image whose decoding fails, and writes nothing outside of its folder.
#[test]
fn the_engine_prints_one_line_of_json() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("input"), b"\x89PNG\r\n\x1a\nnothing").expect("a file");
    let limits = json!({ "bytes": 1000, "pixels": 1000, "memory": 1_000_000, "frames": 10 });
    let source = json!({ "input": "input", "from": "image/png", "limits": limits, "is_upright": false });
    let request =
        json!({ "convert": { "source": source, "output": "output.png", "options": {}, "seconds": 60.0 } })
            .to_string();
    let output = jail(folder.path(), "engine", &[], &["engine", &request]);
    assert!(output.status.success());
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(reply["failure"]["code"], "corrupt_file");
    assert!(!folder.path().join("output.png").exists());
}
