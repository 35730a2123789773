//! Decoding of a tile: syntax elements, prediction and residuals (AV1 specification, sections 5.11 and 8.3). The state of a tile, its
//! contexts and its prediction are the encoder's, too.

pub(crate) mod block;
pub(crate) mod block_copy;
pub(crate) mod bounds;
pub(crate) mod coefficient_contexts;
pub(crate) mod coefficient_shape;
pub(crate) mod coefficients;
pub(crate) mod decoded_flags;
pub(crate) mod mode_info;
pub(crate) mod neighbors;
pub(crate) mod palette;
pub(crate) mod palette_indices;
pub(crate) mod partition;
pub(crate) mod prediction;
mod quantizer_changes;
mod residual;
mod restoration_references;
mod restoration_units;
mod scans;
mod segment;
mod tile_decoder;
mod tile_state;
mod transform_size;
pub(crate) mod transform_type;
pub(crate) mod tx_sizes;
mod vector_prediction;

pub(crate) use bounds::TileBounds;
pub(crate) use tile_decoder::TileDecoder;
pub(crate) use tile_state::{MAX_PALETTE_SIDE, TileState, Workspace};
