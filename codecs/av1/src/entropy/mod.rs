//! Arithmetic coding of symbols with adaptive probabilities (AV1 specification, section 8.2).

mod cdf_context;
mod default_cdfs;
mod sink;
mod symbol_decoder;
mod symbol_encoder;

pub(crate) use cdf_context::{CdfContext, CoefficientCdfs, PaletteColorCdfs};
pub(crate) use sink::{BitCounter, SymbolSink, symbol_bits};
pub(crate) use symbol_decoder::SymbolDecoder;
pub(crate) use symbol_encoder::SymbolEncoder;
