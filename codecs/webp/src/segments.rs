//! Segments (RFC 6386, section 9.3): macroblocks of similar activity share a quantizer and a loop filter level.
//!
//! Busy macroblocks hide errors and get coarser steps than calm ones. Quality sets the steps of average activity.

use crate::analysis::{Analysis, STEPS_PER_OCTAVE};
use crate::filter_strength::level_of_quantizer;
use crate::kmeans::{self, Clusters};
use crate::math::pow;
use crate::quant::{Plane, QuantMatrix};
use crate::tables::quant::{AC_QLOOKUP, DC_QLOOKUP};

/// How many octaves a step grows with each octave of variance. Chosen, as all constants here, on photographs that are no part of
/// any comparison, by bytes at equal SSIMULACRA2 and butteraugli.
const MASKING: f64 = 0.1;
/// Steps differ by at most this many octaves from those of average activity.
const MAX_MASKING: f64 = 1.0;
/// Below this index masking fades out: the finest quantizers are meant for all macroblocks.
const FADE_BELOW: f64 = 6.0;
/// What is added to the quantizer index for chroma DC and, at most, AC. Errors of color are seen in flat areas first, which DC
/// carries.
const UV_DC_DELTA: i32 = -2;
const MAX_UV_AC_DELTA: i32 = 3;
/// Quantizer indices are 0 (finest) to 127.
const MAX_INDEX: i32 = 127;
/// The largest quantizer index of chroma DC: its step is at most 132 (section 14.1).
const MAX_UV_DC_INDEX: i32 = 117;
/// What lost texture weighs.
const TEXTURE: i32 = 50;
/// Up to this quality, chroma DC errors are carried on to the neighbors. Above, they are too small to be seen.
const MAX_DIFFUSED_QUALITY: u8 = 98;

pub(crate) struct Segment {
    /// The quantizer index, 0 to 127.
    pub(crate) quant_index: usize,
    /// The loop filter level that goes with the quantizer, 0 to 63.
    pub(crate) filter_level: i32,
    pub(crate) y1: QuantMatrix,
    pub(crate) y2: QuantMatrix,
    pub(crate) uv: QuantMatrix,
    /// λ of each decision: the squared error that a bit is worth. All go with the square of the steps; the factors are libwebp's
    /// (`LICENSE-libwebp`).
    pub(crate) lambda_intra16: i64,
    pub(crate) lambda_intra4: i64,
    pub(crate) lambda_uv: i64,
    /// Between intra16 and intra4.
    pub(crate) lambda_mode: i64,
    pub(crate) lambda_trellis_intra16: i64,
    pub(crate) lambda_trellis_intra4: i64,
    /// The weight of lost texture, in 256ths; 0 if it does not count.
    pub(crate) texture_weight: i32,
    /// The squared error above which a macroblock without luma AC is blocky: a sixteenth of the DC step in each pixel.
    pub(crate) min_sse: i32,
    /// Chroma DC errors are carried on to the neighbors.
    pub(crate) diffuses_dc_errors: bool,
}

/// The segments of a picture.
pub(crate) struct Segments {
    pub(crate) list: Vec<Segment>,
    /// The segment of each macroblock in raster order.
    pub(crate) map: Vec<u8>,
    /// What is added to the quantizer index for chroma, in all segments.
    pub(crate) uv_dc_delta: i32,
    pub(crate) uv_ac_delta: i32,
}

impl Segments {
    /// Takes over the memory of `analysis` for the segment map.
    pub(crate) fn new(analysis: Analysis, quality: u8, weighs_texture: bool) -> Self {
        let clusters = kmeans::cluster(&analysis.activity);
        let base = base_index(quality);
        // One index is a larger part of a fine step than of a coarse one.
        let uv_ac_delta = (base as i32 / 8).min(MAX_UV_AC_DELTA);
        let mut list: Vec<Segment> = Vec::with_capacity(clusters.centers.len());
        let mut segment_of = Vec::with_capacity(clusters.centers.len());
        for center in &clusters.centers {
            let octaves = (center - clusters.mean) / f64::from(STEPS_PER_OCTAVE);
            let index = masked_index(base, octaves);
            let same = list.iter().position(|other| other.quant_index == index);
            segment_of.push(same.unwrap_or(list.len()));
            if same.is_none() {
                let mut segment = Segment::new(index, uv_ac_delta, weighs_texture);
                segment.diffuses_dc_errors = quality <= MAX_DIFFUSED_QUALITY;
                list.push(segment);
            }
        }
        let map = assign(analysis.activity, &clusters, &segment_of);
        Self { list, map, uv_dc_delta: UV_DC_DELTA, uv_ac_delta }
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

fn assign(mut activity: Vec<u8>, clusters: &Clusters, segment_of: &[usize]) -> Vec<u8> {
    for value in &mut activity {
        *value = segment_of[usize::from(clusters.of[usize::from(*value)])] as u8;
    }
    activity
}

/// The quantizer index of a quality, for average activity.
///
/// This is libwebp's scale, so that a quality means the same: the size of a file goes roughly with the third power of
/// 1 − index / 127, and quality 75 is the middle of the sizes.
fn base_index(quality: u8) -> usize {
    let quality = f64::from(quality.min(100)) / 100.0;
    let size = if quality < 0.75 { quality * (2.0 / 3.0) } else { 2.0 * quality - 1.0 };
    (f64::from(MAX_INDEX) * (1.0 - pow(size, 1.0 / 3.0))) as usize
}

/// The quantizer index for macroblocks that are so many octaves of variance busier than the mean.
fn masked_index(base: usize, octaves: f64) -> usize {
    let fade = (base as f64 / FADE_BELOW).min(1.0);
    let octaves_of_step = (MASKING * fade * octaves).clamp(-MAX_MASKING, MAX_MASKING);
    let step = f64::from(AC_QLOOKUP[base]) * pow(0.5, -octaves_of_step);
    // The nearest of ascending steps.
    let above = AC_QLOOKUP.partition_point(|&ac| f64::from(ac) < step).min(AC_QLOOKUP.len() - 1);
    let below = above.saturating_sub(1);
    let distance = |index: usize| (f64::from(AC_QLOOKUP[index]) - step).abs();
    if distance(below) < distance(above) { below } else { above }
}

impl Segment {
    fn new(index: usize, uv_ac_delta: i32, weighs_texture: bool) -> Self {
        let (dc, ac) = (DC_QLOOKUP[index], AC_QLOOKUP[index]);
        let shifted = |delta: i32, max: i32| (index as i32 + delta).clamp(0, max) as usize;
        let y1 = QuantMatrix::new(Plane::Y1, dc, ac);
        // The factors and limits of section 14.1.
        let y2 = QuantMatrix::new(Plane::Y2, 2 * dc, (ac * 155 / 100).max(8));
        let uv_dc = DC_QLOOKUP[shifted(UV_DC_DELTA, MAX_UV_DC_INDEX)];
        let uv = QuantMatrix::new(Plane::Uv, uv_dc, AC_QLOOKUP[shifted(uv_ac_delta, MAX_INDEX)]);
        let squares = [y1.mean_step(), y2.mean_step(), uv.mean_step()].map(|mean| i64::from(mean * mean));
        Self {
            quant_index: index,
            filter_level: level_of_quantizer(ac),
            lambda_intra16: 3 * squares[1],
            lambda_intra4: ((3 * squares[0]) >> 7).max(1),
            lambda_uv: ((3 * squares[2]) >> 6).max(1),
            lambda_mode: (squares[0] >> 7).max(1),
            lambda_trellis_intra16: (squares[1] >> 2).max(1),
            lambda_trellis_intra4: ((7 * squares[0]) >> 3).max(1),
            texture_weight: if weighs_texture { ((TEXTURE * y1.mean_step()) >> 5).max(1) } else { 0 },
            min_sse: 16 * i32::from(dc),
            diffuses_dc_errors: true,
            y1,
            y2,
            uv,
        }
    }
}
