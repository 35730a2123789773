//! The encoder: from pixels or quantized coefficients to the bytes of a file.
//!
//! `mcu_rows` makes rows of MCUs of rows of pixels: `window` keeps the rows that filters reach, `subsampling` and `downsample` make chroma
//! of lower resolution, and the luma that goes with it. `components` and `component_rows` make rows of blocks of rows of samples. `dct`
//! finds their coefficients, which [`Prepared`] holds. `quant_tables` has the tables, `masking` says what an error costs, `ac` and `dc`
//! choose coefficients by it. `statistics` and `search` find the scans with the fewest bytes, `scans` and `sequential` write them.
//! `estimate` tells about how many bytes they take.

mod ac;
mod bit_cost;
mod bits;
mod blocks;
mod component_rows;
mod components;
mod dc;
mod dct;
mod encoder;
mod estimate;
mod huffman;
mod markers;
mod masking;
mod mcu_rows;
mod plane;
mod prepared;
mod quant_tables;
mod quantize;
mod scans;
mod search;
mod sequential;
mod settings;
mod sharpen;
mod statistics;
mod try_alloc;
mod tuning;
mod window;
mod write;

pub use components::ComponentPreparer;
#[doc(hidden)]
pub use encoder::encode_with;
pub use encoder::{Encoder, encode};
pub use estimate::Estimator;
pub use prepared::{Prepared, Preparer};
pub use settings::{Color, Sampling, Settings};
#[doc(hidden)]
pub use tuning::Tuning;

pub(crate) use blocks::Component;
pub(crate) use component_rows::ComponentRows;
pub(crate) use dct::{COSINES, ROUNDING, SCALE};
pub(crate) use encoder::tables;
pub(crate) use prepared::{PictureBuilder, every_quality};
pub(crate) use try_alloc::filled;
pub(crate) use write::{Frame, picture, smallest};
