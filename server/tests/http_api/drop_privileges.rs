//! Started as root, the service refuses or switches users, and leaves no files of root's. Run by other users, these
//! tests say so on standard error and do nothing.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

use crate::reach::Binary;
use crate::tls::write_certificate;
use filepress_server::config::TlsFiles;

const NOBODY: u32 = 65534;

/// A folder that anyone may pass through; none where this is not root.
fn folder() -> Option<TempDir> {
    if !rustix::process::geteuid().is_root() {
        std::io::stderr().write_all(b"not run: only root can be refused as root\n").unwrap();
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    Some(folder)
}

fn command(binary: &Binary, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&binary.path);
    command.args(arguments).arg("--data").arg(data).env_remove("FILEPRESS_USER");
    command
}

/// Whether a command succeeds, and what it says.
fn run(data: &Path, arguments: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = command(&Binary::find(), data, arguments).output().unwrap();
    (status.success(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

/// Serves until it listens, then hands the lines of `/proc/PID/status` to `look`, and gives the log.
async fn serve(data: &Path, arguments: &[&str], look: impl FnOnce(&str)) -> String {
    let arguments =
        [&["serve", "--dev", "--listen", "127.0.0.1:0", "--min-free-disk", "0"], arguments].concat();
    let binary = Binary::find();
    let mut command = tokio::process::Command::from(command(&binary, data, &arguments));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    look(&fs::read_to_string(format!("/proc/{}/status", child.id().unwrap())).unwrap_or_default());
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).await.unwrap();
    child.wait().await.unwrap();
    assert!(line.starts_with("listening on "), "{log}");
    log
}

fn field<'a>(status: &'a str, name: &str) -> Vec<&'a str> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().collect()
}

/// All files of a folder, itself among them, that are not of a user.
fn not_of(user: u32, folder: &Path) -> Vec<PathBuf> {
    let mut others = Vec::new();
    let mut paths = vec![folder.to_owned()];
    while let Some(path) = paths.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        if (metadata.uid(), metadata.gid()) != (user, user) {
            others.push(path);
        }
    }
    others
}

#[test]
fn root_is_refused_before_anything_is_created() {
    let Some(folder) = folder() else { return };
    let data = folder.path().join("data");
    let (succeeded, said) = run(&data, &["serve", "--dev", "--listen", "127.0.0.1:0"]);
    assert!(!succeeded && said.contains("--user NAME") && said.contains("--allow-root"), "{said}");
    let (succeeded, said) = run(&data, &["keys", "create", "--email", "one@example.org"]);
    assert!(!succeeded && said.contains("--user NAME"), "{said}");
    for (user, expected) in [("root", "is root"), ("0", "is root"), ("no-such-user", "no-such-user")] {
        let (succeeded, said) = run(&data, &["serve", "--dev", "--user", user]);
        assert!(!succeeded && said.contains(expected), "{said}");
    }
    assert!(!data.exists());
}

#[tokio::test]
async fn root_switches_to_the_user_who_owns_all_files() {
    let Some(folder) = folder() else { return };
    let data = folder.path().join("below/data");
    // Before the first start, with the folder to be made.
    let (succeeded, key) = run(&data, &["keys", "create", "--email", "one@example.org", "--user", "nobody"]);
    assert!(succeeded, "{key}");
    assert_eq!(not_of(NOBODY, &data), Vec::<PathBuf>::new());
    let log = serve(&data, &["--user", "65534"], |status| {
        assert_eq!(field(status, "Uid:"), ["65534"; 4]);
        assert_eq!(field(status, "Gid:"), ["65534"; 4]);
        assert!(field(status, "Groups:").iter().all(|group| *group == "65534"), "{status}");
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            assert_eq!(field(status, set), ["0000000000000000"], "{set}");
        }
        // Commands beside it act as the owner of the folder.
        for arguments in [
            &["keys", "create", "--email", "two@example.org"][..],
            &["keys", "list"],
            &["users", "create", "--email", "three@example.org"],
            &["signing", "rotate"],
        ] {
            let (succeeded, said) = run(&data, arguments);
            assert!(succeeded, "{arguments:?}: {said}");
        }
    })
    .await;
    assert!(log.contains("dropped root privileges") && log.contains("nobody (65534)"), "{log}");
    let confinement = log.lines().find(|line| line.contains("sandbox of the tools")).unwrap();
    assert!(confinement.contains("kind=") && confinement.contains("limits="), "{confinement}");
    assert_eq!(not_of(NOBODY, &data), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_directory_of_another_user_is_refused() {
    let Some(folder) = folder() else { return };
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    // Not empty, and root's.
    fs::write(data.join("file"), "").unwrap();
    let (succeeded, said) = run(&data, &["serve", "--dev", "--user", "nobody"]);
    assert!(!succeeded && said.contains("root (0)") && said.contains("chown"), "{said}");
    // Behind a folder that is closed to the user.
    let closed = tempfile::tempdir().unwrap();
    fs::set_permissions(closed.path(), Permissions::from_mode(0o700)).unwrap();
    let (succeeded, said) = run(&closed.path().join("data"), &["serve", "--dev", "--user", "nobody"]);
    assert!(!succeeded && said.contains("nobody (65534) cannot open"), "{said}");
    fs::remove_file(data.join("file")).unwrap();
    // Empty, but for all to write.
    fs::set_permissions(&data, Permissions::from_mode(0o777)).unwrap();
    assert!(!run(&data, &["serve", "--dev", "--user", "nobody"]).0);
    // A user who may do nothing but this.
    std::os::unix::fs::chown(&data, Some(NOBODY), Some(NOBODY)).unwrap();
    let (succeeded, said) = run(&data, &["serve", "--dev", "--user", "12345"]);
    assert!(!succeeded && said.contains("nobody (65534)"), "{said}");
    serve(&data, &["--user", "nobody"], |_| {}).await;
}

#[tokio::test]
async fn root_is_kept_with_allow_root() {
    let Some(folder) = folder() else { return };
    let log = serve(&folder.path().join("data"), &["--allow-root"], |status| {
        assert_eq!(field(status, "Uid:"), ["0"; 4]);
    })
    .await;
    assert!(log.contains("WARN") && log.contains("as root"), "{log}");
}

#[test]
fn an_unreadable_tls_key_is_reported() {
    let Some(folder) = folder() else { return };
    let files = TlsFiles { certificate: folder.path().join("a.crt"), key: folder.path().join("a.key") };
    write_certificate(&files);
    fs::set_permissions(&files.key, Permissions::from_mode(0o600)).unwrap();
    let [certificate, key] = [&files.certificate, &files.key].map(|path| path.to_str().unwrap());
    let arguments = ["serve", "--user", "nobody", "--tls-certificate", certificate, "--tls-key", key];
    let (succeeded, said) = run(&folder.path().join("data"), &arguments);
    assert!(!succeeded && said.contains("tls-key: user nobody (65534) cannot read"), "{said}");
}

#[test]
fn an_inaccessible_binary_is_reported() {
    let Some(folder) = folder() else { return };
    let closed = tempfile::tempdir_in(folder.path()).unwrap();
    fs::set_permissions(closed.path(), Permissions::from_mode(0o700)).unwrap();
    let path = closed.path().join("filepress-server");
    let built = env!("CARGO_BIN_EXE_filepress-server");
    assert!(Command::new("cp").arg(built).arg(&path).status().unwrap().success());
    for arguments in [&["check"][..], &["serve", "--dev", "--listen", "127.0.0.1:0"]] {
        let mut command = Command::new(&path);
        command.args(arguments).args(["--user", "nobody", "--data"]).arg(folder.path().join("data"));
        let Output { status, stdout, stderr } = command.output().unwrap();
        let said = String::from_utf8([stdout, stderr].concat()).unwrap();
        assert!(!status.success() && said.contains("nobody (65534) cannot execute"), "{said}");
        assert!(said.contains("/usr/local/bin"), "{said}");
    }
}

#[test]
fn check_reports_the_sandbox_of_the_user() {
    let Some(_) = folder() else { return };
    let binary = Binary::find();
    let output = Command::new(&binary.path)
        .args(["check", "--user", "nobody"])
        .env_remove("FILEPRESS_USER")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let said = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    assert_eq!(said("user "), "nobody (65534)");
    assert_ne!(said("sandbox "), "none");
    assert_eq!(said("limits "), "watched");
}
