//! Estimates the work of rendering an SVG at a given size, and the memory of its layers, before a pixel is painted.
//!
//! The tree is walked in the renderer's order. Each step has a measured cost: a pixel painted in one opaque color costs
//! 1. Estimates err on the high side.

mod canvas;
mod filters;
mod paths;

use canvas::Canvas;
use resvg::tiny_skia::{Rect, Transform};
use resvg::usvg::{ClipPath, Group, Image, ImageKind, Mask, Node, Pattern, Tree};

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;

/// The work that is always allowed, about a second.
const BASE: f64 = 1e9;
/// The additional work for each pixel of `limits.maxPixels`.
const PER_PIXEL: f64 = 50.0;
/// Coordinates beyond this, in pixels, overflow the renderer, which would fail midway.
const MAX_COORDINATE: f32 = 1e8;
/// Refuses an SVG that needs too much work, or too much memory beside the `taken` bytes, at `width` × `height` pixels.
///
/// # Errors
/// [`ErrorCode::TooManyPixels`], [`ErrorCode::TooMuchMemory`]; [`ErrorCode::Corrupt`] for coordinates that cannot be
/// rendered.
pub(crate) fn check(
    tree: &Tree,
    transform: Transform,
    (width, height): (u32, u32),
    taken: u64,
    limits: &Limits,
) -> Result<()> {
    let allowed = BASE + PER_PIXEL * limits.max_pixels as f64;
    let mut cost = RenderCost { work: 0.0, allowed, memory: 0.0, peak: 0.0, is_beyond: false };
    if let Some(canvas) = Canvas::new(width, height) {
        cost.nodes(tree.root(), &canvas, transform);
    }
    if cost.is_beyond {
        return Err(Error::corrupt("SVG", "its coordinates are too large to be drawn"));
    }
    limits.check_memory(taken.saturating_add(cost.peak as u64))?;
    if cost.work > allowed {
        return Err(Error::limit(
            ErrorCode::TooManyPixels,
            format!(
                "Drawing this at {width} × {height} would paint some {:.0} million pixels again and again; \
                 limits.maxPixels allows {:.0} million. Ask for a smaller size.",
                cost.work / 1e6,
                allowed / 1e6
            ),
            cost.work as u64,
            allowed as u64,
        ));
    }
    Ok(())
}

/// The work and memory so far.
struct RenderCost {
    work: f64,
    allowed: f64,
    /// The bytes of the open layers.
    memory: f64,
    peak: f64,
    /// Whether something is too far away to be rendered.
    is_beyond: bool,
}

impl RenderCost {
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

    /// Counts a layer's bytes during `inside`.
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

    /// A group that is rendered to a layer of its own. Filters are applied without rotation.
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
        self.holding(4.0 * canvas.area(), |cost| {
            cost.nodes(group, &canvas, transform);
            for filter in group.filters() {
                cost.filter(filter, &canvas, transform);
            }
            if let Some(clip) = group.clip_path() {
                cost.clip(clip, &canvas, transform);
            }
            if let Some(mask) = group.mask() {
                cost.mask(mask, &canvas, transform);
            }
        });
        Some(())
    }

    fn clip(&mut self, clip: &ClipPath, canvas: &Canvas, transform: Transform) {
        self.work += 45.0 * canvas.area();
        self.holding(5.0 * canvas.area(), |cost| {
            cost.outlines(clip.root(), canvas, transform.pre_concat(clip.transform()));
            if let Some(clip) = clip.clip_path() {
                cost.clip(clip, canvas, transform);
            }
        });
    }

    /// The filled outlines of a clip path.
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
                            self.holding(4.0 * canvas.area(), |cost| {
                                cost.outlines(group, canvas, transform);
                                cost.clip(clip, canvas, transform);
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
        self.holding(6.0 * canvas.area(), |cost| {
            cost.nodes(mask.root(), canvas, transform);
            if let Some(mask) = mask.mask() {
                cost.mask(mask, canvas, transform);
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
                self.holding(4.0 * canvas.area(), |cost| {
                    if let Some(nested) = nested {
                        cost.nodes(tree.root(), &nested, transform);
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

    /// A pattern's tile is rendered completely, however little of it is visible.
    fn pattern(&mut self, pattern: &Pattern, canvas: &Canvas, transform: Transform) {
        let (sx, sy) = transform.pre_concat(pattern.transform()).get_scale();
        let width = f64::from((pattern.rect().width() * sx).round());
        let height = f64::from((pattern.rect().height() * sy).round());
        let tile = Canvas { width, height, bounds: canvas.bounds };
        self.work += 2.0 * tile.area();
        self.holding(4.0 * tile.area(), |cost| {
            cost.nodes(pattern.root(), &tile, Transform::from_scale(sx, sy));
        });
    }

    /// The part of a box on the canvas, in pixels.
    fn covered(&mut self, area: Rect, canvas: &Canvas) -> f64 {
        let sides = [area.left(), area.top(), area.right(), area.bottom()];
        self.is_beyond |= sides.iter().any(|side| side.abs() > MAX_COORDINATE);
        canvas.covered(area)
    }
}
