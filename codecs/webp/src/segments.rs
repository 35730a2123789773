//! Segments: macroblocks that share a quantiser and a strength of the loop filter.

use crate::analysis::Analysis;
use crate::clusters::{self, Clusters, MOST};
use crate::power::power;
use crate::quant::{Kind, Quantiser};
use crate::tables::steps::{AC, DC};

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
    pub(crate) index: usize,
    /// 0 to 63.
    pub(crate) filter: i32,
    pub(crate) luma: Quantiser,
    pub(crate) second: Quantiser,
    pub(crate) chroma: Quantiser,
    /// What a 256th of a bit is worth in 256ths of squared differences, by what is chosen.
    pub(crate) lambda_whole: i64,
    pub(crate) lambda_piece: i64,
    pub(crate) lambda_chroma: i64,
    pub(crate) lambda_mode: i64,
    pub(crate) lambda_whole_levels: i64,
    pub(crate) lambda_piece_levels: i64,
    /// What lost texture weighs, in 256ths; 0: it is not looked at.
    pub(crate) texture: i32,
    /// From this distortion on, macroblocks of nothing but first coefficients are blocky.
    pub(crate) min_distortion: i32,
    pub(crate) diffuses: bool,
}

/// What all segments of a picture share.
pub(crate) struct Segments {
    pub(crate) list: Vec<Segment>,
    /// Of each macroblock.
    pub(crate) of: Vec<u8>,
    /// What is added to the indices of chroma.
    pub(crate) chroma_dc: i32,
    pub(crate) chroma_ac: i32,
}

impl Segments {
    /// `analysis` gives its memory on.
    pub(crate) fn new(analysis: Analysis, quality: u8, looks_at_texture: bool) -> Self {
        let clusters = clusters::find(&analysis.ease);
        // Chroma is usually about 60; from 30, which is bad, to 100 it is coded finer or coarser.
        let chroma_ac = ((analysis.chroma - 64) * (6 + 4) / (100 - 30) * SHAPING / 100).clamp(-4, 6);
        let chroma_dc = (-4 * SHAPING / 100).clamp(-15, 15);
        let (least, most) = clusters
            .centres
            .iter()
            .fold((i32::MAX, i32::MIN), |(least, most), &centre| (least.min(centre), most.max(centre)));
        let range = (most - least).max(1);
        let mut list: Vec<Segment> = Vec::with_capacity(MOST);
        let mut kept = [0; MOST];
        for (kept, centre) in kept.iter_mut().zip(clusters.centres) {
            let shift = (255 * (centre - clusters.mean) / range).clamp(-127, 127);
            let beta = (255 * (centre - least) / range).clamp(0, 255);
            let index = quantiser_index(quality, shift);
            let filter = filter(index, beta);
            let same = list.iter().position(|other| other.index == index && other.filter == filter);
            *kept = same.unwrap_or(list.len());
            if same.is_none() {
                let mut segment = Segment::new(index, filter, [chroma_dc, chroma_ac], looks_at_texture);
                segment.diffuses = quality <= LAST_DIFFUSED;
                list.push(segment);
            }
        }
        let of = assign(analysis.ease, &clusters, &kept);
        Self { list, of, chroma_dc, chroma_ac }
    }

    /// Makes one segment of all.
    pub(crate) fn join(&mut self) {
        self.list.truncate(1);
        self.of.fill(0);
    }

    pub(crate) fn segment(&self, macroblock: usize) -> &Segment {
        &self.list[usize::from(self.of[macroblock]).min(self.list.len() - 1)]
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
    let base = power(straight, 1.0 / 3.0);
    let bend = 0.9 * f64::from(SHAPING) / 100.0 / 128.0;
    let compression = power(base, 1.0 - bend * f64::from(shift));
    (127.0 * (1.0 - compression)).clamp(0.0, 127.0) as usize
}

fn filter(index: usize, beta: i32) -> i32 {
    let strength = i32::from(AC[index] >> 2).min(63) * 5 * FILTERING / (256 + beta);
    if strength < LEAST_FILTER { 0 } else { strength.min(63) }
}

impl Segment {
    fn new(index: usize, filter: i32, [chroma_dc, chroma_ac]: [i32; 2], looks_at_texture: bool) -> Self {
        let moved = |by: i32, most: i32| (index as i32 + by).clamp(0, most) as usize;
        let luma = Quantiser::new(Kind::Luma, DC[index], AC[index]);
        let second = Quantiser::new(Kind::Second, 2 * DC[index], (AC[index] * 155 / 100).max(8));
        let chroma = Quantiser::new(Kind::Chroma, DC[moved(chroma_dc, 117)], AC[moved(chroma_ac, 127)]);
        let squares = [luma.mean(), second.mean(), chroma.mean()].map(|mean| i64::from(mean * mean));
        Self {
            index,
            filter,
            lambda_whole: 3 * squares[1],
            lambda_piece: ((3 * squares[0]) >> 7).max(1),
            lambda_chroma: ((3 * squares[2]) >> 6).max(1),
            lambda_mode: (squares[0] >> 7).max(1),
            lambda_whole_levels: (squares[1] >> 2).max(1),
            lambda_piece_levels: ((7 * squares[0]) >> 3).max(1),
            texture: if looks_at_texture { ((SHAPING * luma.mean()) >> 5).max(1) } else { 0 },
            min_distortion: 20 * i32::from(DC[index]),
            diffuses: true,
            luma,
            second,
            chroma,
        }
    }
}
