//! Decodes the first picture of an AV1 bitstream (open bitstream units, `.obu`) to raw planes, as `dav1d --muxer yuv` writes them:
//! a byte a sample for 8 bits, otherwise two, the lower first.
//!
//!     cargo run --release -p filepress-av1 --example decode_still -- INPUT OUTPUT [REPETITIONS]

use std::process::ExitCode;

use filepress_av1::{DecodeOptions, Error, Limits, Picture, decode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, rest @ ..] = arguments.as_slice() else {
        return fail("arguments: INPUT OUTPUT [REPETITIONS]");
    };
    let repetitions = rest.first().and_then(|text| text.parse().ok()).unwrap_or(1usize);
    let Ok(bytes) = std::fs::read(input) else { return fail("the input cannot be read") };
    let mut picture = Err(Error::Corrupt("no repetition"));
    for _ in 0..repetitions {
        picture = decode(&bytes, &Limits::default(), &DecodeOptions::default());
    }
    match picture {
        Ok(picture) => match std::fs::write(output, raw(&picture)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => fail("the output cannot be written"),
        },
        Err(error) => fail(&error.to_string()),
    }
}

fn raw(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    for plane in 0..picture.plane_count() {
        for y in 0..picture.plane_size(plane).1 {
            for sample in picture.row(plane, y) {
                match picture.color().bit_depth {
                    8 => bytes.push(*sample as u8),
                    _ => bytes.extend_from_slice(&sample.to_le_bytes()),
                }
            }
        }
    }
    bytes
}

#[expect(clippy::print_stderr, reason = "an example for the command line")]
fn fail(reason: &str) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::FAILURE
}
