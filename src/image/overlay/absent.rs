//! In place of the overlay stage in builds without it. The planner gives them no job with an overlay.

use image::DynamicImage;

use crate::formats::rows::RowWriter;

/// There is none.
pub(crate) enum Mark {}

impl Mark {
    pub(crate) fn lay(&self, _: DynamicImage) -> DynamicImage {
        match *self {}
    }

    pub(crate) fn over_rows<'a>(
        &'a self,
        _: Box<dyn RowWriter + 'a>,
        _: (u32, bool),
    ) -> Box<dyn RowWriter + 'a> {
        match *self {}
    }
}
