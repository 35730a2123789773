//! The deblocking filter (section 7.14), for intra frames: there every edge of a transform block is filtered.

mod filter;
mod level;
#[cfg(test)]
mod tests;

use super::FrameShape;
use crate::coverage;
use crate::plane::Plane;
use crate::transform::TxSize;
use filter::{LINES, Limits, Window};

pub(crate) use level::level;

/// Samples of a side of the units in which sizes and levels are given, in the plane.
const UNIT: usize = 4;

/// What the filter depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deblock<'a> {
    /// The transform size at each 4 × 4 samples of luma, `mi_cols` in each of `mi_rows` rows; and of chroma, (`mi_cols` >> `ss_x`) in each
    /// of (`mi_rows` >> `ss_y`) rows.
    pub(crate) tx: [&'a [TxSize]; 2],
    /// The filter levels (`level`) at each 4 × 4 luma samples, `mi_cols` in a row: vertical edges of luma, horizontal edges of luma, U, V.
    pub(crate) levels: &'a [[u8; 4]],
    /// `loop_filter_sharpness`, 0 to 7.
    pub(crate) sharpness: u8,
    /// Which planes are filtered.
    pub(crate) planes: [bool; 3],
}

/// Filters the planes in place.
pub(super) fn apply(planes: &mut [Plane], shape: &FrameShape, deblock: &Deblock) {
    let limits = Limits::of_levels(deblock.sharpness, shape.bit_depth);
    for (index, plane) in planes.iter_mut().enumerate() {
        if !deblock.planes.get(index).is_some_and(|&enabled| enabled) {
            continue;
        }
        for pass in [Pass::Vertical, Pass::Horizontal] {
            EdgeMap::new(shape, deblock, index, pass).filter(plane, &limits);
        }
    }
}

/// Which edges are filtered.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Vertical,
    Horizontal,
}

/// The edges of one direction in one plane.
struct EdgeMap<'a> {
    pass: Pass,
    luma: bool,
    bit_depth: u8,
    tx: &'a [TxSize],
    /// Units in a row of `tx`.
    tx_columns: usize,
    levels: &'a [[u8; 4]],
    /// Entries in a row of `levels`.
    level_columns: usize,
    /// Which of the four levels applies.
    level_index: usize,
    ss: (usize, usize),
    /// Units inside the frame.
    columns: usize,
    rows: usize,
}

/// How one unit of an edge is filtered: samples on each side that are looked at (0: not at all), and the level.
#[derive(Clone, Copy, Default, PartialEq)]
struct Edge {
    reach: usize,
    level: u8,
}

impl<'a> EdgeMap<'a> {
    fn new(shape: &FrameShape, deblock: &Deblock<'a>, plane: usize, pass: Pass) -> Self {
        let luma = plane == 0;
        let ss = if luma { (0, 0) } else { (usize::from(shape.ss_x), usize::from(shape.ss_y)) };
        Self {
            pass,
            luma,
            bit_depth: shape.bit_depth,
            tx: deblock.tx[usize::from(!luma)],
            tx_columns: shape.mi_cols >> ss.0,
            levels: deblock.levels,
            level_columns: shape.mi_cols,
            level_index: if luma { usize::from(pass == Pass::Horizontal) } else { plane + 1 },
            ss,
            columns: shape.coded_width.div_ceil(UNIT << ss.0),
            rows: shape.height.div_ceil(UNIT << ss.1),
        }
    }

    fn filter(&self, plane: &mut Plane, limits: &[Limits; 64]) {
        match self.pass {
            Pass::Vertical => {
                for row in (0..self.rows).step_by(2) {
                    for column in 1..self.columns {
                        let pair = [self.edge(row, column), self.edge(row + 1, column)];
                        self.filter_pair(plane, (row, column), pair, limits);
                    }
                }
            }
            Pass::Horizontal => {
                for row in 1..self.rows {
                    for column in (0..self.columns).step_by(2) {
                        let pair = [self.edge(row, column), self.edge(row, column + 1)];
                        self.filter_pair(plane, (row, column), pair, limits);
                    }
                }
            }
        }
    }

    /// The edge before a unit: to the left of it, or above it. There is none outside the frame.
    #[inline]
    fn edge(&self, row: usize, column: usize) -> Edge {
        if row >= self.rows || column >= self.columns {
            return Edge::default();
        }
        let at = row * self.tx_columns + column;
        let size = self.side(at);
        let (position, back) = match self.pass {
            Pass::Vertical => (column, 1),
            Pass::Horizontal => (row, self.tx_columns),
        };
        if (position * UNIT) & (size - 1) != 0 {
            return Edge::default();
        }
        let reach = self.reach(size.min(self.side(at - back)));
        let (row, column) = ((row << self.ss.1) | self.ss.1, (column << self.ss.0) | self.ss.0);
        let before = match self.pass {
            Pass::Vertical => 1 << self.ss.0,
            Pass::Horizontal => self.level_columns << self.ss.1,
        };
        let at = row * self.level_columns + column;
        let level = |at: usize| self.levels[at][self.level_index];
        let level = if level(at) == 0 { level(at - before) } else { level(at) };
        if level == 0 { Edge::default() } else { Edge { reach, level: level & 63 } }
    }

    /// The side of the transform block that is perpendicular to the edge.
    #[inline]
    fn side(&self, at: usize) -> usize {
        match self.pass {
            Pass::Vertical => self.tx[at].width(),
            Pass::Horizontal => self.tx[at].height(),
        }
    }

    /// Samples on each side that a filter for this size looks at (sections 7.14.3 and 7.14.6.2).
    #[inline]
    fn reach(&self, size: usize) -> usize {
        match (size, self.luma) {
            (4, _) => 2,
            (_, false) => 3,
            (8, true) => 4,
            _ => 7,
        }
    }

    /// Filters two neighboring units of an edge.
    #[inline]
    fn filter_pair(
        &self,
        plane: &mut Plane,
        unit: (usize, usize),
        [first, second]: [Edge; 2],
        limits: &[Limits; 64],
    ) {
        let (y, x) = (unit.0 * UNIT, unit.1 * UNIT);
        let of = |edge: Edge| if edge.reach == 0 { Limits::NEVER } else { limits[usize::from(edge.level)] };
        if first.reach == second.reach || second.reach == 0 {
            self.filter_lines(plane, (x, y), first.reach, [of(first), of(second)]);
        } else {
            self.filter_lines(plane, (x, y), first.reach, [of(first), Limits::NEVER]);
            self.filter_lines(plane, (x, y), second.reach, [Limits::NEVER, of(second)]);
        }
    }

    fn filter_lines(&self, plane: &mut Plane, at: (usize, usize), reach: usize, limits: [Limits; 2]) {
        if reach > 0 {
            coverage::count("deblock", reach);
        }
        match reach {
            2 => self.filter_window::<2, 4>(plane, at, limits),
            3 => self.filter_window::<3, 6>(plane, at, limits),
            4 => self.filter_window::<4, 8>(plane, at, limits),
            7 => self.filter_window::<7, 14>(plane, at, limits),
            _ => {}
        }
    }

    fn filter_window<const REACH: usize, const WIDTH: usize>(
        &self,
        plane: &mut Plane,
        (x, y): (usize, usize),
        limits: [Limits; 2],
    ) {
        let mut window: Window<WIDTH> = [[0; LINES]; WIDTH];
        let stride = plane.stride;
        match self.pass {
            Pass::Vertical => {
                let rows = &mut plane.data[y * stride + x - REACH..];
                for (line, row) in rows.chunks(stride).take(LINES).enumerate() {
                    for (samples, &sample) in window.iter_mut().zip(&row[..WIDTH]) {
                        samples[line] = sample as i16;
                    }
                }
                if !filter::filter::<REACH, WIDTH>(&mut window, limits, self.bit_depth) {
                    return;
                }
                for (line, row) in rows.chunks_mut(stride).take(LINES).enumerate() {
                    for (samples, sample) in window.iter().zip(&mut row[..WIDTH]) {
                        *sample = samples[line] as u16;
                    }
                }
            }
            Pass::Horizontal => {
                let rows = &mut plane.data[(y - REACH) * stride + x..];
                for (samples, row) in window.iter_mut().zip(rows.chunks(stride)) {
                    for (to, &from) in samples.iter_mut().zip(&row[..LINES]) {
                        *to = from as i16;
                    }
                }
                if !filter::filter::<REACH, WIDTH>(&mut window, limits, self.bit_depth) {
                    return;
                }
                for (samples, row) in window.iter().zip(rows.chunks_mut(stride)) {
                    for (&from, to) in samples.iter().zip(&mut row[..LINES]) {
                        *to = from as u16;
                    }
                }
            }
        }
    }
}
