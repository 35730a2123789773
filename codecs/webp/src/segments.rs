//! Segments: macroblocks that share a quantiser and a strength of the loop filter.

use crate::analysis::Analysis;
use crate::kmeans::{self, Clusters, MOST};
use crate::math::pow;
use crate::quant::{Plane, QuantMatrix};
use crate::tables::quant::{AC_QLOOKUP, DC_QLOOKUP};

/// How far segments may differ in their quantisers, in percent: places that are hard to compress hide more.
const SHAPING: i32 = 50;
/// In percent.
const FILTERING: i32 = 60;
/// Less filtering than this is none.
const LEAST_FILTER: i32 = 2;
/// Up to this quality, what rounding takes from chroma is given to the neighbours.
const LAST_DIFFUSED: u8 = 98;

pub(crate) struct Segment {
    /// The index of the quantiser, 0 to 127.
    pub(crate) quant_index: usize,
    /// 0 to 63.
    pub(crate) filter_level: i32,
    pub(crate) y1: QuantMatrix,
    pub(crate) y2: QuantMatrix,
    pub(crate) uv: QuantMatrix,
    /// What a 256th of a bit is worth in 256ths of squared differences, by what is chosen.
    pub(crate) lambda_intra16: i64,
    pub(crate) lambda_intra4: i64,
    pub(crate) lambda_uv: i64,
    pub(crate) lambda_mode: i64,
    pub(crate) lambda_trellis_intra16: i64,
    pub(crate) lambda_trellis_intra4: i64,
    /// What lost texture weighs, in 256ths; 0: it is not looked at.
    pub(crate) texture_weight: i32,
    /// From this distortion on, macroblocks of nothing but first coefficients are blocky.
    pub(crate) min_sse: i32,
    pub(crate) diffuses_dc_errors: bool,
}

/// What all segments of a picture share.
pub(crate) struct Segments {
    pub(crate) list: Vec<Segment>,
    /// Of each macroblock.
    pub(crate) map: Vec<u8>,
    /// What is added to the indices of chroma.
    pub(crate) uv_dc_delta: i32,
    pub(crate) uv_ac_delta: i32,
}

impl Segments {
    /// `analysis` gives its memory on.
    pub(crate) fn new(analysis: Analysis, quality: u8, weighs_texture: bool) -> Self {
        let clusters = kmeans::find(&analysis.ease);
        // Chroma is usually about 60; from 30, which is bad, to 100 it is coded finer or coarser.
        let uv_ac_delta = ((analysis.chroma - 64) * (6 + 4) / (100 - 30) * SHAPING / 100).clamp(-4, 6);
        let uv_dc_delta = (-4 * SHAPING / 100).clamp(-15, 15);
        let (least, most) = clusters
            .centers
            .iter()
            .fold((i32::MAX, i32::MIN), |(least, most), &center| (least.min(center), most.max(center)));
        let range = (most - least).max(1);
        let mut list: Vec<Segment> = Vec::with_capacity(MOST);
        let mut kept = [0; MOST];
        for (kept, center) in kept.iter_mut().zip(clusters.centers) {
            let shift = (255 * (center - clusters.mean) / range).clamp(-127, 127);
            let beta = (255 * (center - least) / range).clamp(0, 255);
            let index = quantiser_index(quality, shift);
            let filter = filter(index, beta);
            let same =
                list.iter().position(|other| other.quant_index == index && other.filter_level == filter);
            *kept = same.unwrap_or(list.len());
            if same.is_none() {
                let mut segment = Segment::new(index, filter, [uv_dc_delta, uv_ac_delta], weighs_texture);
                segment.diffuses_dc_errors = quality <= LAST_DIFFUSED;
                list.push(segment);
            }
        }
        let map = assign(analysis.ease, &clusters, &kept);
        Self { list, map, uv_dc_delta, uv_ac_delta }
    }

    /// Makes one segment of all.
    pub(crate) fn merge(&mut self) {
        self.list.truncate(1);
        self.map.fill(0);
    }

    pub(crate) fn segment(&self, macroblock: usize) -> &Segment {
        &self.list[usize::from(self.map[macroblock]).min(self.list.len() - 1)]
    }
}

fn assign(mut ease: Vec<u8>, clusters: &Clusters, kept: &[usize; MOST]) -> Vec<u8> {
    for ease in &mut ease {
        *ease = kept[usize::from(clusters.of[usize::from(*ease)])] as u8;
    }
    ease
}

/// The index for a quality of 0 to 100, 127 being the coarsest; `shift` is how much easier than the mean a segment is.
fn quantiser_index(quality: u8, shift: i32) -> usize {
    let quality = f64::from(quality.min(100)) / 100.0;
    // Good quality is meant to be about 75, where half of the scale is.
    let straight = if quality < 0.75 { quality * (2.0 / 3.0) } else { 2.0 * quality - 1.0 };
    // Bytes go roughly with the third power of the step.
    let base = pow(straight, 1.0 / 3.0);
    let bend = 0.9 * f64::from(SHAPING) / 100.0 / 128.0;
    let compression = pow(base, 1.0 - bend * f64::from(shift));
    (127.0 * (1.0 - compression)).clamp(0.0, 127.0) as usize
}

fn filter(index: usize, beta: i32) -> i32 {
    let strength = i32::from(AC_QLOOKUP[index] >> 2).min(63) * 5 * FILTERING / (256 + beta);
    if strength < LEAST_FILTER { 0 } else { strength.min(63) }
}

impl Segment {
    fn new(index: usize, filter: i32, [uv_dc_delta, uv_ac_delta]: [i32; 2], weighs_texture: bool) -> Self {
        let moved = |by: i32, most: i32| (index as i32 + by).clamp(0, most) as usize;
        let y1 = QuantMatrix::new(Plane::Y1, DC_QLOOKUP[index], AC_QLOOKUP[index]);
        let y2 = QuantMatrix::new(Plane::Y2, 2 * DC_QLOOKUP[index], (AC_QLOOKUP[index] * 155 / 100).max(8));
        let uv = QuantMatrix::new(
            Plane::Uv,
            DC_QLOOKUP[moved(uv_dc_delta, 117)],
            AC_QLOOKUP[moved(uv_ac_delta, 127)],
        );
        let squares = [y1.mean_step(), y2.mean_step(), uv.mean_step()].map(|mean| i64::from(mean * mean));
        Self {
            quant_index: index,
            filter_level: filter,
            lambda_intra16: 3 * squares[1],
            lambda_intra4: ((3 * squares[0]) >> 7).max(1),
            lambda_uv: ((3 * squares[2]) >> 6).max(1),
            lambda_mode: (squares[0] >> 7).max(1),
            lambda_trellis_intra16: (squares[1] >> 2).max(1),
            lambda_trellis_intra4: ((7 * squares[0]) >> 3).max(1),
            texture_weight: if weighs_texture { ((SHAPING * y1.mean_step()) >> 5).max(1) } else { 0 },
            min_sse: 20 * i32::from(DC_QLOOKUP[index]),
            diffuses_dc_errors: true,
            y1,
            y2,
            uv,
        }
    }
}
