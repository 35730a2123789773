//! Arithmetic decoding of symbols with adaptive probabilities (AV1 specification, section 8.2).

mod cdf_context;
mod default_cdfs;
mod symbol_decoder;

pub(crate) use cdf_context::{CdfContext, PaletteColorCdfs};
pub(crate) use symbol_decoder::SymbolDecoder;
