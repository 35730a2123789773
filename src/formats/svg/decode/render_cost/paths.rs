//! The cost of filled and stroked paths: their pixels, and the edges of the scan converter.

use resvg::tiny_skia::{PathSegment, Point, Rect, Transform};
use resvg::usvg::{Paint, Path, Stroke};

use super::RenderCost;
use super::canvas::Canvas;

/// Curves beyond this, in pixels, are flattened into millions of segments.
const FAR: f64 = 4e6;
const FAR_CURVE: f64 = 1e9;

impl RenderCost {
    pub(super) fn path(&mut self, path: &Path, canvas: &Canvas, transform: Transform) {
        if !path.is_visible() {
            return;
        }
        if let Some(fill) = path.fill() {
            let shade = self.paint(fill.paint(), fill.opacity().get(), canvas, transform);
            self.fill(path, shade, canvas, transform);
        }
        if let Some(stroke) = path.stroke() {
            let shade = self.paint(stroke.paint(), stroke.opacity().get(), canvas, transform);
            self.stroke(path, stroke, shade, canvas, transform);
        }
    }

    /// The cost of preparing a paint, and its cost per pixel.
    pub(super) fn paint(
        &mut self,
        paint: &Paint,
        opacity: f32,
        canvas: &Canvas,
        transform: Transform,
    ) -> f64 {
        match paint {
            Paint::Color(_) if opacity >= 1.0 => 1.0,
            Paint::Color(_) => 5.0,
            Paint::LinearGradient(_) | Paint::RadialGradient(_) => 20.0,
            Paint::Pattern(pattern) => {
                self.pattern(pattern, canvas, transform);
                25.0
            }
        }
    }

    pub(super) fn fill(&mut self, path: &Path, shade: f64, canvas: &Canvas, transform: Transform) {
        let Some(area) = path.data().bounds().transform(transform) else { return };
        let mut edges = Edges::default();
        outline(path, transform, &mut |points| edges.add(points, 0.0, canvas));
        self.work += shade * self.covered(area, canvas) + edges.work(area, canvas);
    }

    pub(super) fn stroke(
        &mut self,
        path: &Path,
        stroke: &Stroke,
        shade: f64,
        canvas: &Canvas,
        transform: Transform,
    ) {
        /// The work and memory of a dash.
        const DASH: (f64, f64) = (1_200.0, 200.0);
        /// With more dashes, the line is drawn without them.
        const MAX_DASHES: f64 = 1e6;
        let (sx, sy) = transform.get_scale();
        let width = f64::from(stroke.width().get()) * f64::from(sx.max(sy));
        let around = (stroke.width().get() / 2.0 * stroke.miterlimit().get().max(1.5)).min(f32::MAX / 8.0);
        let area = path.data().bounds().outset(around, around).and_then(|area| area.transform(transform));
        let Some(area) = area else { return };
        if let Some(dashes) = stroke.dasharray() {
            let mut length = 0.0;
            outline(path, Transform::identity(), &mut |points| length += polygon(points));
            let period: f64 = dashes.iter().map(|&dash| f64::from(dash)).sum();
            let count = (length * dashes.len() as f64 / 2.0 / period.max(f64::MIN_POSITIVE)).min(MAX_DASHES);
            self.work += count * DASH.0;
            self.holding(count * DASH.1, |_| {});
        }
        if width < 1.0 {
            let longest = 2.0 * (canvas.width + canvas.height);
            let mut work = 0.0;
            outline(path, transform, &mut |points| {
                work += 2_000.0 + 250.0 * polygon(points).min(longest);
            });
            self.work += if self.covered(area, canvas) > 0.0 { work } else { 0.0 };
            return;
        }
        let mut edges = Edges::default();
        let mut far_curves = 0;
        outline(path, transform, &mut |points| {
            edges.add(points, width, canvas);
            far_curves += usize::from(points.len() > 2 && width.max(reach(points)) > FAR);
        });
        self.work += far_curves as f64 * FAR_CURVE;
        self.work += shade * self.covered(area, canvas) + edges.work(area, canvas);
    }
}

/// The edges of an outline in the scan converter: four scan lines for each row of pixels.
#[derive(Default)]
struct Edges {
    count: f64,
    rows: f64,
}

impl Edges {
    /// A line or curve, filled, or stroked `width` pixels wide.
    fn add(&mut self, points: &[Point], width: f64, canvas: &Canvas) {
        let on_canvas = |y: f64| y.clamp(0.0, canvas.height);
        let top = points.iter().map(|point| f64::from(point.y)).fold(f64::MAX, f64::min);
        let bottom = points.iter().map(|point| f64::from(point.y)).fold(f64::MIN, f64::max);
        let height = on_canvas(bottom + width / 2.0) - on_canvas(top - width / 2.0);
        // A stroke has two sides with joins, and the side of a curve is several curves.
        let sides = match (width > 0.0, points.len()) {
            (false, _) => 1.0,
            (true, 2) => 8.0,
            (true, _) => 24.0,
        };
        self.count += sides;
        self.rows += if width > 0.0 { 2.0 * height + width.min(canvas.height) } else { height };
    }

    fn work(&self, area: Rect, canvas: &Canvas) -> f64 {
        if canvas.covered(area) == 0.0 {
            return 20.0 * self.count;
        }
        let height = f64::from(area.bottom()).min(canvas.height) - f64::from(area.top()).max(0.0);
        // Edges that are active at the same time are kept sorted.
        let abreast = (self.rows / height.max(1.0)).min(self.count);
        // A wide canvas is painted in strips.
        let strips = (canvas.width / 8191.0).ceil();
        100.0 * self.count + strips * 4.0 * self.rows * (20.0 + abreast / 60.0)
    }
}

/// Iterates over the lines and curves of a path, by their points.
fn outline(path: &Path, transform: Transform, take: &mut dyn FnMut(&[Point])) {
    let map = |mut point: Point| {
        transform.map_point(&mut point);
        point
    };
    let (mut start, mut last) = (Point::zero(), Point::zero());
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                start = map(to);
                last = start;
            }
            PathSegment::LineTo(to) => {
                let to = map(to);
                take(&[last, to]);
                last = to;
            }
            PathSegment::QuadTo(control, to) => {
                let to = map(to);
                take(&[last, map(control), to]);
                last = to;
            }
            PathSegment::CubicTo(first, second, to) => {
                let to = map(to);
                take(&[last, map(first), map(second), to]);
                last = to;
            }
            PathSegment::Close => {
                take(&[last, start]);
                last = start;
            }
        }
    }
}

/// The distance of points from the origin.
fn reach(points: &[Point]) -> f64 {
    points.iter().map(|point| f64::from(point.x.abs().max(point.y.abs()))).fold(0.0, f64::max)
}

/// The length of the lines between points: at least that of the curve.
fn polygon(points: &[Point]) -> f64 {
    let sides = points.windows(2).map(|side| {
        let (x, y) = (f64::from(side[1].x - side[0].x), f64::from(side[1].y - side[0].y));
        (x * x + y * y).sqrt()
    });
    sides.sum()
}
