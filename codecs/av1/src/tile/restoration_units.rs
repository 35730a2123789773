//! The coefficients of loop restoration (AV1 specification, sections 5.11.57 and 5.11.58).

use super::tile_decoder::TileDecoder;
use crate::block_size::BlockSize;
use crate::entropy::SymbolDecoder;
use crate::error::Error;
use crate::obu::RestorationType;
use crate::postfilter::RestorationUnit;

/// The least and the largest value of each Wiener coefficient, and the parameter of its code.
const WIENER: [(i32, i32, u32); 3] = [(-5, 10, 1), (-23, 8, 2), (-17, 46, 3)];
/// The least and the largest weight of the self-guided filter.
const SELF_GUIDED: [(i32, i32); 2] = [(-96, 31), (-32, 95)];
/// SGRPROJ_PRJ_SUBEXP_K.
const SELF_GUIDED_K: u32 = 4;
/// 1 << SGRPROJ_PRJ_BITS.
const SELF_GUIDED_ONE: i32 = 128;
/// SGRPROJ_PARAMS_BITS.
const SET_BITS: u32 = 4;

impl TileDecoder<'_> {
    /// read_lr: the units whose upper left corner lies in a superblock.
    pub(super) fn read_restoration_units(
        &mut self,
        row: usize,
        col: usize,
        superblock: BlockSize,
    ) -> Result<(), Error> {
        for plane in 0..self.tile.frame.planes.len() {
            let Some(kind) = self.tile.header.restoration.kind[plane] else { continue };
            let (ss_x, ss_y) = self.tile.subsampling(plane);
            let size = self.tile.header.size;
            let Some(map) = &self.tile.frame.restoration[plane] else { continue };
            let (rows, columns, unit) = (map.rows, map.columns, map.unit_size);
            let row_of = |row: usize| (row * (4 >> ss_y)).div_ceil(unit).min(rows);
            let (numerator, denominator) = match size.uses_superres() {
                true => ((4 >> ss_x) * size.superres_denom, unit * 8),
                false => (4 >> ss_x, unit),
            };
            let column_of = |col: usize| (col * numerator).div_ceil(denominator).min(columns);
            for unit_row in row_of(row)..row_of(row + superblock.height4()) {
                for unit_column in column_of(col)..column_of(col + superblock.width4()) {
                    let unit = self.read_restoration_unit(plane, kind);
                    if let Some(map) = &mut self.tile.frame.restoration[plane] {
                        map.units[unit_row * columns + unit_column] = unit;
                    }
                }
            }
        }
        Ok(())
    }

    /// read_lr_unit.
    fn read_restoration_unit(&mut self, plane: usize, kind: RestorationType) -> RestorationUnit {
        let symbols = &mut self.symbols;
        let kind = match kind {
            RestorationType::Wiener => symbols.flag(&mut self.cdf.use_wiener).then_some(kind),
            RestorationType::SelfGuided => symbols.flag(&mut self.cdf.use_sgrproj).then_some(kind),
            RestorationType::Switchable => match symbols.symbol(&mut self.cdf.restoration_type) {
                0 => None,
                1 => Some(RestorationType::Wiener),
                _ => Some(RestorationType::SelfGuided),
            },
        };
        match kind {
            None => RestorationUnit::None,
            Some(RestorationType::SelfGuided) => {
                read_self_guided(symbols, &mut self.references.self_guided[plane])
            }
            Some(_) => read_wiener(symbols, &mut self.references.wiener[plane], plane > 0),
        }
    }
}

fn read_wiener(
    symbols: &mut SymbolDecoder<'_>,
    reference: &mut [[i8; 3]; 2],
    is_chroma: bool,
) -> RestorationUnit {
    let mut filters = [[0; 3]; 2];
    for (filter, reference) in filters.iter_mut().zip(reference) {
        // Chroma has no outermost coefficient.
        for at in usize::from(is_chroma)..3 {
            let (min, max, k) = WIENER[at];
            let value = signed_subexp(symbols, (min, max), k, reference[at]);
            filter[at] = value;
            reference[at] = value;
        }
    }
    RestorationUnit::Wiener { vertical: filters[0], horizontal: filters[1] }
}

fn read_self_guided(symbols: &mut SymbolDecoder<'_>, reference: &mut [i8; 2]) -> RestorationUnit {
    let set = symbols.literal(SET_BITS) as u8;
    let radii = radii(set);
    let mut xqd = [0; 2];
    for at in 0..2 {
        let range = SELF_GUIDED[at];
        xqd[at] = match (radii[at], at) {
            (0, 0) => 0,
            (0, _) => (SELF_GUIDED_ONE - i32::from(reference[0])).clamp(range.0, range.1) as i8,
            _ => signed_subexp(symbols, range, SELF_GUIDED_K, reference[at]),
        };
        reference[at] = xqd[at];
    }
    RestorationUnit::SelfGuided { set, xqd }
}

/// The radii of the two passes (Sgr_Params); a pass of radius 0 is left out.
fn radii(set: u8) -> [u8; 2] {
    match set {
        0..10 => [2, 1],
        10..14 => [0, 1],
        _ => [2, 0],
    }
}

/// decode_signed_subexp_with_ref_bool: a value from `min` to `max`, coded against a reference.
fn signed_subexp(symbols: &mut SymbolDecoder<'_>, (min, max): (i32, i32), k: u32, reference: i8) -> i8 {
    let count = (max + 1 - min) as u32;
    let reference = (i32::from(reference) - min) as u32;
    let value = subexp(symbols, count, k);
    let value = match reference << 1 <= count {
        true => inverse_recenter(reference, value),
        false => count - 1 - inverse_recenter(count - 1 - reference, value),
    };
    (value as i32 + min) as i8
}

/// decode_subexp_bool: a value below `count`.
fn subexp(symbols: &mut SymbolDecoder<'_>, count: u32, k: u32) -> u32 {
    let mut start = 0;
    let mut bits = k;
    loop {
        let width = 1 << bits;
        if count <= start + 3 * width {
            return symbols.uniform(count - start) + start;
        }
        if !symbols.bit() {
            return symbols.literal(bits) + start;
        }
        start += width;
        // The first two intervals are of the same width.
        bits += u32::from(start > width);
    }
}

/// inverse_recenter: the value whose distance to a reference alternates in sign.
fn inverse_recenter(reference: u32, value: u32) -> u32 {
    match value {
        _ if value > 2 * reference => value,
        _ if value % 2 == 1 => reference - value.div_ceil(2),
        _ => reference + value / 2,
    }
}
