//! Transformation matrices (ISO 32000-1, 8.3.3).

/// `[a b c d e f]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// A matrix from six numbers; `None` for another count.
    pub(super) fn of(numbers: &[f64]) -> Option<Self> {
        Some(Self(numbers.try_into().ok()?))
    }

    pub(super) fn scale(x: f64, y: f64) -> Self {
        Self([x, 0.0, 0.0, y, 0.0, 0.0])
    }

    /// Applies this matrix first, then `other`.
    pub(super) fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [oa, ob, oc, od, oe, of]) = (self.0, other.0);
        Self([
            a * oa + b * oc,
            a * ob + b * od,
            c * oa + d * oc,
            c * ob + d * od,
            e * oa + f * oc + oe,
            e * ob + f * od + of,
        ])
    }

    /// The side lengths of the transformed unit square.
    pub(super) fn sides(self) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        (a.hypot(b), c.hypot(d))
    }

    /// The width and height of the bounding box of a transformed rectangle.
    pub(super) fn bounds(self, [x0, y0, x1, y1]: [f64; 4]) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        let (width, height) = ((x1 - x0).abs(), (y1 - y0).abs());
        (a.abs() * width + c.abs() * height, b.abs() * width + d.abs() * height)
    }
}
