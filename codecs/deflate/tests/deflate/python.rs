//! Python's zlib and gzip read the streams.

use std::io::Write as _;
use std::process::{Command, Stdio};

use filepress_deflate::{Container, compress};

use crate::generated::{Random, bytes};
use crate::round_trip::LEVELS;
use crate::seed::seed;

/// Reads pairs of lengths and bytes: a stream, then what it has to yield; prints how many agreed.
const READER: &str = "
import sys, zlib, gzip, struct
data, at, count = sys.stdin.buffer.read(), 0, 0
def part():
    global at
    size, = struct.unpack_from('<I', data, at)
    at += 4 + size
    return data[at - size:at]
while at < len(data):
    coded, plain = part(), part()
    back = gzip.decompress(coded) if coded[:2] == b'\\x1f\\x8b' else zlib.decompress(coded)
    assert back == plain, count
    count += 1
print(count)
";

#[test]
fn python_reads_every_stream() {
    let mut random = Random::new(seed(4));
    let mut pairs = Vec::new();
    let mut count = 0;
    for input in 0..2000_usize {
        let size = random.size(if input % 50 == 0 { 19 } else { 13 });
        let data = bytes(&mut random, size);
        let container = if input % 2 == 0 { Container::Zlib } else { Container::Gzip };
        let coded = compress(&data, container, LEVELS[input % LEVELS.len()]);
        for part in [&coded, &data] {
            pairs.extend((part.len() as u32).to_le_bytes());
            pairs.extend_from_slice(part);
        }
        count += 1;
    }
    let mut python = Command::new("python3")
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    python.stdin.take().expect("a pipe").write_all(&pairs).expect("all is read");
    let output = python.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), count.to_string());
}
