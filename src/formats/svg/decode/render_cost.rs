//! How much work a drawing is at a given size, and how much memory its layers take, found out before a pixel is painted.
//!
//! The tree is walked as the renderer walks it, and each step is charged what it was measured to take: a pixel painted in
//! one opaque color is 1. Estimates err upwards.

use resvg::tiny_skia::{IntRect, PathSegment, Point, Rect, Transform};
use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{ClipPath, Group, Image, ImageKind, Mask, Node, Paint, Path, Pattern, Stroke, Tree};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;

/// Work that any drawing may take, about a second.
const BASE: f64 = 1e9;
/// Work beside that for each pixel of `limits.maxPixels`.
const PER_PIXEL: f64 = 50.0;
/// Coordinates beyond this, in pixels, are more than the renderer can count; it would stop in the middle.
const MAX_COORDINATE: f32 = 1e8;
/// Curves that reach further than this, in pixels, are outlined in millions of pieces.
const FAR: f64 = 4e6;
const FAR_CURVE: f64 = 1e9;

/// Refuses a drawing that is too much work, or needs too much memory beside the `taken` bytes, for `width` × `height` pixels.
///
/// # Errors
/// [`ErrorCode::TooManyPixels`], [`ErrorCode::TooMuchMemory`]; [`ErrorCode::Corrupt`] for coordinates that cannot be drawn.
pub(crate) fn check(
    tree: &Tree,
    transform: Transform,
    (width, height): (u32, u32),
    taken: u64,
    limits: &Limits,
) -> Result<()> {
    let allowed = BASE + PER_PIXEL * limits.max_pixels as f64;
    let mut labour = Labour { work: 0.0, allowed, memory: 0.0, peak: 0.0, is_beyond: false };
    if let Some(canvas) = Canvas::new(width, height) {
        labour.nodes(tree.root(), &canvas, transform);
    }
    if labour.is_beyond {
        return Err(Error::corrupt("SVG", "its coordinates are too large to be drawn"));
    }
    limits.check_memory(taken.saturating_add(labour.peak as u64))?;
    if labour.work > allowed {
        return Err(Error::limit(
            ErrorCode::TooManyPixels,
            format!(
                "Drawing this at {width} × {height} would paint some {:.0} million pixels again and again; \
                 limits.maxPixels allows {:.0} million. Ask for a smaller size.",
                labour.work / 1e6,
                allowed / 1e6
            ),
            labour.work as u64,
            allowed as u64,
        ));
    }
    Ok(())
}

/// Pixels that are painted on.
struct Canvas {
    width: f64,
    height: f64,
    /// Beyond this, layers are cut off.
    bounds: IntRect,
}

struct Labour {
    work: f64,
    allowed: f64,
    /// Bytes of the layers that are open.
    memory: f64,
    peak: f64,
    /// Something lies further away than can be drawn.
    is_beyond: bool,
}

impl Canvas {
    /// A layer may be five times as wide and as high.
    fn new(width: u32, height: u32) -> Option<Self> {
        let start = |side: u32| i32::try_from(side).unwrap_or(i32::MAX).saturating_mul(-2);
        let bounds = IntRect::from_xywh(
            start(width),
            start(height),
            width.saturating_mul(5),
            height.saturating_mul(5),
        )?;
        Some(Self { width: f64::from(width), height: f64::from(height), bounds })
    }

    fn area(&self) -> f64 {
        self.width * self.height
    }

    /// The part of a box that lies on the canvas.
    fn covered(&self, area: Rect) -> f64 {
        let width = f64::from(area.right()).min(self.width) - f64::from(area.left()).max(0.0);
        let height = f64::from(area.bottom()).min(self.height) - f64::from(area.top()).max(0.0);
        // At least the pixel that a line touches.
        if width < 0.0 || height < 0.0 { 0.0 } else { width.max(1.0) * height.max(1.0) }
    }
}

impl Labour {
    fn nodes(&mut self, parent: &Group, canvas: &Canvas, transform: Transform) {
        for node in parent.children() {
            if self.work > self.allowed {
                return;
            }
            match node {
                Node::Group(group) => self.group(group, canvas, transform),
                Node::Path(path) => self.path(path, canvas, transform),
                Node::Image(image) => self.image(image, canvas, transform),
                Node::Text(text) => self.group(text.flattened(), canvas, transform),
            }
        }
    }

    /// Holds so many bytes while `inside` is worked at.
    fn holding(&mut self, bytes: f64, inside: impl FnOnce(&mut Self)) {
        self.memory += bytes;
        self.peak = self.peak.max(self.memory);
        inside(self);
        self.memory -= bytes;
    }

    fn group(&mut self, group: &Group, canvas: &Canvas, transform: Transform) {
        let transform = transform.pre_concat(group.transform());
        match group.should_isolate() {
            true => {
                self.layer(group, canvas, transform);
            }
            false => self.nodes(group, canvas, transform),
        }
    }

    /// A group that is painted for itself, and then onto the canvas. Filters work without rotation.
    fn layer(&mut self, group: &Group, canvas: &Canvas, transform: Transform) -> Option<()> {
        let straight = match group.filters().is_empty() {
            true => Transform::identity(),
            false => {
                let (sx, sy) = (transform.sx.hypot(transform.ky), transform.kx.hypot(transform.sy));
                Transform::from_row(
                    transform.sx / sx,
                    transform.ky / sx,
                    transform.kx / sy,
                    transform.sy / sy,
                    0.0,
                    0.0,
                )
                .invert()?
            }
        };
        let bounds = canvas.bounds.to_rect().transform(straight)?.round_out()?;
        let transform = straight.pre_concat(transform);
        let space = group.layer_bounding_box().transform(transform)?.to_rect().outset(2.0, 2.0)?;
        let space = space.intersect(&bounds.to_rect())?.round_out()?;
        let canvas = Canvas { width: f64::from(space.width()), height: f64::from(space.height()), bounds };
        let transform = Transform::from_translate(-space.x() as f32, -space.y() as f32).pre_concat(transform);
        self.work += 12.0 * canvas.area();
        self.holding(4.0 * canvas.area(), |labour| {
            labour.nodes(group, &canvas, transform);
            for filter in group.filters() {
                labour.filter(filter, &canvas, transform);
            }
            if let Some(clip) = group.clip_path() {
                labour.clip(clip, &canvas, transform);
            }
            if let Some(mask) = group.mask() {
                labour.mask(mask, &canvas, transform);
            }
        });
        Some(())
    }

    fn clip(&mut self, clip: &ClipPath, canvas: &Canvas, transform: Transform) {
        self.work += 45.0 * canvas.area();
        self.holding(5.0 * canvas.area(), |labour| {
            labour.outlines(clip.root(), canvas, transform.pre_concat(clip.transform()));
            if let Some(clip) = clip.clip_path() {
                labour.clip(clip, canvas, transform);
            }
        });
    }

    /// What a clip path shows: outlines, filled.
    fn outlines(&mut self, parent: &Group, canvas: &Canvas, transform: Transform) {
        for node in parent.children() {
            if self.work > self.allowed {
                return;
            }
            match node {
                Node::Path(path) => self.fill(path, 4.0, canvas, transform),
                Node::Text(text) => self.outlines(text.flattened(), canvas, transform),
                Node::Group(group) => {
                    let transform = transform.pre_concat(group.transform());
                    match group.clip_path() {
                        Some(clip) => {
                            self.work += 12.0 * canvas.area();
                            self.holding(4.0 * canvas.area(), |labour| {
                                labour.outlines(group, canvas, transform);
                                labour.clip(clip, canvas, transform);
                            });
                        }
                        None => self.outlines(group, canvas, transform),
                    }
                }
                Node::Image(_) => {}
            }
        }
    }

    fn mask(&mut self, mask: &Mask, canvas: &Canvas, transform: Transform) {
        self.work += 50.0 * canvas.area();
        self.holding(6.0 * canvas.area(), |labour| {
            labour.nodes(mask.root(), canvas, transform);
            if let Some(mask) = mask.mask() {
                labour.mask(mask, canvas, transform);
            }
        });
    }

    /// A picture is decoded each time it is painted.
    fn image(&mut self, image: &Image, canvas: &Canvas, transform: Transform) {
        if !image.is_visible() {
            return;
        }
        match image.kind() {
            ImageKind::SVG(tree) => {
                self.work += 12.0 * canvas.area();
                let nested = Canvas::new(canvas.width as u32, canvas.height as u32);
                self.holding(4.0 * canvas.area(), |labour| {
                    if let Some(nested) = nested {
                        labour.nodes(tree.root(), &nested, transform);
                    }
                });
            }
            _ => {
                let (width, height) = (f64::from(image.size().width()), f64::from(image.size().height()));
                let painted = Rect::from_xywh(0.0, 0.0, image.size().width(), image.size().height())
                    .and_then(|area| area.transform(transform));
                self.work += 30.0 * width * height;
                self.work += 30.0 * painted.map_or(0.0, |painted| self.covered(painted, canvas));
                self.holding(8.0 * width * height, |_| {});
            }
        }
    }

    fn path(&mut self, path: &Path, canvas: &Canvas, transform: Transform) {
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

    /// The work of making a paint ready, and what a pixel of it takes.
    fn paint(&mut self, paint: &Paint, opacity: f32, canvas: &Canvas, transform: Transform) -> f64 {
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

    /// A tile of a pattern is drawn whole, however little of it shows.
    fn pattern(&mut self, pattern: &Pattern, canvas: &Canvas, transform: Transform) {
        let (sx, sy) = transform.pre_concat(pattern.transform()).get_scale();
        let width = f64::from((pattern.rect().width() * sx).round());
        let height = f64::from((pattern.rect().height() * sy).round());
        let tile = Canvas { width, height, bounds: canvas.bounds };
        self.work += 2.0 * tile.area();
        self.holding(4.0 * tile.area(), |labour| {
            labour.nodes(pattern.root(), &tile, Transform::from_scale(sx, sy));
        });
    }

    /// The part of a box that lies on the canvas, in pixels.
    fn covered(&mut self, area: Rect, canvas: &Canvas) -> f64 {
        let sides = [area.left(), area.top(), area.right(), area.bottom()];
        self.is_beyond |= sides.iter().any(|side| side.abs() > MAX_COORDINATE);
        canvas.covered(area)
    }

    fn fill(&mut self, path: &Path, shade: f64, canvas: &Canvas, transform: Transform) {
        let Some(area) = path.data().bounds().transform(transform) else { return };
        let mut edges = Edges::default();
        outline(path, transform, &mut |points| edges.add(points, 0.0, canvas));
        self.work += shade * self.covered(area, canvas) + edges.work(area, canvas);
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke, shade: f64, canvas: &Canvas, transform: Transform) {
        /// Work for a dash, and bytes.
        const DASH: (f64, f64) = (1_200.0, 200.0);
        /// Beyond this, dashes are not drawn.
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

    fn filter(&mut self, filter: &Filter, canvas: &Canvas, transform: Transform) {
        let Some(region) = filter.rect().transform(transform) else { return };
        let area = canvas.covered(region.to_rect());
        let (sx, sy) = transform.get_scale();
        // Every result is kept to the end.
        let held = 4.0 * area * (filter.primitives().len() + 4) as f64;
        self.holding(held, |labour| {
            for primitive in filter.primitives() {
                labour.work += area
                    * match primitive.kind() {
                        Kind::GaussianBlur(_) => 350.0,
                        Kind::DropShadow(_) => 400.0,
                        Kind::Turbulence(turbulence) => 100.0 + 130.0 * f64::from(turbulence.num_octaves()),
                        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 150.0,
                        Kind::ConvolveMatrix(convolve) => {
                            100.0
                                + 5.0
                                    * f64::from(convolve.matrix().columns())
                                    * f64::from(convolve.matrix().rows())
                        }
                        Kind::Morphology(morphology) => {
                            let across = |radius: f32, scale: f32, side: f64| {
                                (2.0 * f64::from(radius * scale) + 1.0).min(side)
                            };
                            let width = across(morphology.radius_x().get(), sx, canvas.width);
                            let height = across(morphology.radius_y().get(), sy, canvas.height);
                            100.0 + 3.0 * width * height
                        }
                        Kind::Merge(merge) => 60.0 * (1 + merge.inputs().len()) as f64,
                        _ => 120.0,
                    };
                if let Kind::Image(image) = primitive.kind() {
                    labour.nodes(image.root(), canvas, transform);
                }
            }
        });
    }
}

/// The sides of an outline, as a scan converter walks them: four lines for each row of pixels.
#[derive(Default)]
struct Edges {
    count: f64,
    rows: f64,
}

impl Edges {
    /// A line or curve, filled, or drawn `width` pixels wide.
    fn add(&mut self, points: &[Point], width: f64, canvas: &Canvas) {
        let on_canvas = |y: f64| y.clamp(0.0, canvas.height);
        let top = points.iter().map(|point| f64::from(point.y)).fold(f64::MAX, f64::min);
        let bottom = points.iter().map(|point| f64::from(point.y)).fold(f64::MIN, f64::max);
        let height = on_canvas(bottom + width / 2.0) - on_canvas(top - width / 2.0);
        // A stroke has two sides, and joins on them; a curve's sides are several curves.
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
        // Those that are walked at the same time are kept in order.
        let abreast = (self.rows / height.max(1.0)).min(self.count);
        // A canvas that is wider than what is painted at once is painted in strips.
        let strips = (canvas.width / 8191.0).ceil();
        100.0 * self.count + strips * 4.0 * self.rows * (20.0 + abreast / 60.0)
    }
}

/// Hands out the lines and curves of a path, by their points.
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

/// How far from the origin points lie.
fn reach(points: &[Point]) -> f64 {
    points.iter().map(|point| f64::from(point.x.abs().max(point.y.abs()))).fold(0.0, f64::max)
}

/// The length of the lines between points: that of a curve, or more.
fn polygon(points: &[Point]) -> f64 {
    let sides = points.windows(2).map(|side| {
        let (x, y) = (f64::from(side[1].x - side[0].x), f64::from(side[1].y - side[0].y));
        (x * x + y * y).sqrt()
    });
    sides.sum()
}
