//! Decoding of a tile: syntax elements, prediction and residuals (AV1 specification, sections 5.11 and 8.3).

mod block;
mod block_copy;
mod bounds;
mod coefficient_contexts;
mod coefficient_shape;
mod coefficients;
mod decoded_flags;
mod mode_info;
mod neighbors;
mod palette;
mod palette_indices;
mod partition;
mod quantizer_changes;
mod residual;
mod restoration_references;
mod restoration_units;
mod scans;
mod segment;
mod tile_decoder;
mod transform_size;
mod transform_type;
mod tx_sizes;
mod vector_prediction;

pub(crate) use bounds::TileBounds;
pub(crate) use tile_decoder::{TileDecoder, Workspace};
