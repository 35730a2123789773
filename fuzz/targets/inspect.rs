//! Any file, looked at: its header is told, and limits are held against it before a pixel is decoded.

#![no_main]

use filepress::ErrorCode;
use filepress::image::{inspect, process};
use filepress::limits::Limits;
use filepress_fuzz::asked::TYPES;
use filepress_fuzz::converted::{is_told, planned};
use filepress_fuzz::{memory, seeds};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::json;

/// What reading a header may take: metadata are unfolded up to a bound.
const HEADER: u64 = 16 << 20;

fuzz_target!(
    init: seeds::when_asked(named),
    |bytes: &[u8]| -> Corpus {
        let Some((name, file)) = bytes.split_first() else { return Corpus::Reject };
        let options = json!({ "to": "image/qoi", "limits": { "maxPixels": 1 } });
        let Some(job) = planned(file, TYPES.get(usize::from(*name)).copied(), options) else { return Corpus::Keep };
        let found = memory::within(HEADER, || inspect(file, job.input, &Limits::default()));
        let made = memory::within(HEADER, || process(file, &job, &mut |_| {}));
        match &found {
            Ok(found) => {
                assert!(found.width > 0 && found.height > 0 && found.frames > 0, "{found:?}");
                assert!((1..=8).contains(&found.orientation) && (1..=32).contains(&found.bit_depth), "{found:?}");
                let is_small = u64::from(found.width) * u64::from(found.height) <= 1;
                assert!(made.is_err() || is_small, "{found:?} has more than one pixel");
            }
            Err(error) => is_told(error),
        }
        match made {
            Ok(output) => assert_eq!((output.report.width, output.report.height), (1, 1)),
            Err(error) => {
                is_told(&error);
                let readable = found.is_ok_and(|found| found.width.min(found.height) > 1);
                let known = matches!(error.code(), ErrorCode::TooManyPixels | ErrorCode::Corrupt | ErrorCode::OutputTooLarge);
                assert!(!readable || known || job.input == MediaType::Svg, "{error}");
            }
        }
        Corpus::Keep
    }
);

/// Pictures, each behind what it is called.
fn named() -> Vec<Vec<u8>> {
    let name = |media| TYPES.iter().position(|known| Some(*known) == media).unwrap_or(TYPES.len()) as u8;
    seeds::pictures().into_iter().map(|(media, file)| [&[name(media)], file.as_slice()].concat()).collect()
}
