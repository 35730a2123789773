//! Where a growing function of a whole number passes a value, in few calls of it: bytes over quality, a score over quality.
//!
//! The function is costly and only roughly known, so a model of its shape is kept apart from what was measured. Between two
//! measured points the model is bent to pass through both; beyond one it is shifted to pass through that. All arithmetic is
//! on integers: every platform asks for the same settings in the same order.

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// The argument of the function.
    pub(crate) setting: u32,
    /// Its value there.
    pub(crate) value: i64,
}

/// The last point known to be at most the wanted value, and the first known to be more.
#[derive(Debug)]
pub(crate) struct Bracket {
    lowest: u32,
    highest: u32,
    wanted: i64,
    /// The greatest setting whose value is not more than wanted.
    pub(crate) below: Option<Point>,
    /// The least setting whose value is more.
    pub(crate) above: Option<Point>,
    /// How often in a row the same end moved: negative for the lower end.
    run: i32,
    /// What was measured before the last of these.
    previous: Option<Point>,
}

impl Bracket {
    /// Nothing is known of the settings `lowest..=highest`.
    pub(crate) fn new(lowest: u32, highest: u32, wanted: i64) -> Self {
        Self { lowest, highest, wanted, below: None, above: None, run: 0, previous: None }
    }

    /// Takes in a point inside the bracket.
    pub(crate) fn add(&mut self, point: Point) {
        self.previous = self.below.or(self.above);
        match point.value <= self.wanted {
            true => {
                self.below = Some(point);
                self.run = self.run.min(0) - 1;
            }
            false => {
                self.above = Some(point);
                self.run = self.run.max(0) + 1;
            }
        }
    }

    /// The setting to measure next, or `None` where the two ends touch. `model` is the expected shape, growing; `first` is
    /// where it is expected to reach the value before anything was measured. `margin` is aimed below the wanted value.
    pub(crate) fn next(&self, model: &dyn Fn(u32) -> i64, first: i64, margin: i64) -> Option<u32> {
        let least = self.below.map_or(self.lowest, |point| point.setting + 1);
        let most = self.above.map_or(Some(self.highest), |point| point.setting.checked_sub(1))?;
        if least > most {
            return None;
        }
        let aim = self.wanted - margin;
        let height = match (self.below, self.above) {
            (None, None) => first,
            (Some(point), None) | (None, Some(point)) => {
                let height = model(point.setting);
                let step = aim - point.value;
                let measured = self.previous.map_or(0, |previous| point.value - previous.value).abs();
                let expected = self.previous.map_or(0, |previous| height - model(previous.setting)).abs();
                // The model's slope, corrected by what the last two points say, within reason.
                match expected {
                    0 => height + step,
                    _ => height + step * expected / measured.clamp(expected / 8 + 1, expected * 4),
                }
            }
            (Some(below), Some(above)) => {
                let (from, to) = (model(below.setting), model(above.setting));
                // Where one end alone keeps moving, the line between the two is a poor guide: halve instead.
                match self.run.abs() > 2 || above.value <= below.value {
                    true => from + (to - from) / 2,
                    false => from + (to - from) * (aim - below.value) / (above.value - below.value),
                }
            }
        };
        Some(last_within(least, most, |setting| model(setting) <= height))
    }

    /// Whether the lower end is within `distance` of the wanted value.
    pub(crate) fn is_close(&self, distance: i64) -> bool {
        self.below.is_some_and(|point| self.wanted - point.value <= distance)
    }
}

/// The last number of a range for which a condition holds that holds up to some number; the first where it never does.
fn last_within(mut least: u32, mut most: u32, holds: impl Fn(u32) -> bool) -> u32 {
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        match holds(middle) {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    least
}

/// A curve through points of rising `x`, straight between them and beyond the last two at either end. At least two points.
pub(crate) fn interpolate(points: &[(u32, i64)], x: u32) -> i64 {
    let next = points.partition_point(|&(knot, _)| knot < x).clamp(1, points.len() - 1);
    let ((x0, y0), (x1, y1)) = (points[next - 1], points[next]);
    y0 + (y1 - y0) * (i64::from(x) - i64::from(x0)) / (i64::from(x1) - i64::from(x0))
}
