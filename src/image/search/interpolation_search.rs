//! Finds the integer at which an increasing function crosses a value, in few calls: bytes by quality, or score by
//! quality.
//!
//! The function is costly and only roughly known, so a model of its shape guides the search. Between two measured
//! points the model is bent to pass through both; outside, it is shifted to pass through one. All arithmetic is on
//! integers: every platform measures the same settings in the same order.

/// A measured point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// The argument of the function.
    pub(crate) setting: u32,
    /// The value of the function.
    pub(crate) value: i64,
}

/// The last point known to be at most the wanted value, and the first known to be above it.
#[derive(Debug)]
pub(crate) struct Bracket {
    pub(crate) lowest: u32,
    highest: u32,
    wanted: i64,
    /// The greatest setting whose value is at most the wanted one.
    pub(crate) below: Option<Point>,
    /// The least setting whose value is above it.
    pub(crate) above: Option<Point>,
    /// How often in a row the same end moved: negative for the lower end.
    run: i32,
    /// The point that was measured before the last one.
    previous: Option<Point>,
}

impl Bracket {
    /// A bracket of the settings `lowest..=highest` without measurements.
    pub(crate) fn new(lowest: u32, highest: u32, wanted: i64) -> Self {
        Self { lowest, highest, wanted, below: None, above: None, run: 0, previous: None }
    }

    /// Adds a measured point inside the bracket.
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

    /// The setting to measure next, or `None` if the two ends touch. `model` is the expected, increasing shape. `first`
    /// is where it is expected to reach the value before anything was measured. The search aims `margin` below the
    /// wanted value.
    pub(crate) fn next(&self, model: &mut dyn FnMut(u32) -> i64, first: i64, margin: i64) -> Option<u32> {
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
                // The slope of the model, corrected by the last two points within a bounded factor.
                match expected {
                    0 => height + step,
                    _ => height + step * expected / measured.clamp(expected / 8 + 1, expected * 4),
                }
            }
            (Some(below), Some(above)) => {
                let (from, to) = (model(below.setting), model(above.setting));
                // If only one end keeps moving, the line between the ends is a poor guide: bisect instead.
                match self.run.abs() > 2 || above.value <= below.value {
                    true => from + (to - from) / 2,
                    false => from + (to - from) * (aim - below.value) / (above.value - below.value),
                }
            }
        };
        Some(last_within(least, most, |setting| model(setting) <= height))
    }

    /// Whether nothing was measured.
    pub(crate) fn is_empty(&self) -> bool {
        self.below.is_none() && self.above.is_none()
    }

    /// Whether the setting behind the lower end is above the wanted value by `margin`, as `model` grows.
    pub(crate) fn is_settled(&self, model: &mut dyn FnMut(u32) -> i64, margin: i64) -> bool {
        self.below.is_some_and(|Point { setting, value }| {
            setting < self.highest && value + model(setting + 1) - model(setting) > self.wanted + margin
        })
    }

    /// Whether the lower end is within `distance` of the wanted value.
    pub(crate) fn is_close(&self, distance: i64) -> bool {
        self.below.is_some_and(|point| self.wanted - point.value <= distance)
    }
}

/// The last number of a range for which a monotone condition holds; the first number if it never holds.
fn last_within(mut least: u32, mut most: u32, mut holds: impl FnMut(u32) -> bool) -> u32 {
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        match holds(middle) {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    least
}

/// A piecewise linear curve through points of increasing `x`, extended beyond both ends. At least two points.
pub(crate) fn interpolate(points: &[(u32, i64)], x: u32) -> i64 {
    let next = points.partition_point(|&(knot, _)| knot < x).clamp(1, points.len() - 1);
    let ((x0, y0), (x1, y1)) = (points[next - 1], points[next]);
    y0 + (y1 - y0) * (i64::from(x) - i64::from(x0)) / (i64::from(x1) - i64::from(x0))
}
