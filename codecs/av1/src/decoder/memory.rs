//! What decoding a frame allocates, for the limit of the caller.

use crate::obu::{FrameHeader, SequenceHeader};
use crate::plane::PADDING;

/// Bytes for each 4×4 block: its segment, its transform sizes and filter levels.
const BYTES_OF_BLOCK: u64 = 1 + 2 + 4;
/// Bytes for the vector of each 4×4 block.
const BYTES_OF_VECTOR: u64 = 16;
/// What does not depend on the size: tables, probabilities and buffers of blocks.
const FIXED: u64 = 256 << 10;
/// Rows that filters keep of each plane, at most.
const SCRATCH_ROWS: u64 = 256;
/// The part of its rows that loop restoration keeps of a plane: four of 64.
const BOUNDARY_SHARE: u64 = 16;

/// The bytes that a frame takes at most.
pub(super) fn estimate(sequence: &SequenceHeader, header: &FrameHeader) -> u64 {
    let size = &header.size;
    let padded = |side: usize| (side as u64).next_multiple_of(u64::from(PADDING));
    let (width, height) = (padded(size.width), padded(size.height));
    let samples = |width: u64, height: u64| -> u64 {
        let of = |plane: usize| {
            let (ss_x, ss_y) = sequence.color.subsampling(plane);
            (width >> ss_x) * (height >> ss_y)
        };
        (0..sequence.color.planes()).map(of).sum()
    };
    let upscaled = if size.uses_superres() { samples(padded(size.upscaled_width), height) } else { 0 };
    let restores = header.restoration.kind.iter().any(Option::is_some);
    let boundaries = if restores { height / BOUNDARY_SHARE } else { 0 };
    let scratch = samples(padded(size.upscaled_width), SCRATCH_ROWS + boundaries);
    let block = BYTES_OF_BLOCK + if header.allow_intrabc { BYTES_OF_VECTOR } else { 0 };
    2 * (samples(width, height) + upscaled + scratch) + width * height / 16 * block + FIXED
}
