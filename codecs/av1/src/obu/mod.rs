//! What stands before the tiles: open bitstream units, and the headers in them (AV1 specification, sections 5.3 to 5.11.1).

mod bit_reader;
mod color;
mod film_grain;
mod frame_header;
mod frame_size;
mod loop_filters;
mod quantizer;
mod segmentation;
mod sequence;
mod tile_group;
mod tile_info;
mod unit;

pub use color::{ChromaSamplePosition, ColorConfig};
pub(crate) use frame_header::{FrameHeader, Header, HeaderContext};
pub(crate) use frame_size::FrameSize;
pub(crate) use loop_filters::{CdefParams, LoopFilterParams, RestorationType};
pub(crate) use quantizer::QuantizerParams;
pub(crate) use segmentation::Feature;
pub(crate) use sequence::SequenceHeader;
pub(crate) use tile_group::{TileGroup, tile_group};
pub(crate) use tile_info::{TileInfo, TileLimits};
pub(crate) use unit::{Unit, UnitKind, Units};
