//! Chroma has half the resolution of luma: what pictures keep nevertheless.

use filepress_webp::{Layout, Settings};

use crate::light::{lightness_error, vivid};
use crate::pictures::{decoded, encoded};

#[test]
fn pixels_keep_their_light() {
    let pixels = vivid((96, 80));
    let file = encoded(96, 80, Layout::Rgb, &pixels, Settings { quality: 97, ..Settings::default() });
    let error = lightness_error(&decoded(&file, 96, 80, Layout::Rgb), &pixels);
    // It is 7 with the luma of each pixel's own color.
    assert!(error < 3.0, "{error}");
}
