//! One conversion, and the properties that every result must have.

use filepress::image::{Output, Report, Side, compare, inspect, process};
use filepress::job::{self, Job, LocalJob, RateControl};
use filepress::limits::Limits;
use filepress::options::{AnimationPolicy, MetadataPolicy, Options};
use filepress::{Error, ErrorCode, ErrorKind, Result, media};
use filepress_wire::{MediaType, SNIFF_BYTES};
use serde_json::{Value, json};

use crate::asked::{Asked, MOST_MEMORY};
use crate::memory;

/// Makes a call, and holds its result against what is promised.
///
/// # Panics
/// Where a promise is broken.
pub fn convert(asked: &Asked<'_>) {
    let Some(job) = planned(asked.file, asked.declared, asked.options.clone()) else { return };
    let made = memory::within(job.limits.max_memory_bytes, || process(asked.file, &job, &mut |_| {}));
    if asked.twice {
        assert_eq!(made, process(asked.file, &job, &mut |_| {}), "the same call gives the same result");
    }
    match made {
        Ok(output) => {
            holds(asked.file, &job, &output);
            if asked.compared {
                scores(asked.file, &job, &output);
            }
        }
        Err(error) => is_told(&error),
    }
}

/// The job for a file; `None` where there is none for the engine.
///
/// # Panics
/// Where the refusal is no error that a caller can do something about.
pub fn planned(file: &[u8], declared: Option<MediaType>, options: Value) -> Option<LocalJob> {
    let head = &file[..file.len().min(SNIFF_BYTES)];
    let job = (|| {
        let options = Options::parse(serde_json::from_value(options).expect("JSON is plain"))?;
        job::plan(media::recognize(head, declared.map(MediaType::as_str), None)?, &options)
    })();
    match job {
        Ok(Job::Local(job)) => Some(job),
        Ok(Job::Remote(_)) => None,
        Err(error) => {
            is_told(&error);
            None
        }
    }
}

/// An error is a caller's to deal with, and says what it is.
///
/// # Panics
/// Where it is not.
pub fn is_told(error: &Error) {
    assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
    assert!(!error.code().as_str().is_empty() && !error.message().is_empty());
    assert!(error.message().len() < 2000, "a message for a person: {error}");
}

/// What is promised of every result.
fn holds(file: &[u8], job: &LocalJob, output: &Output) {
    let report = &output.report;
    let bytes = output.bytes.as_deref().unwrap_or(file);
    assert_eq!((report.input_type, report.media), (job.input, job.encoding.media()));
    assert!(output.bytes.is_some() || report.kept_original, "the input is only given back as such");
    assert!(report.quality.is_none_or(|quality| (1..=100).contains(&quality)));
    assert!(report.score.is_none_or(|score| score <= 100.0), "{:?}", report.score);
    assert!(u64::from(report.width) * u64::from(report.height) <= job.limits.max_pixels);
    if let RateControl::Bytes { target, .. } = job.rate_control {
        assert!(bytes.len() as u64 <= target, "{} bytes of {target}", bytes.len());
    }
    // What is too damaged to take metadata out of is not handed back.
    let whole = report.kept_original || job.metadata == MetadataPolicy::Keep;
    if whole && is_only_made_smaller(job, report) {
        assert!(bytes.len() <= file.len(), "{} bytes of {}", bytes.len(), file.len());
    }
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let found = media::recognize(head, Some(report.media.as_str()), None);
    assert_eq!(found, Ok(report.media), "the result is of the type that is told");
    let header = inspect(bytes, report.media, &Limits::default());
    let size = header.map(|header| (header.width, header.height));
    assert_eq!(size, Ok((report.width, report.height)), "the result has the size that is told");
    if !report.kept_original {
        decodes(file, job, report, bytes);
    }
}

/// Nothing but fewer bytes was asked for.
fn is_only_made_smaller(job: &LocalJob, report: &Report) -> bool {
    // The parts of a TIFF begin at even places: put together anew, it may have a byte more for each.
    job.input == report.media
        && job.input != MediaType::Tiff
        && (report.width, report.height) == (report.input_width, report.input_height)
        && (job.resize.is_none() || job.encoding.media() == MediaType::Svg)
        && job.animation == AnimationPolicy::Keep
}

/// A result that was coded can be read; without loss it has the pixels of the input.
fn decodes(file: &[u8], job: &LocalJob, report: &Report, bytes: &[u8]) {
    let read =
        pixels(bytes, report.media).unwrap_or_else(|error| panic!("the result cannot be read: {error}"));
    let same_size = (report.width, report.height) == (report.input_width, report.input_height);
    if job.encoding.media() == MediaType::Png
        && job.encoding.quality().is_none()
        && report.quality.is_none()
        && job.resize.is_none()
        && same_size
        && has_plain_colors(file, job)
    {
        assert_eq!(Ok(read), pixels(file, job.input), "PNG keeps every pixel");
    }
}

/// No profile is there to be applied, and no light to be shown.
fn has_plain_colors(file: &[u8], job: &LocalJob) -> bool {
    let plain = !matches!(job.input, MediaType::Svg | MediaType::Exr | MediaType::Hdr | MediaType::Dds);
    plain && inspect(file, job.input, &Limits::default()).is_ok_and(|header| !header.has_icc_profile)
}

/// The first picture of a file with 16 bits a channel.
fn pixels(file: &[u8], media: MediaType) -> Result<Vec<u8>> {
    let limits = json!({ "maxPixels": 1 << 24, "maxMemoryBytes": MOST_MEMORY * 16 });
    let options = json!({ "to": "image/x-farbfeld", "animation": "first", "limits": limits });
    let job = planned(file, Some(media), options).expect("an image");
    Ok(process(file, &job, &mut |_| {})?.bytes.unwrap_or_else(|| file.to_vec()))
}

/// A result can be compared with what it was made of.
fn scores(file: &[u8], job: &LocalJob, output: &Output) {
    let bytes = output.bytes.as_deref().unwrap_or(file);
    let original = Side { bytes: file, media: job.input };
    let other = Side { bytes, media: output.report.media };
    let limits = Limits { max_memory_bytes: MOST_MEMORY, ..job.limits };
    match memory::within(MOST_MEMORY, || compare(original, other, job.background, &limits)) {
        Ok(comparison) => {
            assert!(comparison.score <= 100.0, "{}", comparison.score);
            assert_eq!((comparison.width, comparison.height), (output.report.width, output.report.height));
        }
        Err(error) => {
            is_told(&error);
            assert!(
                output.report.kept_original
                    || matches!(error.kind(), ErrorKind::Limits)
                    || error.code() == ErrorCode::SizesDiffer,
                "{error}"
            );
        }
    }
}
