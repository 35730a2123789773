//! Minifies SVG.
//!
//! Input and output are rendered at a small size and compared. If they differ, less is rewritten.

mod analyze;
mod minify;
mod number;
mod path;
mod style;

use image::RgbaImage;

use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Rewrite;
use crate::formats::svg::decode as svg;
use crate::options::MetadataPolicy;
use minify::Level;

/// The longest side of the compared renderings in pixels.
const PREVIEW: u32 = 128;
/// The maximum difference of a sample, and the maximum mean difference, for rounding by a thousandth of a pixel.
const TOLERANCE: (u32, f64) = (8, 0.05);

/// The minified SVG. There is no smaller version if it exceeds the requested size.
pub(crate) fn rewrite(file: &Rewrite) -> Result<Option<Vec<u8>>> {
    let bytes = minified(file)?;
    let smallest = bytes.len() as u64;
    match file.target {
        Some(target) if smallest > target => {
            let message = format!(
                "The smallest version of this SVG has {smallest} bytes, not {target}: write PNG or WebP."
            );
            let error = Error::limit(ErrorCode::TargetUnreachable, message, smallest, target);
            Err(error.with_detail("smallest", smallest))
        }
        _ => Ok(Some(bytes)),
    }
}

/// Rewrites an SVG. Without [`MetadataPolicy::Keep`], metadata, comments and editor data are removed.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`].
fn minified(file: &Rewrite) -> Result<Vec<u8>> {
    let Rewrite { bytes, policy, limits, embedded, .. } = *file;
    let text = svg::text(bytes)?;
    let size = svg::size(&text)?;
    let rewrite = |depth| {
        let shorten = |text: &str| {
            minify::document(text, policy == MetadataPolicy::Keep, (size.width(), size.height()), depth)
        };
        // Definitions that only the removed parts used are removed in the second pass.
        let short = shorten(&text).and_then(|short| shorten(&short));
        short.map(String::into_bytes).map_err(|_| Error::corrupt("SVG", "its markup is broken"))
    };
    let original = match svg::preview(bytes, PREVIEW, limits, embedded) {
        Ok(original) => original,
        // The renderer cannot read it, so the result could not be compared.
        Err(error) if error.code() == ErrorCode::Corrupt => return Err(error),
        // Perhaps too much work: numbers are not changed without a comparison.
        Err(_) => return rewrite(Level::Exact),
    };
    for depth in [Level::Rounded, Level::Exact] {
        let short = rewrite(depth)?;
        if svg::preview(&short, PREVIEW, limits, embedded).is_ok_and(|drawn| looks_like(&drawn, &original)) {
            return Ok(short);
        }
    }
    rewrite(Level::Metadata)
}

fn looks_like(a: &RgbaImage, b: &RgbaImage) -> bool {
    if a.dimensions() != b.dimensions() {
        return false;
    }
    let (mut largest, mut sum) = (0, 0_u64);
    for (a, b) in a.pixels().zip(b.pixels()) {
        for channel in 0..4 {
            // Colors are weighted by their alpha.
            let seen = |pixel: &image::Rgba<u8>| match channel {
                3 => u32::from(pixel.0[3]),
                _ => u32::from(pixel.0[channel]) * u32::from(pixel.0[3]) / 255,
            };
            let difference = seen(a).abs_diff(seen(b));
            largest = largest.max(difference);
            sum += u64::from(difference);
        }
    }
    largest <= TOLERANCE.0 && sum as f64 <= TOLERANCE.1 * (a.as_raw().len() as f64)
}

/// The prefix of a name, empty if there is none, and the rest.
fn qualified(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

/// `#aabbcc` as `#abc`, if the property is a color.
fn color(property: &str, value: &str) -> Option<String> {
    let is_color =
        matches!(property, "fill" | "stroke" | "stop-color" | "flood-color" | "lighting-color" | "color");
    let digits = value.trim().strip_prefix('#').filter(|digits| is_color && digits.len() == 6)?;
    let pairs: Vec<char> = digits.chars().collect();
    let short = pairs.chunks_exact(2).all(|pair| pair[0].eq_ignore_ascii_case(&pair[1]));
    short.then(|| std::iter::once('#').chain(pairs.into_iter().step_by(2)).collect())
}
