//! Parses ratios as ffprobe prints them: frame rates (`30000/1001`), aspect ratios (`16:9`) and the luminance of HDR metadata.

/// Parses a ratio such as `30000/1001`.
pub(super) fn ratio(text: Option<&str>, of_pair: char) -> Option<f64> {
    let (one, other) = text?.split_once(of_pair)?;
    let (one, other): (f64, f64) = (one.parse().ok()?, other.parse().ok()?);
    (other > 0.0).then_some(one / other)
}
