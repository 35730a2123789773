//! The codes that coefficients are chosen by: those that a part of the image would have.

use super::blocks::{Component, take_lowest};
use super::scans;
use super::statistics::ZERO_RUN;
use crate::error::Result;
use crate::huffman::{DerivedTable, FrequencyCounter};

/// What coefficients cost in bits, before their trellis and after it: of luma or of chroma.
#[derive(Clone)]
pub(in crate::encode) struct Codes {
    /// Lengths of the codes of DC and of AC symbols; 0 where there is none.
    pub(super) dc: [u8; 256],
    pub(super) ac: [u8; 256],
    /// What a block costs for saying that no more coefficients follow.
    pub(super) end: f32,
    /// What a block with AC coefficients costs for breaking the run of blocks that have none.
    pub(super) end_of_run: f32,
}

/// How often a symbol counts that was found once; what was not found counts as one.
const FOUND: i64 = 64;

impl Codes {
    /// What standard tables say, where nothing is known of the image.
    pub(in crate::encode) fn standard(dc: &DerivedTable, ac: &DerivedTable) -> Self {
        Self { dc: dc.ehufsi, ac: ac.ehufsi, end: 0.0, end_of_run: 0.0 }
    }

    /// Of all components of luma, or of chroma. In progressive scans a symbol may say that many blocks end.
    pub(super) fn of(components: &[Component], progressive: bool) -> Result<Self> {
        let (mut dc, mut ac) = (FrequencyCounter::new(), FrequencyCounter::new());
        (0..=11).for_each(|size| dc.count(size));
        (0..15).for_each(|size| ac.count(size << 4));
        (0..16).for_each(|run| (1..=10).for_each(|size| ac.count(run << 4 | size)));
        ac.count(ZERO_RUN as u8);
        let (mut ends, mut all) = ([0; 15], 0);
        for component in components {
            scans::dc_differences(std::slice::from_ref(component), |_, difference| {
                dc.counts[32 - difference.unsigned_abs().leading_zeros() as usize] += FOUND;
            })?;
            let mut ended = 0_u32;
            for (block, mask) in component.scan() {
                let (mut rest, mut previous) = (mask, 0);
                while rest != 0 {
                    let k = take_lowest(&mut rest);
                    let (run, size) =
                        (k - previous - 1, 16 - block[k].unsigned_abs().leading_zeros() as usize);
                    ac.counts[ZERO_RUN] += run as i64 / 16 * FOUND;
                    ac.counts[(run % 16) << 4 | size] += FOUND;
                    previous = k;
                }
                if (mask != 0 || !progressive) && ended > 0 {
                    ends[ended.ilog2().min(14) as usize] += 1;
                    ended = 0;
                }
                ended += u32::from(previous < 63);
                all += i64::from(previous < 63);
            }
            if ended > 0 {
                ends[ended.ilog2().min(14) as usize] += 1;
            }
        }
        for (size, &count) in ends.iter().enumerate() {
            ac.counts[size << 4] += count * FOUND;
        }
        let lengths = |counter: &mut FrequencyCounter, dc: bool| -> Result<[u8; 256]> {
            Ok(DerivedTable::from_huff_table(&counter.generate_table()?, dc)?.ehufsi)
        };
        let (dc, ac) = (lengths(&mut dc, true)?, lengths(&mut ac, false)?);
        let bits =
            ends.iter().enumerate().map(|(size, &count)| count * (i64::from(ac[size << 4]) + size as i64));
        // Half of a symbol: with all of it, fine texture would lose more than the bytes are worth.
        let bits = bits.sum::<i64>() as f32;
        let end_of_run = bits / (2 * ends.iter().sum::<i64>().max(1)) as f32;
        let end = if progressive && all > 0 { bits / all as f32 } else { f32::from(ac[0]) };
        Ok(Self { dc, ac, end, end_of_run: if progressive { end_of_run } else { 0.0 } })
    }
}
