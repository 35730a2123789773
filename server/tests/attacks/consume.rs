//! `consume.c`: the limits on memory, processes and disk space apply to a conversion as a whole.

use crate::program::{Bench, users};

/// How each way is bounded, and the code of the refusal.
const WAYS: [(&str, &str, &str); 6] = [
    ("memory", "--task-memory=64MiB", "too_much_memory"),
    ("shared", "--task-memory=64MiB", "too_much_memory"),
    ("threads", "--task-processes=32", "conversion_failed"),
    ("files", "--task-disk=16MiB", "output_too_large"),
    ("unlinked", "--task-disk=16MiB", "output_too_large"),
    ("unnamed", "--task-disk=16MiB", "output_too_large"),
];
/// Mebibytes, or threads: more than any bound above, less than the bounds by default.
const MUCH: &str = "96";
/// Seconds for which what was taken is held: a conversion that is not stopped would take them.
const LONG: &str = "600";

#[test]
fn a_child_that_exceeds_a_limit_is_killed() {
    let bench = Bench::new("consume");
    for user in users() {
        for rung in bench.rungs(user) {
            for (way, bound, code) in WAYS {
                let ended = bench.attack(user, (rung, "ffmpeg"), &[bound], &[way, MUCH, LONG]);
                let what = format!("user {user}, {rung}, {way}: {ended:?}");
                assert!(!ended.succeeded && ended.stderr.contains(&format!("{code}: ")), "{what}");
            }
        }
    }
}

#[test]
fn a_child_within_the_limits_completes() {
    let bench = Bench::new("consume");
    if let Some(user) = users().pop() {
        for rung in bench.rungs(user) {
            for (way, _, _) in WAYS {
                let ended = bench.attack(user, (rung, "ffmpeg"), &[], &[way, MUCH, "1"]);
                let taken = ended.stdout.trim().parse::<u64>().unwrap_or(0);
                let much: u64 = MUCH.parse().unwrap();
                let expected = if way == "threads" { much } else { much << 20 };
                assert!(ended.succeeded && taken == expected, "user {user}, {rung}, {way}: {ended:?}");
            }
        }
    }
}
