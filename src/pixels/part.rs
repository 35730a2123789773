//! Rectangles of pixels, and where they are in a picture that is turned.

use image::metadata::Orientation;

/// A rectangle of whole pixels, never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// What a file shows of its stored pixels.
#[cfg(feature = "full")]
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// The part of the stored pixels. Only a format that transcodes is given less than the whole.
    pub(crate) part: Part,
    /// What turns them as they are shown.
    pub(crate) orientation: Orientation,
    /// What turns them upright.
    pub(crate) upright: Orientation,
    /// Whether the call asks for a part, or for another orientation than the file's own.
    pub(crate) edits: bool,
    /// Whether the stored pixels should be turned, where that is possible; otherwise EXIF has the orientation.
    pub(crate) turns: bool,
}

impl Part {
    /// All pixels of a picture.
    pub(crate) fn whole((width, height): (u32, u32)) -> Self {
        Self { left: 0, top: 0, width, height }
    }

    /// Width and height in pixels.
    pub(crate) fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Left, top, width and height in shares of the sides of a picture.
    #[cfg(feature = "full")]
    pub(crate) fn share_of(self, (width, height): (u32, u32)) -> [f32; 4] {
        let share = |side: u32, of: u32| side as f32 / of as f32;
        let Self { left, top, width: wide, height: high } = self;
        [share(left, width), share(top, height), share(wide, width), share(high, height)]
    }

    /// The same pixels after a picture was turned by `orientation` to one of `size`.
    #[cfg(feature = "full")]
    pub(crate) fn after(self, orientation: Orientation, size: (u32, u32)) -> Self {
        self.before(inverse(orientation), turned_size(size, orientation))
    }

    /// The same pixels before a picture was turned by `orientation` to one of (width, height).
    pub(crate) fn before(self, orientation: Orientation, (width, height): (u32, u32)) -> Self {
        let (transposes, across, down) = steps(orientation);
        let left = if across { width - self.width - self.left } else { self.left };
        let top = if down { height - self.height - self.top } else { self.top };
        match transposes {
            true => Self { left: top, top: left, width: self.height, height: self.width },
            false => Self { left, top, ..self },
        }
    }
}

/// How a turned picture is turned back.
#[cfg(feature = "full")]
fn inverse(orientation: Orientation) -> Orientation {
    match orientation {
        Orientation::Rotate90 => Orientation::Rotate270,
        Orientation::Rotate270 => Orientation::Rotate90,
        // The others are their own.
        orientation => orientation,
    }
}

/// Whether an orientation turns by 90° or 270°, which swaps width and height.
pub(crate) fn swaps(orientation: Orientation) -> bool {
    steps(orientation).0
}

/// A size before or after a picture is turned.
pub(crate) fn turned_size((width, height): (u32, u32), orientation: Orientation) -> (u32, u32) {
    if swaps(orientation) { (height, width) } else { (width, height) }
}

/// A place in a picture, in shares of its sides, before the picture was turned.
pub(crate) fn place_before(orientation: Orientation, (x, y): (f64, f64)) -> (f64, f64) {
    let (transposes, across, down) = steps(orientation);
    let x = if across { 1.0 - x } else { x };
    let y = if down { 1.0 - y } else { y };
    if transposes { (y, x) } else { (x, y) }
}

/// What two orientations do one after the other.
pub(crate) fn compose(first: Orientation, then: Orientation) -> Orientation {
    let (first, then) = (steps(first), steps(then));
    let (across, down) = if then.0 { (first.2, first.1) } else { (first.1, first.2) };
    of_steps(first.0 != then.0, across != then.1, down != then.2)
}

/// Whether rows become columns first, then whether left and right, and top and bottom change places.
pub(crate) fn steps(orientation: Orientation) -> (bool, bool, bool) {
    match orientation {
        Orientation::NoTransforms => (false, false, false),
        Orientation::FlipHorizontal => (false, true, false),
        Orientation::Rotate180 => (false, true, true),
        Orientation::FlipVertical => (false, false, true),
        Orientation::Rotate90FlipH => (true, false, false),
        Orientation::Rotate90 => (true, true, false),
        Orientation::Rotate270FlipH => (true, true, true),
        Orientation::Rotate270 => (true, false, true),
    }
}

fn of_steps(transposes: bool, across: bool, down: bool) -> Orientation {
    match (transposes, across, down) {
        (false, false, false) => Orientation::NoTransforms,
        (false, true, false) => Orientation::FlipHorizontal,
        (false, true, true) => Orientation::Rotate180,
        (false, false, true) => Orientation::FlipVertical,
        (true, false, false) => Orientation::Rotate90FlipH,
        (true, true, false) => Orientation::Rotate90,
        (true, true, true) => Orientation::Rotate270FlipH,
        (true, false, true) => Orientation::Rotate270,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::orient;
    use image::{DynamicImage, GrayImage, Luma};

    fn all() -> impl Iterator<Item = Orientation> {
        (1..=8).filter_map(Orientation::from_exif)
    }

    /// Six pixels, each of another color.
    fn picture() -> DynamicImage {
        GrayImage::from_fn(3, 2, |x, y| Luma([(10 * y + x) as u8])).into()
    }

    #[test]
    fn composed_orientations_do_what_both_do() {
        for (first, then) in all().flat_map(|first| all().map(move |then| (first, then))) {
            let one_by_one = orient::apply(orient::apply(picture(), first), then);
            assert_eq!(orient::apply(picture(), compose(first, then)), one_by_one, "{first:?}, {then:?}");
        }
    }

    #[test]
    fn a_part_has_the_same_pixels_before_and_after() {
        for orientation in all() {
            let turned = orient::apply(picture(), orientation);
            let part = Part { left: 1, top: 1, width: turned.width() - 1, height: 1 };
            let before = part.before(orientation, (turned.width(), turned.height()));
            let cut = orient::apply(orient::cut(picture(), before), orientation);
            let size = (turned.width(), turned.height());
            assert_eq!(cut, orient::cut(turned, part), "{orientation:?}");
            assert_eq!(before.after(orientation, size), part, "{orientation:?}");
        }
    }
}
