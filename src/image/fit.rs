//! The size of an output, and where the picture is in it: arithmetic on the requested size.

use crate::options::{Fit, Position, Resize};
use crate::pixels::part::Part;

/// Whether two sizes have the same aspect ratio.
pub(super) fn is_of_shape((width, height): (u32, u32), (other_width, other_height): (u32, u32)) -> bool {
    u64::from(width) * u64::from(other_height) == u64::from(height) * u64::from(other_width)
}

/// The output size for an upright source.
pub(super) fn target(source: (u32, u32), resize: Resize) -> (u32, u32) {
    let (source_width, source_height) = source;
    let asked = match (resize.width, resize.height) {
        (None, None) => source,
        (Some(width), None) => (width, scale(source_height, width, source_width)),
        (None, Some(height)) => (scale(source_width, height, source_height), height),
        (Some(width), Some(height)) => match resize.fit {
            Fit::Fill | Fit::Cover | Fit::Contain => (width, height),
            Fit::Inside => inside(source, width, height),
            Fit::Outside => outside(source, width, height),
        },
    };
    shrink_to_fit(asked, resize.max_width, resize.max_height)
}

/// Where a picture of the size `source` is in an output of (width, height).
pub(super) fn place(source: (u32, u32), (width, height): (u32, u32), resize: Resize) -> Part {
    let Resize { width: Some(_), height: Some(_), fit: Fit::Contain, position, .. } = resize else {
        return Part::whole((width, height));
    };
    let (across, down) = inside(source, width, height);
    let before = |added: u32, share: f64| (f64::from(added) * share) as u32;
    let Position { x, y } = position.or_center();
    let (left, top) = (before(width - across, x), before(height - down, y));
    Part { left, top, width: across, height: down }
}

/// The largest size with the shape of `source` inside `width` × `height`.
pub(super) fn inside(source: (u32, u32), width: u32, height: u32) -> (u32, u32) {
    let by_width = (width, scale(source.1, width, source.0));
    match by_width.1 <= height {
        true => by_width,
        false => (scale(source.0, height, source.1).min(width), height),
    }
}

/// The smallest size with the shape of `source` around `width` × `height`.
pub(super) fn outside(source: (u32, u32), width: u32, height: u32) -> (u32, u32) {
    let by_width = (width, scale(source.1, width, source.0));
    match by_width.1 >= height {
        true => by_width,
        false => (scale(source.0, height, source.1).max(width), height),
    }
}

pub(super) fn shrink_to_fit(size: (u32, u32), max_width: Option<u32>, max_height: Option<u32>) -> (u32, u32) {
    let (max_width, max_height) = (max_width.unwrap_or(u32::MAX), max_height.unwrap_or(u32::MAX));
    match size.0 <= max_width && size.1 <= max_height {
        true => size,
        false => inside(size, max_width.min(size.0), max_height.min(size.1)),
    }
}

/// `side` × `numerator` / `denominator`, rounded, at least 1.
pub(super) fn scale(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (side, numerator, denominator) =
        (u64::from(side), u64::from(numerator), u64::from(denominator.max(1)));
    u32::try_from((side * numerator + denominator / 2) / denominator).unwrap_or(u32::MAX).max(1)
}
