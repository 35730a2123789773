//! The ladder of confinements: each rung is found by a trial, converts, and keeps children from what is not theirs.

#![allow(clippy::expect_used, reason = "a test may stop at what it does not expect")]

mod tools;

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
async fn every_kind_of_tool_works_on_every_rung_that_there_is() {
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
async fn the_strongest_rung_that_holds_is_taken_and_told() {
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
        "bubblewrap",
        "landlock",
    ];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn without_a_way_to_start_children_nothing_is_offered() {
    let config = Config { program: Some("/nonexistent/program".into()), ..Config::new("/nonexistent") };
    let tools = Toolbox::find(&config).await;
    assert_eq!(tools.confinement(), "none");
    assert!(MediaType::ALL.iter().all(|media| tools.outputs(*media).is_empty()));
    assert!(tools.report().iter().any(|tool| !tool.lacks.is_empty()));
}

/// Runs a command in the jail, in a folder.
fn jail(folder: &Path, options: &[&str], command: &[&str]) -> Output {
    let bounds = ["--memory", "2000000000", "--cpu", "5", "--file", "100000"];
    let mut jail = Command::new(PROGRAM);
    jail.arg("jail").args(options).args(bounds).arg("--").args(command).current_dir(folder);
    jail.output().expect("the service's binary")
}

#[test]
fn the_jail_has_limits_and_no_sockets() {
    let folder = tempfile::tempdir().expect("a folder");
    let shell = |script: &str| {
        let output = jail(folder.path(), &[], &["/bin/sh", "-c", script]);
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    assert_eq!(shell("ulimit -t; ulimit -c; ulimit -n"), "5\n0\n256");
    assert_eq!(shell("ulimit -v"), (2_000_000_000 / 1024).to_string());
    let written = jail(folder.path(), &[], &["/bin/sh", "-c", "head -c 300000 /dev/zero > large"]);
    assert!(!written.status.success());
    assert_eq!(std::fs::metadata(folder.path().join("large")).expect("a file").len(), 100_000);
    // The status line of the kernel says that a filter of system calls is on.
    assert_eq!(shell("grep ^Seccomp: /proc/self/status | tr -d '\\t'"), "Seccomp:2");
    assert_eq!(shell("unshare --user true && echo out"), "");
    let trial = jail(folder.path(), &[], &["engine", "trial", "/nonexistent"]);
    assert_eq!(String::from_utf8_lossy(&trial.stdout).trim(), "confined");
}

#[test]
fn landlock_hides_files_and_the_folder_of_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("a folder");
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "secret").expect("a file");
    let readable = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", PROGRAM];
    let mut options = vec!["--landlock", "--write", folder.path().to_str().expect("a path")];
    options.extend(readable.iter().flat_map(|path| ["--read", path]));
    let script = format!(
        "cat {0}; echo x > {0}; ls {1}; echo here > mine",
        secret.display(),
        outside.path().display()
    );
    let output = jail(folder.path(), &options, &["/bin/sh", "-c", &script]);
    if output.status.code() == Some(125) {
        // A kernel without Landlock: the jail says so and runs nothing.
        assert!(output.stdout.is_empty() && !folder.path().join("mine").exists());
        return;
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(std::fs::read_to_string(&secret).expect("a file"), "secret");
    assert!(folder.path().join("mine").exists());
}

#[test]
fn the_jail_runs_nothing_without_bounds() {
    for arguments in
        [&["--", "/bin/true"][..], &["--memory", "1"], &["--memory", "x", "--", "/bin/true"], &[]]
    {
        let ended = Command::new(PROGRAM).arg("jail").args(arguments).status().expect("the service's binary");
        assert_eq!(ended.code(), Some(125), "{arguments:?}");
    }
}

/// The engine's child answers for an image whose decoding fails, and writes nothing outside of its folder.
#[test]
fn the_engine_answers_with_a_line_of_json() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("input"), b"\x89PNG\r\n\x1a\nnothing").expect("a file");
    let bounds = json!({ "bytes": 1000, "pixels": 1000, "memory": 1_000_000, "frames": 10 });
    let source = json!({ "input": "input", "from": "image/png", "bounds": bounds });
    let request =
        json!({ "convert": { "source": source, "output": "output.png", "options": {} } }).to_string();
    let output = jail(folder.path(), &[], &["engine", &request]);
    assert!(output.status.success());
    let reply: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(reply["fault"]["code"], "corrupt_file");
    assert!(!folder.path().join("output.png").exists());
}
