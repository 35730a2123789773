//! Any JSON as the options of a call on a tiny picture.

#![no_main]

use filepress::image::process;
use filepress::job::{self, Job};
use filepress::limits::Limits;
use filepress::options::Options;
use filepress::value::Value;
use filepress_fuzz::check_conversion::check_error;
use filepress_fuzz::fuzz_call::TYPES;
use filepress_fuzz::{memory, seeds};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};

const PICTURE: &[u8] =
    b"P6 3 2 255\n\x00\x01\x02\xFF\xFE\xFD\x80\x80\x80\x20\x40\x60\x10\x90\xF0\x00\xFF\x00";

/// The limits of a call; the input file has six pixels.
const MOST: Limits = Limits { max_input_bytes: 1 << 20, max_pixels: 1 << 10, max_memory_bytes: 32 << 20 };

fuzz_target!(init: seeds::write_if_requested(examples), |bytes: &[u8]| -> Corpus {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return Corpus::Reject };
    let mut options = match Options::parse(value) {
        Ok(options) => options,
        Err(error) => {
            check_error(&error);
            assert!(error.details().get("option").is_some(), "{error}: which option is told");
            return Corpus::Keep;
        }
    };
    let inputs = TYPES.into_iter().chain([MediaType::Mp4, MediaType::Pdf, MediaType::Mp3]);
    for input in inputs {
        match job::plan(input, &options) {
            Ok(job) => assert!(matches!(Value::from(&job), Value::Object(_))),
            Err(error) => check_error(&error),
        }
    }
    let requested = options.limits.unwrap_or_default();
    options.limits = Some(Limits {
        max_input_bytes: requested.max_input_bytes.min(MOST.max_input_bytes),
        max_pixels: requested.max_pixels.min(MOST.max_pixels),
        max_memory_bytes: requested.max_memory_bytes.min(MOST.max_memory_bytes),
    });
    if let Ok(Job::Local(job)) = job::plan(MediaType::Pnm, &options) {
        match memory::within(job.limits.max_memory_bytes, || process(PICTURE, &job, &mut |_| {})) {
            Ok(output) => assert_eq!(output.report.media, job.encoding.media()),
            Err(error) => check_error(&error),
        }
    }
    Corpus::Keep
});

/// Options in the form that callers use.
fn examples() -> Vec<Vec<u8>> {
    let mut seeds: Vec<_> = TYPES.iter().map(|media| format!(r#"{{"to":"{}"}}"#, media.as_str())).collect();
    seeds.extend(
        [
            r#"{"to":"webp","quality":80,"lossless":true,"effort":9,"metadata":"keep","animation":"first","hdr":"keep"}"#,
            r##"{"to":"jpeg","quality":"auto","chroma":"444","minScore":70.5,"background":"#12f","resize":{"width":9,"height":5,"fit":"cover"}}"##,
            r##"{"to":".gif","targetSize":400,"colors":16,"dither":0.5,"background":"#112233","resize":{"maxWidth":2,"maxHeight":16383}}"##,
            r#"{"limits":{"maxInputBytes":9007199254740991,"maxPixels":1e3,"maxMemoryBytes":1},"engine":"remote","fonts":[]}"#,
        ]
        .map(str::to_owned),
    );
    seeds.into_iter().map(String::into_bytes).collect()
}
