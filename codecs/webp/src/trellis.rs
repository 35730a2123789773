//! Trellis quantization: each coefficient may take one of two levels, and the path through all of them with the least
//! rate-distortion cost is chosen (a Viterbi search, since the cost of a level depends on the one before).

use crate::coeffs::block_type;
use crate::level_cost::LevelCosts;
use crate::quant::QuantMatrix;
use crate::tables::{MAX_LEVEL, ZIGZAG};

/// The weight of the squared error by raster position (`LICENSE-libwebp`).
const ERROR_WEIGHTS: [i64; 16] = [30, 27, 19, 11, 27, 24, 17, 10, 19, 17, 12, 8, 11, 10, 8, 6];
/// The cost of an unreachable node.
const UNREACHABLE: i64 = i64::MAX / 2;

/// The coding context of a block, and the λ that weighs its rate.
#[derive(Clone, Copy)]
pub(crate) struct TrellisBlock<'a> {
    pub(crate) block_type: usize,
    pub(crate) context: usize,
    pub(crate) lambda: i64,
    pub(crate) costs: &'a LevelCosts,
}

/// One of the two levels at a coding position, with the best path that ends there.
#[derive(Clone, Copy)]
struct Node {
    level: i16,
    cost: i64,
    /// The node before it on the path.
    previous: usize,
}

/// The levels in coding order. The dequantized values replace the coefficients.
pub(crate) fn quantize(
    coefficients: &mut [i16; 16],
    matrix: &QuantMatrix,
    block: &TrellisBlock<'_>,
) -> [i16; 16] {
    let first = usize::from(block.block_type == block_type::Y_AFTER_Y2);
    let (nodes, end) = search(coefficients, matrix, block, first);
    let mut levels = [0; 16];
    if let Some((last, mut choice)) = end {
        for position in (first..=last).rev() {
            let node = nodes[position][choice];
            let is_negative = coefficients[ZIGZAG[position]] < 0;
            levels[position] = if is_negative { -node.level } else { node.level };
            choice = node.previous;
        }
    }
    for (level, i) in levels.iter().zip(ZIGZAG).skip(first) {
        coefficients[i] = level.wrapping_mul(matrix.step[i] as i16);
    }
    levels
}

/// All nodes, and the position and choice of the best last non-zero level; none if the empty block is best.
fn search(
    coefficients: &[i16; 16],
    matrix: &QuantMatrix,
    block: &TrellisBlock<'_>,
    first: usize,
) -> ([[Node; 2]; 16], Option<(usize, usize)>) {
    let mut nodes = [[Node { level: 0, cost: UNREACHABLE, previous: 0 }; 2]; 16];
    let rate = |cost: u32| i64::from(cost) * block.lambda;
    let mut best = rate(block.costs.end_of_block(block.block_type, first, block.context));
    let mut end = None;
    for position in first..16 {
        let i = ZIGZAG[position];
        let step = i64::from(matrix.step[i]);
        let magnitude = i64::from(coefficients[i].unsigned_abs() + matrix.sharpen[i]);
        let floor = (magnitude / step).min(i64::from(MAX_LEVEL) - 1);
        for choice in 0..2 {
            let level = floor + choice as i64;
            // The level above is only tried where it is nearer.
            if choice == 1 && 2 * (magnitude - floor * step) < step {
                continue;
            }
            let error = magnitude - level * step;
            let distortion = ERROR_WEIGHTS[i] * (error * error - magnitude * magnitude);
            let (cost, previous) = cheapest_path(&nodes, position, first, level as usize, block);
            let cost = cost.saturating_add(256 * distortion);
            nodes[position][choice] = Node { level: level as i16, cost, previous };
            if level > 0 && cost < best {
                let end_of_block = match position {
                    15 => 0,
                    _ => block.costs.end_of_block(block.block_type, position + 1, (level as usize).min(2)),
                };
                if cost + rate(end_of_block) < best {
                    best = cost + rate(end_of_block);
                    end = Some((position, choice));
                }
            }
        }
    }
    (nodes, end)
}

/// The cheaper of the two paths to a level, and the node that it comes from.
fn cheapest_path(
    nodes: &[[Node; 2]; 16],
    position: usize,
    first: usize,
    level: usize,
    block: &TrellisBlock<'_>,
) -> (i64, usize) {
    let rate = |cost: u32| i64::from(cost) * block.lambda;
    if position == first {
        let start = block.costs.first_level(block.block_type, first, block.context);
        let cost = block.costs.level(block.block_type, position, block.context, level);
        return (rate(start + cost), 0);
    }
    let paths = nodes[position - 1].map(|node| {
        let context = usize::from(node.level.unsigned_abs()).min(2);
        node.cost.saturating_add(rate(block.costs.level(block.block_type, position, context, level)))
    });
    if paths[1] < paths[0] { (paths[1], 1) } else { (paths[0], 0) }
}
