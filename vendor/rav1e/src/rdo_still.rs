//! Decides how a block of a picture that stands alone is predicted and transformed. See README.md: the modes are screened by
//! SATD, angles included; luma is decided first, chroma once for the mode that luma got.

use arrayvec::ArrayVec;

use crate::api::PredictionModesSetting;
use crate::context::*;
use crate::dist::get_satd;
use crate::ec::{cdf_to_pdf, Writer, WriterCounter};
use crate::encoder::{Coded, FrameInvariants};
use crate::frame::AsRegion;
use crate::mc::MotionVector;
use crate::partition::RefType::*;
use crate::partition::*;
use crate::predict::*;
use crate::rdo::*;
use crate::segmentation::select_segment;
use crate::tiling::*;
use crate::transform::{TxSet, TxSize, TxType, RAV1E_TX_TYPES};
use crate::util::{Aligned, Pixel};
use crate::{
  encode_block_post_cdef, encode_block_pre_cdef, write_tx_blocks,
};

/// What luma can be coded as.
#[derive(Clone, Copy, PartialEq)]
struct Luma {
  mode: PredictionMode,
  delta: i8,
  sidx: u8,
  tx_size: TxSize,
  tx_type: TxType,
}

pub(crate) fn decide<T: Pixel>(
  fi: &FrameInvariants<T>, ts: &mut TileStateMut<'_, T>,
  cw: &mut ContextWriter, bsize: BlockSize, tile_bo: TileBlockOffset,
) -> PartitionParameters {
  let checkpoint = cw.checkpoint(&tile_bo, fi.sequence.chroma_sampling);
  let tx_size = max_txsize_rect_lookup[bsize as usize];
  let all = fi.config.speed_settings.prediction.prediction_modes
    >= PredictionModesSetting::ComplexKeyframes;
  let keep = if all { 5 } else { 2 };
  let candidates = screened(fi, ts, cw, bsize, tile_bo, keep);

  let mut best: Option<(Luma, f64, bool)> = None;
  let mut last = None;
  for (mode, delta) in candidates {
    for sidx in select_segment(fi, ts, tile_bo, bsize, false) {
      let luma =
        Luma { mode, delta, sidx, tx_size, tx_type: usual_type(fi, mode, tx_size) };
      let (rd, has_coeff) = luma_cost(fi, ts, cw, &checkpoint, bsize, tile_bo, luma);
      last = Some(luma);
      if best.map_or(true, |(_, least, _)| rd < least) {
        best = Some((luma, rd, has_coeff));
      }
    }
  }
  let (mut luma, mut rd_cost, mut has_coeff) = best.unwrap();

  if fi.config.speed_settings.transform.rdo_tx_decision {
    let mode = luma;
    let mut size = tx_size;
    for depth in 0..2 {
      let set = get_tx_set(size, false, fi.use_reduced_tx_set);
      let mut here = f64::MAX;
      let usual = usual_type(fi, mode.mode, size);
      let others = RAV1E_TX_TYPES.iter().copied().filter(|&t| t != usual);
      for (i, tx_type) in std::iter::once(usual).chain(others).enumerate() {
        if av1_tx_used[set as usize][tx_type as usize] == 0 || set == TxSet::TX_SET_DCTONLY && i > 0 {
          continue;
        }
        let luma_here = Luma { tx_size: size, tx_type, ..mode };
        let rd = if depth == 0 && i == 0 {
          rd_cost
        } else {
          let (rd, some) = luma_cost(fi, ts, cw, &checkpoint, bsize, tile_bo, luma_here);
          last = Some(luma_here);
          if rd < rd_cost {
            (luma, rd_cost, has_coeff) = (luma_here, rd, some);
          }
          rd
        };
        here = here.min(rd);
        if i == 0 && rd > rd_cost {
          break;
        }
      }
      let next = sub_tx_size_map[size as usize];
      if next == size || here > rd_cost {
        break;
      }
      size = next;
    }
  }

  let mut chroma = (PredictionMode::DC_PRED, 0, CFLParams::default());
  let xdec = ts.input.planes[1].cfg.xdec;
  let ydec = ts.input.planes[1].cfg.ydec;
  if has_chroma(tile_bo, bsize, xdec, ydec, fi.sequence.chroma_sampling) {
    if last != Some(luma) {
      luma_cost(fi, ts, cw, &checkpoint, bsize, tile_bo, luma);
    }
    cw.bc.blocks.set_segmentation_idx(tile_bo, bsize, luma.sidx);
    let mut options = ArrayVec::<_, 3>::new();
    options.push((PredictionMode::DC_PRED, 0, CFLParams::default()));
    if luma.mode != PredictionMode::DC_PRED {
      options.push((luma.mode, luma.delta, CFLParams::default()));
    }
    if bsize.cfl_allowed() {
      if let Some(cfl) = rdo_cfl_alpha(ts, tile_bo, bsize, luma.tx_size, fi) {
        options.push((PredictionMode::UV_CFL_PRED, 0, cfl));
      }
    }
    let mut least = f64::MAX;
    let mut some = false;
    for option in options {
      let (rd, has) = chroma_cost(fi, ts, cw, &checkpoint, bsize, tile_bo, luma, option);
      if rd < least {
        (least, chroma, some) = (rd, option, has);
      }
    }
    rd_cost += least;
    has_coeff |= some;
  }

  cw.bc.blocks.set_segmentation_idx(tile_bo, bsize, luma.sidx);
  cw.bc.blocks.set_mode(tile_bo, bsize, luma.mode);
  cw.bc.blocks.set_ref_frames(tile_bo, bsize, [INTRA_FRAME, NONE_FRAME]);
  cw.bc.blocks.set_motion_vectors(tile_bo, bsize, [MotionVector::default(); 2]);
  PartitionParameters {
    rd_cost,
    bo: tile_bo,
    bsize,
    pred_mode_luma: luma.mode,
    pred_mode_chroma: chroma.0,
    pred_cfl_params: chroma.2,
    angle_delta: AngleDelta { y: luma.delta, uv: chroma.1 },
    has_coeff,
    skip: false,
    tx_size: luma.tx_size,
    tx_type: luma.tx_type,
    sidx: luma.sidx,
    ..PartitionParameters::default()
  }
}

/// The modes with the least SATD, the likely ones preferred.
fn screened<T: Pixel>(
  fi: &FrameInvariants<T>, ts: &mut TileStateMut<'_, T>, cw: &ContextWriter,
  bsize: BlockSize, tile_bo: TileBlockOffset, keep: usize,
) -> ArrayVec<(PredictionMode, i8), 16> {
  let tx_size = bsize.tx_size();
  let bit_depth = fi.sequence.bit_depth;
  let probs = cdf_to_pdf(cw.get_cdf_intra_mode_kf(tile_bo));
  // SATD is a sum of absolute values: its price of a bit is the root of that of squares.
  let price = fi.me_lambda;
  let rate = |mode: PredictionMode| {
    let p = probs[mode as usize].max(1) as u32;
    // 15 - log2(p), in whole eighths
    price * (15.0 - f64::from(log2_q3(p)) / 8.0)
  };
  let mut edge_buf = Aligned::uninit_array();
  let edge_buf = {
    let rec = &ts.rec.planes[0].as_const();
    let po = tile_bo.plane_offset(rec.plane_cfg);
    get_intra_edges(
      &mut edge_buf,
      rec,
      tile_bo,
      0,
      0,
      bsize,
      po,
      tx_size,
      bit_depth,
      None,
      fi.sequence.enable_intra_edge_filter,
      IntraParam::None,
    )
  };
  let ief_params = fi.sequence.enable_intra_edge_filter.then(|| {
    IntraEdgeFilterParameters::new(
      0,
      ts.above_block_info(tile_bo, 0, 0),
      ts.left_block_info(tile_bo, 0, 0),
    )
  });
  let mut satd = |mode: PredictionMode, delta: i8| -> f64 {
    let tile_rect = ts.tile_rect();
    let rec = &mut ts.rec.planes[0];
    let mut region =
      rec.subregion_mut(Area::BlockStartingAt { bo: tile_bo.0 });
    mode.predict_intra(
      tile_rect,
      &mut region,
      tx_size,
      bit_depth,
      &[0i16; 2],
      IntraParam::AngleDelta(delta),
      if mode.is_directional() { ief_params } else { None },
      &edge_buf,
      fi.cpu_feature_level,
    );
    let source = ts.input_tile.planes[0]
      .subregion(Area::BlockStartingAt { bo: tile_bo.0 });
    f64::from(get_satd(
      &source,
      &region.as_const(),
      tx_size.width(),
      tx_size.height(),
      bit_depth,
      fi.cpu_feature_level,
    ))
  };
  let mut found = ArrayVec::<((PredictionMode, i8), f64), 64>::new();
  for &mode in RAV1E_INTRA_MODES {
    found.push(((mode, 0), satd(mode, 0) + rate(mode)));
  }
  let order = |found: &mut ArrayVec<((PredictionMode, i8), f64), 64>| {
    found.sort_by(|a, b| a.1.total_cmp(&b.1))
  };
  order(&mut found);
  if fi.config.speed_settings.prediction.fine_directional_intra
    && bsize >= BlockSize::BLOCK_8X8
  {
    // Around the best two directions.
    let directions: ArrayVec<PredictionMode, 13> = found
      .iter()
      .map(|((mode, _), _)| *mode)
      .filter(|mode| mode.is_directional())
      .collect();
    for &mode in directions.iter().take(2) {
      for delta in [-3, -2, -1, 1, 2, 3] {
        found.push(((mode, delta), satd(mode, delta) + rate(mode) + price));
      }
    }
    order(&mut found);
  }
  found.into_iter().map(|(what, _)| what).take(keep).collect()
}

/// Eight times the binary logarithm, about.
fn log2_q3(value: u32) -> u32 {
  let whole = value.ilog2();
  let part = if whole >= 3 { (value >> (whole - 3)) & 7 } else { (value << (3 - whole)) & 7 };
  whole * 8 + part
}

/// The transform that fits what a mode leaves over, which is the cheapest to tell of.
fn usual_type<T: Pixel>(
  fi: &FrameInvariants<T>, mode: PredictionMode, tx_size: TxSize,
) -> TxType {
  let set = get_tx_set(tx_size, false, fi.use_reduced_tx_set);
  let usual = uv_intra_mode_to_tx_type_context(mode);
  if av1_tx_used[set as usize][usual as usize] == 0 { TxType::DCT_DCT } else { usual }
}

fn luma_cost<T: Pixel>(
  fi: &FrameInvariants<T>, ts: &mut TileStateMut<'_, T>,
  cw: &mut ContextWriter, checkpoint: &ContextWriterCheckpoint,
  bsize: BlockSize, tile_bo: TileBlockOffset, luma: Luma,
) -> (f64, bool) {
  cw.bc.blocks.set_segmentation_idx(tile_bo, bsize, luma.sidx);
  let w = &mut WriterCounter::new();
  if bsize >= BlockSize::BLOCK_8X8 && bsize.is_sqr() {
    cw.write_partition(w, tile_bo, PartitionType::PARTITION_NONE, bsize);
  }
  encode_block_pre_cdef(&fi.sequence, ts, cw, w, bsize, tile_bo, false);
  let (has_coeff, _) = encode_block_post_cdef(
    fi,
    ts,
    cw,
    w,
    luma.mode,
    PredictionMode::DC_PRED,
    AngleDelta { y: luma.delta, uv: 0 },
    [INTRA_FRAME, NONE_FRAME],
    [MotionVector::default(); 2],
    bsize,
    tile_bo,
    false,
    CFLParams::default(),
    luma.tx_size,
    luma.tx_type,
    0,
    &[],
    RDOType::PixelDistRealRate,
    true,
    Coded::Luma,
    None,
  );
  let distortion =
    compute_distortion(fi, ts, bsize, false, tile_bo, Coded::Luma);
  let rd = compute_rd_cost(fi, w.tell_frac(), distortion);
  cw.rollback(checkpoint);
  (rd, has_coeff)
}

fn chroma_cost<T: Pixel>(
  fi: &FrameInvariants<T>, ts: &mut TileStateMut<'_, T>,
  cw: &mut ContextWriter, checkpoint: &ContextWriterCheckpoint,
  bsize: BlockSize, tile_bo: TileBlockOffset, luma: Luma,
  (mode, delta, cfl): (PredictionMode, i8, CFLParams),
) -> (f64, bool) {
  let w = &mut WriterCounter::new();
  cw.write_intra_uv_mode(w, mode, luma.mode, bsize);
  if mode.is_cfl() {
    cw.write_cfl_alphas(w, cfl);
  }
  if mode.is_directional() && bsize >= BlockSize::BLOCK_8X8 {
    cw.write_angle_delta(w, delta, mode);
  }
  let (has_coeff, _) = write_tx_blocks(
    fi,
    ts,
    cw,
    w,
    luma.mode,
    mode,
    AngleDelta { y: luma.delta, uv: delta },
    tile_bo,
    bsize,
    luma.tx_size,
    luma.tx_type,
    false,
    cfl,
    Coded::Chroma,
    RDOType::PixelDistRealRate,
    true,
  );
  let distortion =
    compute_distortion(fi, ts, bsize, true, tile_bo, Coded::Chroma);
  let rd = compute_rd_cost(fi, w.tell_frac(), distortion);
  cw.rollback(checkpoint);
  (rd, has_coeff)
}
