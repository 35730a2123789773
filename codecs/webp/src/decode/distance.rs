//! How far back a reference goes (RFC 9649, section 3.6.2.2).

/// The codes that stand for places near the pixel in two dimensions.
const NEAR: usize = 120;

/// The places: columns to the left and rows up. They are those up to seven rows up and from eight columns on the left to seven on the
/// right, nearest first; of equally near ones, those with less distance across, and those on the left, come first.
static PLACES: [(i8, i8); NEAR] = places();

/// The distance in pixels of a code, for an image of this width.
#[inline]
pub(super) fn of_code(code: usize, width: usize) -> usize {
    match PLACES.get(code - 1) {
        Some((left, up)) => (*up as isize * width as isize + *left as isize).max(1) as usize,
        None => code - NEAR,
    }
}

const fn places() -> [(i8, i8); NEAR] {
    let mut places = [(0, 0); NEAR];
    let (mut count, mut up) = (0, 0i8);
    while up <= 7 {
        let mut left = if up == 0 { 1 } else { -7i8 };
        while left <= 8 {
            let mut at = count;
            while at > 0 && rank(places[at - 1]) > rank((left, up)) {
                places[at] = places[at - 1];
                at -= 1;
            }
            places[at] = (left, up);
            count += 1;
            left += 1;
        }
        up += 1;
    }
    places
}

const fn rank((left, up): (i8, i8)) -> u32 {
    let square = (left as i32 * left as i32 + up as i32 * up as i32) as u32;
    square * 32 + left.unsigned_abs() as u32 * 2 + (left < 0) as u32
}
