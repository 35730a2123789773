//! The arguments of bubblewrap: a root file system with only the tools, the input and the working directory.

use std::ffi::OsString;
use std::path::Path;

use super::INPUT;
use super::readable::READABLE;

/// The working directory inside the sandbox.
const FOLDER: &str = "/work";
/// The service's binary inside the sandbox.
const PROGRAM: &str = "/filepress-server";

/// The user id inside the sandbox (nobody).
const USER: &str = "65534";

/// The arguments up to and including the path of the service's binary.
///
/// `/proc` is not mounted: no tool needs it, it reveals details of the machine, and some containers do not allow it. Only [`FOLDER`]
/// is writable: the other directories are in memory without a limit, so they are remounted read-only.
pub(super) fn arguments(bwrap: &Path, program: &Path, input: Option<&Path>, folder: &Path) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec![bwrap.into()];
    line.extend(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"].map(OsString::from));
    // As root, bubblewrap creates no user namespace by default and keeps capabilities.
    line.extend(["--unshare-user", "--uid", USER, "--gid", USER, "--cap-drop", "ALL"].map(OsString::from));
    let mut bind = |option: &str, from: &Path, to: &Path| {
        line.extend([option.into(), from.as_os_str().to_owned(), to.as_os_str().to_owned()]);
    };
    for path in READABLE.map(Path::new) {
        // Symbolic links, such as /bin to /usr/bin, are recreated.
        match path.read_link() {
            Ok(target) if path.parent() == Some(Path::new("/")) => bind("--symlink", &target, path),
            _ => bind("--ro-bind-try", path, path),
        }
    }
    bind("--ro-bind", program, Path::new(PROGRAM));
    bind("--bind", folder, Path::new(FOLDER));
    if let Some(input) = input {
        bind("--ro-bind", input, &Path::new(FOLDER).join(INPUT));
    }
    line.extend(
        ["--dev", "/dev", "--dir", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/"].map(OsString::from),
    );
    line.extend(["--chdir", FOLDER].map(OsString::from));
    for (name, value) in super::child::ENVIRONMENT {
        line.extend(["--setenv", name, value].map(OsString::from));
    }
    line.extend(["--setenv", "TMPDIR", FOLDER, "--", PROGRAM].map(OsString::from));
    line
}
