//! One conversion, and the properties that every result must have.

use filepress::image::{Output, Report, Side, compare, inspect, process};
use filepress::job::{self, Job, LocalJob, RateControl};
use filepress::limits::Limits;
use filepress::options::{AnimationPolicy, Edit, MetadataPolicy, Options};
use filepress::{Error, ErrorCode, ErrorKind, Result, media};
use filepress_wire::{MediaType, SNIFF_BYTES};
use serde_json::{Value, json};

use crate::fuzz_call::{FuzzCall, MAX_MEMORY};
use crate::memory;

/// Makes a call, and checks the properties of its result.
///
/// # Panics
/// If a property is violated.
pub fn check(call: &FuzzCall<'_>) {
    let Some(job) = plan(call.file, call.declared, call.options.clone()) else { return };
    let result = memory::within(job.limits.max_memory_bytes, || process(call.file, &job, &mut |_| {}));
    if call.twice {
        assert_eq!(result, process(call.file, &job, &mut |_| {}), "the same call gives the same result");
    }
    match result {
        Ok(output) => {
            check_result(call.file, &job, &output);
            if call.compared {
                check_score(call.file, &job, &output);
            }
        }
        Err(error) => check_error(&error),
    }
}

/// The job for a file. `None` if the engine has none.
///
/// # Panics
/// If the error is not one that a caller can handle.
pub fn plan(file: &[u8], declared: Option<MediaType>, options: Value) -> Option<LocalJob> {
    let head = &file[..file.len().min(SNIFF_BYTES)];
    let job = (|| {
        let options = Options::parse(serde_json::from_value(options).expect("JSON is plain"))?;
        job::plan(media::recognize(head, declared.map(MediaType::as_str), None)?, &options)
    })();
    match job {
        Ok(Job::Local(job)) => Some(job),
        Ok(Job::Remote(_)) => None,
        Err(error) => {
            check_error(&error);
            None
        }
    }
}

/// Checks that a caller can handle an error, and that it has a message.
///
/// # Panics
/// If not.
pub fn check_error(error: &Error) {
    assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
    assert!(!error.code().as_str().is_empty() && !error.message().is_empty());
    assert!(error.message().len() < 2000, "a message for a person: {error}");
}

/// Checks the properties that every result has.
fn check_result(file: &[u8], job: &LocalJob, output: &Output) {
    let report = &output.report;
    let bytes = output.bytes.as_deref().unwrap_or(file);
    assert_eq!((report.input_type, report.media), (job.input, job.encoding.media()));
    assert!(output.bytes.is_some() || report.kept_original, "without bytes, the original is the result");
    assert!(report.quality.is_none_or(|quality| (1..=100).contains(&quality)));
    assert!(report.score.is_none_or(|score| score <= 100.0), "{:?}", report.score);
    assert!(u64::from(report.width) * u64::from(report.height) <= job.limits.max_pixels);
    if let RateControl::Bytes { target, .. } = job.rate_control {
        assert!(bytes.len() as u64 <= target, "{} bytes of {target}", bytes.len());
    }
    // A file that is too damaged to remove its metadata is not returned.
    let whole = report.kept_original || job.metadata == MetadataPolicy::Keep;
    if whole && only_compresses(job, report) {
        assert!(bytes.len() <= file.len(), "{} bytes of {}", bytes.len(), file.len());
    }
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let found = media::recognize(head, Some(report.media.as_str()), None);
    assert_eq!(found, Ok(report.media), "the result has the reported type");
    let header = inspect(bytes, report.media, &Limits::default());
    let size = header.map(|header| (header.width, header.height));
    assert_eq!(size, Ok((report.width, report.height)), "the result has the reported size");
    if !report.kept_original {
        check_pixels(file, job, report, bytes);
    }
}

/// Whether the call asks only for a smaller file.
fn only_compresses(job: &LocalJob, report: &Report) -> bool {
    // The parts of a TIFF begin at even offsets: rewritten, each may need a byte of padding.
    job.input == report.media
        && job.input != MediaType::Tiff
        && (report.width, report.height) == (report.input_width, report.input_height)
        && (job.resize.is_none() || job.encoding.media() == MediaType::Svg)
        && job.edit == Edit::default()
        && job.animation == AnimationPolicy::Keep
}

/// Checks that an encoded result can be decoded, and that a lossless one has the pixels of the input.
fn check_pixels(file: &[u8], job: &LocalJob, report: &Report, bytes: &[u8]) {
    let read =
        pixels(bytes, report.media).unwrap_or_else(|error| panic!("the result cannot be read: {error}"));
    let same_size = (report.width, report.height) == (report.input_width, report.input_height);
    if job.encoding.media() == MediaType::Png
        && job.encoding.quality().is_none()
        && report.quality.is_none()
        && job.resize.is_none()
        && job.edit == Edit::default()
        && same_size
        && has_plain_colors(file, job)
    {
        assert_eq!(Ok(read), pixels(file, job.input), "PNG keeps every pixel");
    }
}

/// Whether the pixels need no profile and no tone mapping.
fn has_plain_colors(file: &[u8], job: &LocalJob) -> bool {
    let plain = !matches!(job.input, MediaType::Svg | MediaType::Exr | MediaType::Hdr | MediaType::Dds);
    plain && inspect(file, job.input, &Limits::default()).is_ok_and(|header| !header.has_icc_profile)
}

/// The pixels of the first picture, with 16 bits per channel.
fn pixels(file: &[u8], media: MediaType) -> Result<Vec<u8>> {
    let limits = json!({ "maxPixels": 1 << 24, "maxMemoryBytes": MAX_MEMORY * 16 });
    let options = json!({ "to": "image/x-farbfeld", "animation": "first", "limits": limits });
    let job = plan(file, Some(media), options).expect("an image");
    Ok(process(file, &job, &mut |_| {})?.bytes.unwrap_or_else(|| file.to_vec()))
}

/// Checks that a result can be compared with its input.
fn check_score(file: &[u8], job: &LocalJob, output: &Output) {
    let bytes = output.bytes.as_deref().unwrap_or(file);
    let original = Side { bytes: file, media: job.input };
    let other = Side { bytes, media: output.report.media };
    let limits = Limits { max_memory_bytes: MAX_MEMORY, ..job.limits };
    match memory::within(MAX_MEMORY, || compare(original, other, job.background.unwrap_or_default(), &limits))
    {
        Ok(comparison) => {
            assert!(comparison.score <= 100.0, "{}", comparison.score);
            assert_eq!((comparison.width, comparison.height), (output.report.width, output.report.height));
        }
        Err(error) => {
            check_error(&error);
            assert!(
                output.report.kept_original
                    || matches!(error.kind(), ErrorKind::Limits)
                    || error.code() == ErrorCode::SizesDiffer,
                "{error}"
            );
        }
    }
}
