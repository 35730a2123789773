//! `escape.c`: the system calls that attacks begin with fail with EPERM, no capability is left, and files outside
//! cannot be accessed.

use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::program::{Bench, users};

const TOOLS: [&str; 5] = ["ffmpeg", "ghostscript", "qpdf", "libheif", "poppler"];
const EPERM: i32 = 1;
const ENOSYS: i32 = 38;
/// What only attempts that came to a number are counted among.
const LEAST_CALLS: usize = 75;

#[test]
fn every_system_call_of_an_attack_is_refused() {
    let bench = Bench::new("escape");
    for user in users() {
        for rung in bench.rungs(user) {
            for tool in TOOLS {
                let input = bench.private("input", user);
                let ended = bench.attack(user, (rung, tool), &["--input", input.to_str().unwrap()], &[]);
                let what = format!("user {user}, {rung}, {tool}: {}\n{}", ended.stdout, ended.stderr);
                assert!(ended.succeeded, "{what}");
                let mut calls = 0;
                for line in ended.stdout.lines() {
                    let (name, answer) = line.split_once(' ').unwrap();
                    let Ok(errno) = answer.parse::<i32>() else { continue };
                    // The C library falls back to an older call only where the newer one is not there.
                    let expected = if name == "clone3" { ENOSYS } else { EPERM };
                    assert_eq!(errno, expected, "{name}: {what}");
                    calls += 1;
                }
                assert!(calls >= LEAST_CALLS, "{calls} calls: {what}");
                let said = |line: &str| ended.stdout.lines().any(|said| said == line);
                assert!(said("capabilities none") && said("no_new_privs set"), "{what}");
                // Emptying this set takes a capability; it gives nothing to who has no other.
                assert!(said("bounding none") || (user != 0 && rung != "bubblewrap"), "{what}");
                assert!(said("parent kept"), "{what}");
            }
        }
    }
}

/// What `escape.c` is to open: `r:` to read, `w:` to write, `c:` to make.
const OUTSIDE: [&str; 11] = [
    "w:input",
    "c:/made-by-attack",
    "c:/usr/made-by-attack",
    "c:/etc/made-by-attack",
    "c:/tmp/made-by-attack",
    "c:/var/tmp/made-by-attack",
    "c:/dev/made-by-attack",
    "c:/dev/shm/made-by-attack",
    "c:/run/made-by-attack",
    "r:/etc/shadow",
    "r:/proc/1/status",
];

/// Nothing can be written outside of the folder, not even in memory that a sandbox brings along.
#[test]
fn files_outside_of_the_working_directory_are_inaccessible() {
    let bench = Bench::new("escape");
    for user in users() {
        let input = bench.private("input", user);
        let secret = bench.private("secret", user);
        let secrets = ["r", "w"].map(|mode| format!("{mode}:{}", secret.display()));
        // The weakest rung hides no file: it keeps system calls and bounds alone.
        for rung in bench.rungs(user).into_iter().filter(|rung| *rung != "limits") {
            let outside: Vec<&str> = OUTSIDE.into_iter().chain(secrets.iter().map(String::as_str)).collect();
            let words = [&outside[..], &["c:mine", "r:input"]].concat();
            let options = ["--input", input.to_str().unwrap()];
            let ended = bench.attack(user, (rung, "ffmpeg"), &options, &words);
            let what = format!("user {user}, {rung}: {}\n{}", ended.stdout, ended.stderr);
            assert!(ended.succeeded, "{what}");
            let said = |line: String| ended.stdout.lines().any(|said| said == line);
            for name in outside {
                assert!(said(format!("{name} kept")), "{name}: {what}");
            }
            assert!(said("c:mine opened".to_owned()) && said("r:input opened".to_owned()), "{what}");
            for file in [&input, &secret] {
                assert_eq!(fs::read_to_string(file).unwrap(), "secret", "{what}");
                assert_eq!(fs::metadata(file).unwrap().mode() & 0o777, 0o600, "{what}");
            }
        }
    }
}
