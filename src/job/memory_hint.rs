//! The planner's hint of a job's memory: a guess from the first bytes of the input, by which the pool of workers decides how many
//! jobs run at once. Nothing is refused by it. The engine's own estimate, which is checked against the limits, is in `image/memory.rs`.

use crate::formats::{self, Traits};
use crate::job::{LocalJob, RateControl};
use crate::options::{Edit, Fit, Resize};

/// Memory of an instance before it decodes anything, in bytes.
const BASE: f64 = 8_388_608.0;
/// Bytes for a pixel that is not decoded in rows.
const PIXEL: f64 = 4.0;
/// A picture that is decoded at a fraction of its size has at most this many times the pixels of the output.
const MAX_REDUCED: f64 = 10.0;
/// Bytes per pixel for the coefficients of a progressive JPEG.
const COEFFICIENTS: f64 = 6.0;
/// Bytes for each pixel of an output that is compared with its original.
const SCORED: u64 = 44;

/// An estimate in bytes. `head` is the start of the file, `size` its length.
pub fn estimate(head: &[u8], size: f64, job: &LocalJob) -> f64 {
    let Some(reader) = formats::of(job.input) else { return 0.0 };
    let found = (reader.size)(head);
    let (mut width, mut height) = (f64::from(found.width), f64::from(found.height));
    if width * height == 0.0 {
        // Assumes one byte per pixel.
        width = size.sqrt();
        height = width;
    }
    let pixels = width * height;
    let (across, down) = shown(width, height, job.edit);
    let output = output_pixels(across, down, job.resize.unwrap_or_default());
    let least = BASE + 2.0 * size;
    // The engine will refuse it from its header.
    if pixels.max(output) > job.limits.max_pixels as f64 {
        return least;
    }
    let encoder = match job.rate_control {
        RateControl::Score(_) => SCORED,
        _ => job.encoding.encoder_bytes(u8::MAX),
    };
    let tables = (job.encoding.format().encoder_tables)(job.encoding.effort());
    let kept = if found.progressive { COEFFICIENTS } else { 0.0 };
    let decoded = if reader.has(Traits::REDUCIBLE) {
        pixels.min(output * MAX_REDUCED * pixels / (across * down))
    } else {
        pixels
    };
    let is_in_rows = output < pixels && job.edit.crop.is_none();
    let pixel = if is_in_rows { f64::from(reader.row_bytes) } else { PIXEL };
    let estimate = least
        + decoded * pixel
        + pixels * kept
        + output * (PIXEL + encoder as f64)
        + tables.bytes(output as u64) as f64;
    estimate.min(job.limits.max_memory_bytes as f64)
}

/// The size of what is left of a picture, which is taken for upright.
fn shown(width: f64, height: f64, edit: Edit) -> (f64, f64) {
    let crop = edit.crop.and_then(|crop| crop.within((width as u32, height as u32)));
    let (across, down) = crop.map_or((width, height), |[_, _, across, down]| (across.into(), down.into()));
    if edit.quarter_turns % 2 == 1 { (down, across) } else { (across, down) }
}

fn output_pixels(width: f64, height: f64, resize: Resize) -> f64 {
    let across = resize.width.map(f64::from);
    let down = resize.height.map(f64::from);
    let (across, down) = match (across, down) {
        (None, None) => (width, height),
        (Some(across), None) => (across, height * across / width),
        (None, Some(down)) => (width * down / height, down),
        (Some(across), Some(down)) if resize.fit == Fit::Outside => {
            let scale = (across / width).max(down / height);
            (width * scale, height * scale)
        }
        (Some(across), Some(down)) => (across, down),
    };
    let bound = |bound: Option<u32>, side: f64| bound.map_or(1.0, |bound| f64::from(bound) / side);
    let shrink = bound(resize.max_width, across).min(bound(resize.max_height, down)).min(1.0);
    across * down * shrink * shrink
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, plan};
    use crate::options::Options;
    use crate::value::Value;
    use filepress_wire::MediaType;

    const HEAD: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x03\xE8\0\0\x03\xE8\x08\x02";

    /// The estimate for a PNG of a megapixel in a thousand bytes.
    fn megapixel(options: Options) -> f64 {
        match plan(MediaType::Png, &options).expect("a plan") {
            Job::Local(job) => estimate(HEAD, 1000.0, &job),
            Job::Remote(_) => panic!("not for a server"),
        }
    }

    #[test]
    fn pixels_are_counted_as_they_are_decoded_and_encoded() {
        let base = BASE + 2000.0;
        let to = |to: &str| Options { to: Some(to.to_owned()), ..Options::default() };
        // Four bytes decoded; four, and those of the encoder, encoded.
        assert_eq!(megapixel(to("webp")), base + 1e6 * (4.0 + 4.0 + 8.0));
        let halved = Resize { width: Some(500), ..Resize::default() };
        let resized = Options { resize: Some(halved), ..to("webp") };
        // A PNG that becomes smaller is decoded row by row.
        assert_eq!(megapixel(resized.clone()), base + 1e6 * 1.0 + 0.25e6 * 12.0);
        let bounded = Resize { max_height: Some(100), ..halved };
        assert_eq!(megapixel(Options { resize: Some(bounded), ..resized }), base + 1e6 * 1.0 + 1e4 * 12.0);
    }

    #[test]
    fn a_jpeg_that_becomes_smaller_is_not_decoded_whole() {
        let head = |frame| [0xFF, 0xD8, 0xFF, frame, 0, 0x11, 8, 3, 0xE8, 3, 0xE8, 3];
        let resize = Some(Resize { width: Some(100), ..Resize::default() });
        let options = Options { resize, ..Options::default() };
        let Job::Local(job) = plan(MediaType::Jpeg, &options).expect("a plan") else {
            panic!("not for a server")
        };
        let base = BASE + 2000.0 + 1e5 * 4.0 + 1e4 * (4.0 + 5.0);
        assert_eq!(estimate(&head(0xC0), 1000.0, &job), base);
        // All coefficients of a progressive one are kept.
        assert_eq!(estimate(&head(0xC2), 1000.0, &job), base + 1e6 * 6.0);
    }

    #[test]
    fn limits_bound_the_estimate() {
        let limited = |name: &str, limit: f64| {
            let limits = Value::object([(name, Value::Number(limit))]);
            megapixel(Options::parse(Value::object([("limits", limits)])).expect("options"))
        };
        assert_eq!(limited("maxMemoryBytes", 5e6), 5e6);
        assert_eq!(limited("maxPixels", 999_999.0), BASE + 2000.0);
    }
}
