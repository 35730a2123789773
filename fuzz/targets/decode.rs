//! Any file, inspected and decoded, the shortest way to every decoder: limits are checked against the header before a
//! pixel is decoded, and the number of pixels is that of the header.

#![no_main]

use filepress::image::{inspect, process};
use filepress::limits::Limits;
use filepress::{ErrorCode, Result};
use filepress_fuzz::check_conversion::{check_error, plan};
use filepress_fuzz::fuzz_call::{MAX_MEMORY, TYPES};
use filepress_fuzz::{memory, seeds};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::json;

/// The memory that reading a header may take: metadata is decompressed up to a limit.
const HEADER: u64 = 16 << 20;

/// The maximum number of pixels that are decoded.
const MAX_PIXELS: u64 = 1 << 14;

fuzz_target!(init: seeds::write_if_requested(with_names), |bytes: &[u8]| -> Corpus {
    let Some((name, file)) = bytes.split_first() else { return Corpus::Reject };
    let declared = TYPES.get(usize::from(*name)).copied();
    let Some((size, media)) = check_header(file, declared) else { return Corpus::Keep };
    let limits = json!({ "maxPixels": MAX_PIXELS, "maxMemoryBytes": MAX_MEMORY });
    let options = json!({ "to": "image/x-farbfeld", "metadata": "strip", "limits": limits });
    let Some(job) = plan(file, declared, options) else { return Corpus::Keep };
    match memory::within(MAX_MEMORY, || process(file, &job, &mut |_| {})) {
        Ok(output) => {
            let report = output.report;
            assert_eq!(size, Ok((report.width, report.height)), "the decoded size is that of the header");
            let bytes = output.bytes.map_or(file.len(), |bytes| bytes.len()) as u64;
            let pixels = u64::from(report.width) * u64::from(report.height);
            assert!(media == MediaType::Farbfeld || bytes == 16 + 8 * pixels, "{bytes} bytes of {pixels} pixels");
        }
        Err(error) => check_error(&error),
    }
    Corpus::Keep
});

/// The size and format of an image by its header. A call that allows one pixel must be refused by the header.
fn check_header(file: &[u8], declared: Option<MediaType>) -> Option<(Result<(u32, u32)>, MediaType)> {
    let job = plan(file, declared, json!({ "to": "image/qoi", "limits": { "maxPixels": 1 } }))?;
    let found = memory::within(HEADER, || inspect(file, job.input, &Limits::default()));
    let made = memory::within(HEADER, || process(file, &job, &mut |_| {}));
    match &found {
        Ok(found) => {
            assert!(found.width > 0 && found.height > 0 && found.frames > 0, "{found:?}");
            assert!((1..=8).contains(&found.orientation) && (1..=32).contains(&found.bit_depth), "{found:?}");
            let pixels = u64::from(found.width) * u64::from(found.height);
            assert!(made.is_err() || pixels <= 1, "{found:?} has more than one pixel");
            let refused = made.as_ref().err().map(|error| error.code());
            let known = matches!(refused, None | Some(ErrorCode::TooManyPixels | ErrorCode::Corrupt));
            assert!(pixels <= 1 || known || job.input == MediaType::Svg, "{refused:?}");
        }
        Err(error) => check_error(error),
    }
    if let Err(error) = made {
        check_error(&error);
    }
    Some((found.map(|found| (found.width, found.height)), job.input))
}

/// The seed images, each after a byte for its declared format.
fn with_names() -> Vec<Vec<u8>> {
    let name = |media| TYPES.iter().position(|known| Some(*known) == media).unwrap_or(TYPES.len()) as u8;
    seeds::pictures().into_iter().map(|(media, file)| [&[name(media)], file.as_slice()].concat()).collect()
}
