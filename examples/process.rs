//! Runs one call of the engine natively: `process <input> <options as JSON> <output>`, with the report on standard output.
//!
//! The tests compare its bytes with those that the package makes in a browser, in Node and in a Worker.

use std::error::Error;
use std::io::Write;

use filepress::job::{self, Job};
use filepress::options::Options;
use filepress::{image, media};
use filepress_wire::SNIFF_BYTES;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, options, output] = arguments.as_slice() else {
        return Err("usage: process <input> <options as JSON> <output>".into());
    };
    let bytes = std::fs::read(input)?;
    let options = Options::parse(serde_json::from_str(options)?)?;
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let recognized = media::recognize(head, None, Some(input))?;
    let Job::Local(job) = job::plan(recognized, &options)? else {
        return Err("only images are processed here".into());
    };
    let result = image::process(&bytes, &job, &mut |_| {})?;
    std::fs::write(output, result.bytes.as_deref().unwrap_or(&bytes))?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&result.report)?)?;
    Ok(())
}
