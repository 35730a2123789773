//! The cost of filter effects.

use resvg::tiny_skia::Transform;
use resvg::usvg::filter::{Filter, Kind};

use super::RenderCost;
use super::canvas::Canvas;

impl RenderCost {
    pub(super) fn filter(&mut self, filter: &Filter, canvas: &Canvas, transform: Transform) {
        let Some(region) = filter.rect().transform(transform) else { return };
        let area = canvas.covered(region.to_rect());
        let (sx, sy) = transform.get_scale();
        // Every result is kept until the end.
        let held = 4.0 * area * (filter.primitives().len() + 4) as f64;
        self.holding(held, |cost| {
            for primitive in filter.primitives() {
                cost.work += area
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
                    cost.nodes(image.root(), canvas, transform);
                }
            }
        });
    }
}
