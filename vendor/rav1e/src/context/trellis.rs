//! Rounds quantised coefficients so that squared error and bits together cost least: from the last one in scan order to the
//! first, each is kept or made one less, and the block may end at it. Integers throughout.

use super::*;
use crate::quantize::get_log_tx_scale;
use crate::util::blog32_q11;

/// Fractional bits of a cost.
const SHIFT: u32 = 11;

/// The bits that a symbol takes, by its probability in 512ths.
static BITS: [u16; 513] = {
  let mut bits = [0; 513];
  let mut p = 0;
  while p <= 512 {
    // None has the probability 0.
    let doubled = if p == 0 { 1 } else { 2 * p as u32 };
    bits[p] = ((10 << SHIFT) - (blog32_q11(doubled))) as u16;
    p += 1;
  }
  bits
};

#[inline(always)]
fn bits<const N: usize>(cdf: &[u16; N], symbol: usize) -> u64 {
  let above = if symbol == 0 { 512 } else { cdf[symbol - 1] >> 6 };
  let below = if symbol + 1 >= N { 0 } else { cdf[symbol] >> 6 };
  u64::from(BITS[usize::from(above - below)])
}

/// What is known of a transform block, but for its coefficients.
pub struct Quantized {
  pub plane: usize,
  pub tx_size: TxSize,
  pub tx_type: TxType,
  pub dc_quant: u32,
  pub ac_quant: u32,
}

impl ContextWriter<'_> {
  /// Returns where the block ends now.
  pub fn round_coeffs<T: Coefficient>(
    &self, block: &Quantized, coeffs: &[T], qcoeffs: &mut [T], eob: u16,
  ) -> u16 {
    let &Quantized { plane, tx_size, tx_type, dc_quant, ac_quant } = block;
    let scale = get_log_tx_scale(tx_size);
    let scan = &av1_scan_orders[tx_size as usize][tx_type as usize].scan
      [..usize::from(eob)];
    let coded = av1_get_coded_tx_size(tx_size);
    let (height, area) = (coded.height(), coded.area());
    let bhl = Self::get_txb_bhl(tx_size);
    let txs_ctx = Self::get_txsize_entropy_ctx(tx_size);
    let class = tx_type_to_class[tx_type as usize];
    let plane_type = usize::from(plane != 0);
    let fc = &*self.fc;
    let mut levels_buf = [0u8; TX_PAD_2D];
    let levels = &mut levels_buf[TX_PAD_TOP * (height + TX_PAD_HOR)..];
    self.txb_init_levels(qcoeffs, height, levels, height + TX_PAD_HOR);
    let padded = |pos: usize| pos + ((pos >> bhl) << TX_PAD_HOR_LOG2);

    // ln(2) / 6 of the square of the quantizer is what a bit costs, as everywhere else.
    let price = (u64::from(ac_quant) * u64::from(ac_quant) * 118) >> 10;
    let br = &fc.coeff_br_cdf[txs_ctx.min(TxSize::TX_32X32 as usize)][plane_type];
    let above_base = |level: usize, ctx: usize| -> u64 {
      let mut rest = level - 3;
      let mut sum = 0;
      let mut left = 4;
      while left > 0 {
        let symbol = rest.min(3);
        sum += bits(&br[ctx], symbol);
        if symbol < 3 {
          return sum;
        }
        rest -= 3;
        left -= 1;
      }
      sum + u64::from(2 * (rest as u32 + 1).ilog2() + 1) * (1 << SHIFT)
    };

    // Of what comes after in scan order: the cost as it is, and the error if all of it were zero.
    let mut cost = 0u64;
    let mut cost_of_zeros = 0u64;
    let mut end = 0usize;
    for (c, &pos) in scan.iter().enumerate().rev() {
      let pos = usize::from(pos);
      let level = i32::cast_from(qcoeffs[pos]).unsigned_abs();
      let x = u64::from(i32::cast_from(coeffs[pos]).unsigned_abs()) << scale;
      let quant = u64::from(if pos == 0 { dc_quant } else { ac_quant });
      let error = |level: u32| {
        let off = x.abs_diff(u64::from(level) * quant);
        (off * off) << SHIFT
      };
      let zero = error(0);
      if level == 0 && end == 0 {
        cost_of_zeros += zero;
        continue;
      }
      let at = padded(pos);
      // With the block going on after this one.
      let mut best = (u64::MAX, 0u32);
      if end > 0 {
        let ctx = Self::get_nz_map_ctx(levels, pos, bhl, area, c, false, tx_size, class);
        let base = &fc.coeff_base_cdf[txs_ctx][plane_type][ctx];
        let br_ctx = if level > 2 { Self::get_br_ctx(levels, pos, bhl, class) } else { 0 };
        for candidate in level.saturating_sub(1)..=level {
          let mut rate = bits(base, candidate.min(3) as usize);
          if candidate > 0 { rate += 1 << SHIFT; }
          if candidate > 2 { rate += above_base(candidate as usize, br_ctx); }
          let total = error(candidate) + price * rate;
          if total < best.0 { best = (total, candidate); }
        }
        best.0 += cost;
      }
      // With this one as the last.
      let mut last = (u64::MAX, 0u32);
      if level > 0 {
        let ctx = Self::get_nz_map_ctx(levels, pos, bhl, area, c, true, tx_size, class);
        let base = &fc.coeff_base_eob_cdf[txs_ctx][plane_type][ctx];
        let ends = self.end_bits(c as u16 + 1, tx_size, class, txs_ctx, plane_type);
        // After it, all levels are zero: the least of the contexts.
        let br_ctx = if pos == 0 { 0 } else {
          let (col, row) = (pos >> bhl, pos & ((1 << bhl) - 1));
          let near = match class {
            TX_CLASS_2D => row < 2 && col < 2,
            TX_CLASS_HORIZ => col == 0,
            TX_CLASS_VERT => row == 0,
          };
          if near { 7 } else { 14 }
        };
        for candidate in (level - 1).max(1)..=level {
          let mut rate = ends + bits(base, candidate.min(3) as usize - 1) + (1 << SHIFT);
          if candidate > 2 { rate += above_base(candidate as usize, br_ctx); }
          let total = error(candidate) + price * rate;
          if total < last.0 { last = (total, candidate); }
        }
        last.0 += cost_of_zeros;
      }
      let level = if last.0 <= best.0 && level > 0 {
        for &pos in &scan[c + 1..end.max(c + 1)] {
          let pos = usize::from(pos);
          levels[padded(pos)] = 0;
          qcoeffs[pos] = T::cast_from(0);
        }
        end = c + 1;
        cost = last.0;
        last.1
      } else {
        cost = best.0;
        best.1
      };
      cost_of_zeros += zero;
      levels[at] = level.min(127) as u8;
      let sign = i32::cast_from(coeffs[pos]).signum();
      qcoeffs[pos] = T::cast_from(level as i32 * sign);
    }
    // Or nothing at all.
    if end > 0 {
      let skip = &fc.txb_skip_cdf[txs_ctx][if plane == 0 { 0 } else { 7 }];
      if cost_of_zeros + price * bits(skip, 1) <= cost + price * bits(skip, 0) {
        for &pos in &scan[..end] {
          qcoeffs[usize::from(pos)] = T::cast_from(0);
        }
        end = 0;
      }
    }
    end as u16
  }

  /// The bits that tell where a block ends.
  fn end_bits(
    &self, eob: u16, tx_size: TxSize, class: TxClass, txs_ctx: usize,
    plane_type: usize,
  ) -> u64 {
    let (token, extra) = Self::get_eob_pos_token(eob);
    let symbol = token as usize - 1;
    let ctx = usize::from(class != TX_CLASS_2D);
    let fc = &*self.fc;
    let mut sum = match tx_size.area_log2() - 4 {
      0 => bits(&fc.eob_flag_cdf16[plane_type][ctx], symbol),
      1 => bits(&fc.eob_flag_cdf32[plane_type][ctx], symbol),
      2 => bits(&fc.eob_flag_cdf64[plane_type][ctx], symbol),
      3 => bits(&fc.eob_flag_cdf128[plane_type][ctx], symbol),
      4 => bits(&fc.eob_flag_cdf256[plane_type][ctx], symbol),
      5 => bits(&fc.eob_flag_cdf512[plane_type][ctx], symbol),
      _ => bits(&fc.eob_flag_cdf1024[plane_type][ctx], symbol),
    };
    let more = u32::from(k_eob_offset_bits[token as usize]);
    if more > 0 {
      let cdf = &fc.eob_extra_cdf[txs_ctx][plane_type][token as usize - 3];
      sum += bits(cdf, usize::from(extra >> (more - 1) & 1 != 0));
      sum += u64::from(more - 1) << SHIFT;
    }
    sum
  }
}
