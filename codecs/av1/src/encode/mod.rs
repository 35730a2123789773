//! The encoder of still pictures, written from the AV1 specification.
//!
//! # Design
//!
//! - What is reconstructed follows from the code of the decoder: `tile::TileState` predicts and holds the contexts, `transform` dequantizes
//!   and transforms back, `postfilter` filters. Nothing of that exists twice, so decoders arrive at the same samples.
//! - A syntax element is coded by one function that takes a `SymbolSink`: the symbol encoder writes, a counter tells the bits by the
//!   current CDFs. So the cost of a choice is that of its symbols.
//! - A superblock is searched first, which leaves a tree of squares and blocks (`coded`), then written from that tree. A trial changes the
//!   state of the tile and the samples of its block; a snapshot puts the state back. Samples need not be put back: what is not decoded
//!   is not read. A choice that was not the last trial is applied again. So the samples are there when the tree is written.
//! - Forward transforms and the choice of levels work on floats in a fixed order, without fused operations: the bytes are the same
//!   natively and in WebAssembly.
//! - The filters are chosen when all tiles are done: the deblocking levels, then the strengths of CDEF. A picture that repeats itself
//!   has none: AV1 allows intra block copy only without them.
//!
//! # Where things are
//!
//! - `headers`, `units`, `bit_writer`: what stands before the tiles.
//! - `syntax`, `palette_syntax`, `copy_syntax`, `coefficients`: syntax elements as symbols.
//! - `partition_search`, `block_search`, `luma_search`, `palette_search`, `chroma_search`, `copy_search`, `trial`: choices; `settings` has
//!   what an effort tries.
//! - `copy_index`: where the picture repeats itself, for `copy_search`.
//! - `activity`, `delta_q`, `step_weights`: what errors weigh by place and frequency, for the eye.
//! - `forward`, `quantize`, `costs`, `satd`: transforms, levels, their bits, and a guess at the cost of a residual.
//! - `tile_encoder`, `frame_encoder`, `filter_search`, `filter_sample`: a tile, a frame, its filters.

mod activity;
mod bit_writer;
mod block_search;
mod chroma_search;
mod coded;
mod coefficients;
mod copy_index;
mod copy_search;
mod copy_syntax;
mod costs;
mod delta_q;
mod filter_sample;
mod filter_search;
mod forward;
mod frame_encoder;
mod headers;
mod luma_search;
mod options;
mod orientations;
mod palette_search;
mod palette_syntax;
mod partition_search;
mod quantize;
mod satd;
mod settings;
mod snapshot;
mod step_weights;
mod syntax;
mod tile_encoder;
mod trial;
mod type_ranking;
mod units;

pub use frame_encoder::{Encoded, encode, encode_with_reconstruction};
pub use options::EncodeOptions;
