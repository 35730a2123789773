//! Compiles the attacking programs and runs them as tools are run.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) const RUNGS: [&str; 3] = ["bubblewrap", "landlock", "limits"];
/// The number of the user nobody, and of its group.
pub(crate) const NOBODY: u32 = 65534;

/// Where an attack is prepared: the service's binary and the program, for any user to run.
pub(crate) struct Bench {
    folder: TempDir,
}

/// What a program did.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) succeeded: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    /// Compiles `tests/attacks/NAME.c`.
    pub(crate) fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let bench = Self { folder };
        fs::copy(env!("CARGO_BIN_EXE_filepress-server"), bench.path("filepress-server")).unwrap();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks").join(name).with_extension("c");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-pthread", "-Wall", "-Werror", "-o"]).arg(bench.path("attack")).arg(source);
        assert!(compiler.status().unwrap().success(), "{name} does not compile");
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file that only its owner may read or write.
    pub(crate) fn private(&self, name: &str, owner: u32) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, "secret").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        own(&path, owner);
        path
    }

    /// The rungs that hold for a user here; at least one does.
    pub(crate) fn rungs(&self, user: u32) -> Vec<&'static str> {
        let holds = |rung: &&str| {
            let mut command = self.command(user, "check");
            let ended = command.args(["--sandbox", rung]).output().unwrap();
            let text = String::from_utf8(ended.stdout).unwrap();
            let confinement = text.lines().find_map(|line| line.strip_prefix("sandbox")).unwrap();
            let held = confinement.trim() == *rung;
            if !held {
                std::io::stderr()
                    .write_all(
                        format!(
                            "not run: {rung} does not work here for user {user}: {}\n",
                            text.replace('\n', "; ")
                        )
                        .as_bytes(),
                    )
                    .unwrap();
            }
            held
        };
        let rungs: Vec<_> = RUNGS.into_iter().filter(holds).collect();
        assert!(!rungs.is_empty(), "nothing confines user {user}");
        rungs
    }

    /// Runs the attack as a user runs a tool, in a new folder.
    pub(crate) fn attack(
        &self,
        user: u32,
        (rung, tool): (&str, &str),
        options: &[&str],
        words: &[&str],
    ) -> Ended {
        let folder = self.path(&format!("{user}-{rung}-{tool}"));
        // Whoever was stopped in it is gone by now, and writes nothing more.
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir(&folder).unwrap();
        fs::copy(self.path("attack"), folder.join("attack")).unwrap();
        own(&folder, user);
        let mut command = self.command(user, "confine");
        command.args(["--sandbox", rung, "--as", tool, "--folder"]).arg(&folder).args(options);
        let Output { status, stdout, stderr } =
            command.args(["--", "./attack"]).args(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { succeeded: status.success(), stdout: text(stdout), stderr: text(stderr) }
    }

    fn command(&self, user: u32, name: &str) -> Command {
        let mut command = Command::new(self.path("filepress-server"));
        command.arg(name);
        if rustix::process::geteuid().is_root() {
            command.uid(user).gid(user);
        }
        command
    }
}

/// Whom attacks are tried as.
pub(crate) fn users() -> Vec<u32> {
    let own = rustix::process::geteuid();
    if own.is_root() {
        return vec![0, NOBODY];
    }
    std::io::stderr()
        .write_all(format!("tried as user {own} alone: only root can be root and nobody\n").as_bytes())
        .unwrap();
    vec![own.as_raw()]
}

fn own(path: &Path, owner: u32) {
    if rustix::process::geteuid().is_root() {
        chown(path, Some(owner), Some(owner)).unwrap();
    }
}
