//! From coefficients to samples: dequantization (section 7.12) and the inverse transforms (section 7.13).

mod adst;
mod columns;
mod dct;
mod identity;
mod inverse;
mod lanes;
mod quant;
mod residual;
mod rows;
#[cfg(test)]
mod tests;
mod tx_size;
mod wht;

pub(crate) use inverse::InverseTransform;
pub(crate) use quant::{Dequantizer, ac_q, dc_q};
pub(crate) use residual::Residual;
pub(crate) use tx_size::{Kind, TxSize, TxType};
