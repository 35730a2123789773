//! The arguments of bubblewrap: a root of nothing but the tools, the input and the folder of the conversion.

use std::ffi::OsString;
use std::path::Path;

use super::{INPUT, READABLE};

/// Where the folder of the conversion is inside.
const FOLDER: &str = "/work";
/// Where the own binary is inside.
const PROGRAM: &str = "/filepress-server";

/// The user inside, whoever it is outside: nobody of these files.
const USER: &str = "65534";

/// Up to and with the path of the own binary.
///
/// There is no `/proc`: nothing needs it, it tells of the machine, and in some containers it cannot be mounted. Nothing but
/// [`FOLDER`] can be written: what else is made here lies in memory without a bound, so that it is read-only at the end.
pub(super) fn arguments(bwrap: &Path, program: &Path, input: Option<&Path>, folder: &Path) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec![bwrap.into()];
    line.extend(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"].map(OsString::from));
    // User 0 gets no name space of users by itself, and keeps its capabilities.
    line.extend(["--unshare-user", "--uid", USER, "--gid", USER, "--cap-drop", "ALL"].map(OsString::from));
    let mut bind = |option: &str, from: &Path, to: &Path| {
        line.extend([option.into(), from.as_os_str().to_owned(), to.as_os_str().to_owned()]);
    };
    for path in READABLE.map(Path::new) {
        // A link to a folder, as /bin is one to /usr/bin, is made anew.
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
