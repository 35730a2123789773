//! Searches over sizes that are computed rather than coded: how many attempts they take, and that nothing leads them astray.

use filepress_wire::MediaType;

use super::*;
use crate::formats;

fn encoding(media: MediaType) -> Encoding {
    Encoding::lossless(formats::of(media).expect("a format"), 4)
}

fn jpeg() -> Encoding {
    encoding(MediaType::Jpeg).at_quality(100)
}

/// A search over files whose bytes are `length` of quality and pixels. Tells what was found, or the fewest bytes, and the
/// number of attempts.
fn searched(
    target: u64,
    scales: bool,
    encoding: Encoding,
    length: impl Fn(f64, f64) -> f64,
) -> (Result<Encoded>, u32) {
    let mut attempts = 0;
    let found = search(target, true, scales, encoding, (1200, 800), &mut |encoding: Encoding, size| {
        attempts += 1;
        let quality = encoding.quality().map_or(100.0, f64::from);
        let bytes = vec![0; length(quality, pixels(size) as f64) as usize];
        Ok(Encoded { bytes, size, encoding, score: None, warnings: Vec::new() })
    });
    (found, attempts)
}

/// Bytes of a file that doubles every 15 steps of quality.
fn smooth(quality: f64, pixels: f64) -> f64 {
    600.0 + pixels * 0.01 * 2_f64.powf(quality / 15.0)
}

/// The same, but up to a fifth more or less at each quality, by no rule.
fn rough(quality: f64, pixels: f64) -> f64 {
    smooth(quality, pixels) * (0.8 + (quality * 7919.0 + pixels.sqrt() * 104_729.0) % 97.0 / 97.0 * 0.4)
}

#[test]
fn targets_are_filled_in_few_attempts() {
    let (mut attempts_in_all, mut filled_in_all, mut cases) = (0, 0.0, 0);
    for target in (2_000..900_000).step_by(7_000) {
        for scales in [true, false] {
            let (found, attempts) = searched(target, scales, jpeg(), smooth);
            let Ok(made) = found else {
                assert!(!scales && (target as f64) < smooth(1.0, 960_000.0), "{target}");
                continue;
            };
            assert!(made.bytes.len() as u64 <= target && attempts <= MOST_ATTEMPTS, "{target}: {attempts}");
            attempts_in_all += attempts;
            filled_in_all += made.bytes.len() as f64 / target as f64;
            cases += 1;
        }
    }
    let (attempts, filled) =
        (f64::from(attempts_in_all) / f64::from(cases), filled_in_all / f64::from(cases));
    assert!(
        cases > 200 && attempts < 5.0 && filled > 0.96,
        "{cases}: {attempts:.2} attempts, {filled:.3} filled"
    );
}

/// Estimates that are a quarter too large, and grow a little slower than files.
struct Estimated {
    attempts: u32,
}

impl Estimated {
    fn quality(encoding: Encoding) -> f64 {
        encoding.quality().map_or(100.0, f64::from)
    }
}

impl Coder for Estimated {
    fn code(&mut self, encoding: Encoding, size: (u32, u32)) -> Result<Encoded> {
        self.attempts += 1;
        let bytes = vec![0; smooth(Self::quality(encoding), pixels(size) as f64) as usize];
        Ok(Encoded { bytes, size, encoding, score: None, warnings: Vec::new() })
    }

    fn estimate(&mut self, encoding: Encoding, size: (u32, u32)) -> Option<u64> {
        let quality = Self::quality(encoding);
        Some((smooth(quality, pixels(size) as f64) * (1.25 - quality / 1000.0)) as u64)
    }
}

#[test]
fn with_estimates_the_highest_quality_is_found_in_fewer_attempts() {
    let (mut attempts, mut cases) = (0, 0);
    for target in (12_000..900_000).step_by(7_000) {
        let mut coder = Estimated { attempts: 0 };
        let made = search(target, true, false, jpeg(), (1200, 800), &mut coder).expect("it fits");
        let quality = Estimated::quality(made.encoding);
        assert!(made.bytes.len() as u64 <= target, "{target}");
        assert!(quality == 100.0 || smooth(quality + 1.0, 960_000.0) > target as f64, "{target}: {quality}");
        attempts += coder.attempts;
        cases += 1;
    }
    let attempts = f64::from(attempts) / f64::from(cases);
    assert!(attempts <= 2.2, "{attempts:.2} attempts");
}

#[test]
fn sizes_without_order_never_lead_over_the_target() {
    for target in (1_000..900_000).step_by(3_001) {
        let (found, attempts) = searched(target, true, jpeg(), rough);
        let made = found.expect("small pictures fit");
        assert!(made.bytes.len() as u64 <= target && attempts <= MOST_ATTEMPTS, "{target}: {attempts}");
    }
}

#[test]
fn what_never_changes_is_given_up() {
    for (scales, encoding) in
        [(true, jpeg()), (false, jpeg()), (true, encoding(MediaType::Bmp)), (true, encoding(MediaType::Png))]
    {
        let (found, attempts) = searched(999, scales, encoding, |_, _| 1_000.0);
        let error = found.err().expect("no file is small enough");
        assert_eq!(error.code(), ErrorCode::TargetUnreachable);
        assert_eq!(error.details().get("smallest"), Some(&1_000_u64.into()));
        assert!(attempts <= MOST_ATTEMPTS, "{attempts}");
    }
}

#[test]
fn the_last_byte_is_found() {
    // Nothing but one pixel at the lowest quality fits.
    let length = |quality: f64, pixels: f64| 500.0 + quality + pixels;
    let (found, _) = searched(502, true, jpeg(), length);
    let made = found.expect("it fits");
    assert_eq!((made.size, made.encoding.quality(), made.bytes.len()), ((1, 1), Some(1), 502));
}
