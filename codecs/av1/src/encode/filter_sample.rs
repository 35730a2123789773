//! The rows of a frame on which filters are tried: some bands of superblocks, spread over the whole height.

use std::collections::TryReserveError;

use crate::decoder::post_filters;
use crate::frame::FrameState;
use crate::obu::{FrameHeader, SequenceHeader};
use crate::plane::Plane;
use crate::postfilter;

/// Luma rows of a band.
const ROWS: usize = 64;

pub(super) struct FilterSample(Vec<Band>);

/// Rows of all planes, before the filters.
struct Band {
    /// The first luma row.
    y: usize,
    source: Vec<Plane>,
    decoded: Vec<Plane>,
}

impl FilterSample {
    /// Of planes with and without the loss. `pixels` is about how many are taken. `ss_y` is 1 where chroma has half of the rows.
    pub(super) fn new(
        source: &[Plane],
        decoded: &[Plane],
        ss_y: u8,
        pixels: usize,
    ) -> Result<Self, TryReserveError> {
        let height = source[0].height;
        let bands = height.div_ceil(ROWS);
        let taken = (pixels / (ROWS * source[0].stride)).clamp(1, bands);
        let band = |number: usize| {
            let y = (2 * number + 1) * bands / (2 * taken) * ROWS;
            // The filters reach the end of the last 8×8 squares.
            let count = ROWS.min(height - y).next_multiple_of(8);
            let of = |planes: &[Plane]| {
                let part = |(index, plane): (usize, &Plane)| {
                    let ss_y = if index == 0 { 0 } else { ss_y };
                    rows(plane, y >> ss_y, count >> ss_y)
                };
                planes.iter().enumerate().map(part).collect::<Result<Vec<_>, _>>()
            };
            Ok(Band { y, source: of(source)?, decoded: of(decoded)? })
        };
        (0..taken).map(band).collect::<Result<_, _>>().map(Self)
    }

    /// The squared error of each plane after the filters that the header has.
    pub(super) fn errors(
        &self,
        sequence: &SequenceHeader,
        header: &FrameHeader,
        frame: &FrameState,
    ) -> Result<Vec<f32>, TryReserveError> {
        let filters = post_filters(sequence, header, frame);
        let mut errors = vec![0.0; frame.planes.len()];
        for Band { y, source, decoded } in &self.0 {
            let mut planes = Vec::with_capacity(decoded.len());
            for plane in decoded {
                planes.push(rows(plane, 0, plane.padded_height())?);
            }
            postfilter::apply(&mut planes, &filters.of_rows(y / 4, source[0].height))?;
            for (error, (source, plane)) in errors.iter_mut().zip(source.iter().zip(&planes)) {
                *error += squared_error(source, plane);
            }
        }
        Ok(errors)
    }
}

/// A copy of some rows with their padding.
fn rows(plane: &Plane, y: usize, count: usize) -> Result<Plane, TryReserveError> {
    let visible = count.min(plane.height.saturating_sub(y));
    let mut copy = Plane::new(plane.width, visible, plane.stride, count)?;
    let from = &plane.data[y * plane.stride..];
    let length = copy.data.len().min(from.len());
    copy.data[..length].copy_from_slice(&from[..length]);
    Ok(copy)
}

fn squared_error(one: &Plane, other: &Plane) -> f32 {
    /// Samples whose squares fit into 32 bits together.
    const RUN: usize = 64;
    let of_run = |(one, other): (&[u16], &[u16])| {
        let squares = one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2));
        u64::from(squares.sum::<u32>())
    };
    let of_row = |y| -> u64 { one.row(y).chunks(RUN).zip(other.row(y).chunks(RUN)).map(of_run).sum() };
    (0..one.height).map(of_row).sum::<u64>() as f32
}
