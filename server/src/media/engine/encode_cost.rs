//! Estimates the processor time of encoding an image from its pixels, type and effort, and lowers the effort if the time limit is too
//! short.

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use super::response::Warning;

/// The default effort.
const DEFAULT_EFFORT: u8 = 4;
/// The share of the remaining time that an estimate may use: images and machines differ.
const MARGIN: f64 = 0.5;
/// The cost of a search for a size, in encodings.
const SEARCH: f64 = 4.0;

/// Microseconds per pixel for efforts 0 to 9: the slower of a noise image and a smooth image of half a megapixel, measured as
/// processor time on a virtual x86-64 processor of about 3 GHz and rounded up.
type Table = [f64; 10];
const PNG: Table = [0.2, 0.3, 0.4, 0.4, 0.4, 1.6, 1.6, 1.8, 4.2, 95.0];
const WEBP: Table = [0.5, 0.6, 0.6, 0.6, 0.6, 0.9, 1.6, 1.6, 1.6, 1.6];
const AVIF: Table = [1.4, 3.0, 4.0, 4.0, 4.0, 5.0, 5.5, 6.0, 11.0, 39.0];

/// Lowers the effort in the options if the estimate exceeds the remaining time, and returns a warning. It never refuses: the estimate
/// is too coarse for that.
pub(super) fn fit(
    options: &mut Map<String, Value>,
    size: (u32, u32),
    frames: u32,
    seconds: f64,
) -> Option<Warning> {
    let asked = options.get("effort").and_then(Value::as_u64).and_then(|effort| u8::try_from(effort).ok());
    let asked = asked.unwrap_or(DEFAULT_EFFORT).min(9);
    let table = table(options)?;
    let searched = if options.contains_key("targetSize") { SEARCH } else { 1.0 };
    let images = pixels(size, options.get("resize")) * f64::from(frames.max(1)) * searched;
    let takes = |effort: u8| images * table[usize::from(effort)] / 1e6;
    if takes(asked) <= seconds * MARGIN {
        return None;
    }
    let lower = (0..asked).rev().find(|effort| takes(*effort) <= seconds * MARGIN).unwrap_or(0);
    if lower == asked {
        return None;
    }
    options.insert("effort".to_owned(), lower.into());
    let message = format!(
        "The effort was lowered from {asked} to {lower}: the estimate was {:.0} s, and {seconds:.0} s remained.",
        takes(asked)
    );
    Some(Warning::new("effort_lowered", message))
}

/// The table of a type; `None` if its time hardly depends on the effort. Lossless WebP is not slower than lossy WebP.
fn table(options: &Map<String, Value>) -> Option<&'static Table> {
    Some(match MediaType::from_mime(options.get("to")?.as_str()?)? {
        MediaType::Png => &PNG,
        MediaType::Webp => &WEBP,
        MediaType::Avif => &AVIF,
        _ => return None,
    })
}

/// The number of output pixels.
fn pixels((width, height): (u32, u32), resize: Option<&Value>) -> f64 {
    let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let side = |name: &str| resize.and_then(|resize| resize.get(name)).and_then(Value::as_f64);
    let (mut wide, mut high) = match (side("width"), side("height")) {
        (Some(wide), Some(high)) => (wide, high),
        (Some(wide), None) => (wide, height * wide / width),
        (None, Some(high)) => (width * high / height, high),
        (None, None) => (width, height),
    };
    let most = |limit: Option<f64>, side: f64| limit.map_or(1.0, |limit| (limit / side).min(1.0));
    let scale = most(side("maxWidth"), wide).min(most(side("maxHeight"), high));
    wide *= scale;
    high *= scale;
    wide * high
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

    use serde_json::{Value, json};

    use super::{fit, pixels};

    #[test]
    fn the_output_size_determines_the_number_of_pixels() {
        for (resize, expected) in [
            (Value::Null, 8e6),
            (json!({ "width": 400 }), 80_000.0),
            (json!({ "height": 100 }), 20_000.0),
            (json!({ "width": 10, "height": 30 }), 300.0),
            (json!({ "maxWidth": 400, "maxHeight": 100 }), 20_000.0),
            (json!({ "maxWidth": 40_000 }), 8e6),
        ] {
            assert_eq!(pixels((4000, 2000), Some(&resize)), expected, "{resize}");
        }
    }

    #[test]
    fn effort_is_lowered_only_as_far_as_needed() {
        for media in ["image/png", "image/webp", "image/avif"] {
            let fitted = |effort: u64, size, seconds| {
                let mut options = json!({ "to": media, "effort": effort }).as_object().unwrap().clone();
                let warning = fit(&mut options, size, 1, seconds);
                let now = options["effort"].as_u64().unwrap();
                assert_eq!(warning.is_some(), now != effort, "{media}");
                now
            };
            for effort in 0..=9 {
                assert_eq!(fitted(effort, (100, 100), 120.0), effort);
                assert_eq!(fitted(effort, (10_000, 10_000), 0.0), 0);
            }
            let vast = fitted(9, (10_000, 10_000), 120.0);
            assert!(vast < 9, "{media}");
            assert!(fitted(9, (10_000, 10_000), 1200.0) >= vast);
        }
    }
}
