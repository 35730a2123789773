//! Luma predicted in one piece: sixteen blocks, whose first coefficients are transformed a second time.

use super::Search;
use super::score::{Score, filled, last, texture_loss, weigh_texture};
use crate::cost;
use crate::distortion::{squared, texture};
use crate::lanes::{Arrays, Lanes, arrays, block};
use crate::levels::LevelCosts;
use crate::predict::whole::Edges;
use crate::predict::{GRADIENT, MODES};
use crate::residuals::kind;
use crate::segments::Segment;
use crate::source::Macroblock;
use crate::surroundings::Surroundings;
use crate::tables::ZIGZAG;
use crate::trellis::{self, Setting};
use crate::{transform, walsh};

pub(super) struct Whole {
    pub(super) mode: u8,
    pub(super) score: Score,
    /// The distortion without texture.
    squared: i32,
    pub(super) second: [i16; 16],
    rest: [Arrays; 2],
    filled: [[u16; 8]; 2],
    pixels: [Arrays; 2],
    pub(super) blockiness: i16,
    /// The picture is of one colour here: any finer prediction would only disturb it.
    pub(super) is_forced: bool,
}

impl Whole {
    pub(super) fn levels(&self) -> [[i16; 16]; 16] {
        std::array::from_fn(|index| block(&self.rest[index / 8], index % 8))
    }

    /// The lowest row of pixels and the column on the right.
    pub(super) fn edges(&self) -> ([u8; 16], [u8; 16]) {
        let below = std::array::from_fn(|x| self.pixels[1][12 + x % 4][4 + x / 4] as u8);
        let right = std::array::from_fn(|y| self.pixels[y / 8][4 * (y % 4) + 3][4 * (y % 8 / 4) + 3] as u8);
        (below, right)
    }
}

pub(super) fn search(
    picture: &Macroblock,
    around: &Surroundings,
    segment: &Segment,
    costs: &LevelCosts,
    search: &Search,
) -> Whole {
    let edges = Edges::luma(around);
    let is_flat = picture.is_flat();
    let mut best: Option<(Whole, i64)> = None;
    for mode in 0..search.whole_modes.clamp(1, MODES) {
        let mut tried = code(picture, &edges, segment, mode);
        // A prediction that leaves next to nothing of one colour is taken at once.
        if mode == GRADIENT
            && is_flat
            && tried.filled.as_flattened().iter().map(|bits| bits.count_ones()).sum::<u32>() <= 1
        {
            tried.is_forced = true;
            tried.score = Score::default();
            best = Some((tried, 0));
            break;
        }
        tried.score.rate = i64::from(cost::modes().luma[mode]);
        if best.as_ref().is_some_and(|&(_, best)| tried.score.weigh(segment.lambda_whole) >= best) {
            continue;
        }
        tried.score.rate += i64::from(rate(&tried, around, costs));
        let weight = tried.score.weigh(segment.lambda_whole);
        if best.as_ref().is_none_or(|&(_, best)| weight < best) {
            best = Some((tried, weight));
        }
    }
    let mut whole = best.map_or_else(|| code(picture, &edges, segment, 0), |(whole, _)| whole);
    if whole.filled == [[0; 8]; 2] && whole.squared > segment.min_distortion {
        let uneven = [1, 2, 4].map(|at| whole.second[at].saturating_abs());
        whole.blockiness = uneven.into_iter().max().unwrap_or(0);
    }
    if search.trellis && !whole.is_forced {
        refine(&mut whole, picture, &edges, around, segment, costs);
    }
    whole
}

/// Chooses the levels of the mode that was chosen again, by what they cost.
fn refine(
    whole: &mut Whole,
    picture: &Macroblock,
    edges: &[Edges; 2],
    around: &Surroundings,
    segment: &Segment,
    costs: &LevelCosts,
) {
    let (mut above, mut left) = (around.filled_above.luma, around.filled_left.luma);
    let mut second = whole.second;
    for (level, place) in whole.second.iter().zip(ZIGZAG) {
        second[place] = level.wrapping_mul(segment.second.step[place] as i16);
    }
    let first = walsh::inverse(&second);
    for half in 0..2 {
        let prediction = edges[half].predict(usize::from(whole.mode));
        let mut coefficients = arrays(&transform::forward(&picture.luma[half], &prediction));
        for lane in 0..8 {
            let (above, left) = (&mut above[lane % 4], &mut left[2 * half + lane / 4]);
            let context = usize::from(*above + *left);
            let setting =
                Setting { kind: kind::LUMA_REST, context, lambda: segment.lambda_whole_levels, costs };
            let mut own = block(&coefficients, lane);
            let levels = trellis::quantise(&mut own, &segment.luma, &setting);
            own[0] = first[8 * half + lane];
            for place in 0..16 {
                coefficients[place][lane] = own[place];
                whole.rest[half][place][lane] = levels[place];
            }
            *above = u8::from(levels != [0; 16]);
            *left = *above;
        }
        whole.pixels[half] = arrays(&transform::inverse(&coefficients.map(Lanes::new), &prediction));
    }
}

#[inline(never)]
fn code(picture: &Macroblock, edges: &[Edges; 2], segment: &Segment, mode: usize) -> Whole {
    let predictions = [0, 1].map(|half: usize| edges[half].predict(mode));
    let mut coefficients =
        [0, 1].map(|half: usize| transform::forward(&picture.luma[half], &predictions[half]));
    let first = [coefficients[0][0].array(), coefficients[1][0].array()];
    let mut second = walsh::forward(&std::array::from_fn(|index| first[index / 8][index % 8]));
    let second_levels = segment.second.quantise_one(&mut second);
    let first = walsh::inverse(&second);
    let mut rest = [[[0; 8]; 16]; 2];
    let mut filled_rest = [[0; 8]; 2];
    let mut all_pixels = [[[0; 8]; 16]; 2];
    let (mut distortion, mut loss) = (0, 0);
    for half in 0..2 {
        coefficients[half][0] = Lanes::ZERO;
        let levels = segment.luma.quantise(&mut coefficients[half]);
        coefficients[half][0] = Lanes::from_fn(|lane| first[8 * half + lane]);
        let pixels = transform::inverse(&coefficients[half], &predictions[half]);
        rest[half] = arrays(&levels);
        filled_rest[half] = filled(&levels);
        all_pixels[half] = arrays(&pixels);
        distortion += squared(&picture.luma[half], &pixels).iter().sum::<i32>();
        if segment.texture > 0 {
            let textures = texture(&pixels);
            for (lane, texture) in textures.into_iter().enumerate() {
                loss += texture_loss(picture.textures[8 * half + lane], texture);
            }
        }
    }
    Whole {
        mode: mode as u8,
        score: Score { distortion: i64::from(distortion + weigh_texture(segment.texture, loss)), rate: 0 },
        squared: distortion,
        second: second_levels,
        rest,
        filled: filled_rest,
        pixels: all_pixels,
        blockiness: 0,
        is_forced: false,
    }
}

fn rate(whole: &Whole, around: &Surroundings, costs: &LevelCosts) -> u32 {
    let (mut above, mut left) = (around.filled_above.luma, around.filled_left.luma);
    let context = usize::from(around.filled_above.second + around.filled_left.second);
    let end = whole.second.iter().rposition(|&level| level != 0);
    let mut rate = costs.of_block(kind::SECOND, context, end, |at| whole.second[at]);
    for index in 0..16 {
        let (half, lane) = (index / 8, index % 8);
        let (above, left) = (&mut above[index % 4], &mut left[index / 4]);
        let bits = whole.filled[half][lane];
        let levels = &whole.rest[half];
        let context = usize::from(*above + *left);
        rate += costs.of_block(kind::LUMA_REST, context, last(bits), |at| levels[at][lane]);
        *above = u8::from(bits != 0);
        *left = *above;
    }
    rate
}
