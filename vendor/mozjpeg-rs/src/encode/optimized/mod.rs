//! Images whose Huffman tables are made for them: coefficients are chosen by trellis and, where the image is progressive, coded
//! in the scans that take the fewest bytes.

mod ac;
mod bits;
mod blocks;
mod codes;
mod dc;
mod scans;
mod search;
mod sequential;
mod statistics;

use std::io::Write;

use self::ac::{AcRates, AcTrellis};
use self::bits::{BitSink, CodeWords};
use self::blocks::Component;
pub(super) use self::codes::Codes;
use self::dc::{DcTrellis, RawDc};
use self::statistics::{LEVELS, Statistics};
use super::rows::McuRows;
use super::{Encoder, try_alloc_vec, write_dht_marker, write_sos_marker};
use crate::consts::DCTSIZE2;
use crate::deringing::preprocess_deringing;
use crate::error::Result;
use crate::huffman::{DerivedTable, FrequencyCounter};
use crate::marker::MarkerWriter;
use crate::progressive::generate_baseline_scan;
use crate::types::{ComponentInfo, ScanInfo};

/// Lowest bits that a first scan of chroma leaves out at most, and one: they matter less than those of luma, as mozjpeg has it.
const CHROMA_LEVELS: usize = 3;

/// What blocks are cut from, and what becomes of them.
pub(super) struct Source<'a> {
    pub(super) rows: &'a mut dyn McuRows,
    /// MCUs across and down.
    pub(super) mcus: (usize, usize),
    /// Samples across and down of luma and of chroma.
    pub(super) sizes: [(usize, usize); 2],
    /// In natural order, of luma and of chroma.
    pub(super) quantization: [&'a [u16; DCTSIZE2]; 2],
    pub(super) components: &'a [ComponentInfo],
}

/// A sample of the image: as many rows of MCUs at least as there are, and one in so many at most.
const SAMPLE: usize = 8;

/// A weight of error beside which no bits count: the coefficients of a sample are rounded. If the trellis left out what standard
/// codes make dear, that would be dear in the codes of the sample as well, and fine patterns would vanish.
const ROUNDED: f32 = 1e6;

impl Encoder {
    /// Writes all that follows the frame header. `standard` are the codes of luma and of chroma to begin with.
    pub(super) fn encode_optimized<W: Write>(
        &self,
        source: &mut Source,
        standard: [Codes; 2],
        mut output: W,
    ) -> Result<()> {
        let codes = match self.trellis.enabled {
            true => {
                let step = if self.optimize_scans { 1 } else { (source.mcus.1 / SAMPLE).clamp(1, SAMPLE) };
                let rows: Vec<usize> = (0..source.mcus.1).step_by(step).collect();
                let sample = self.quantized(source, &standard, &rows, ROUNDED)?;
                let (luma, chroma) = sample.split_at(1);
                [Codes::of(luma, self.progressive)?, Codes::of(chroma, self.progressive)?]
            }
            false => standard,
        };
        let rows: Vec<usize> = (0..source.mcus.1).collect();
        let components = self.quantized(source, &codes, &rows, 1.0)?;
        match self.progressive {
            true => write_progressive(&components, source.components, &mut output)?,
            false => {
                write_sequential(&components, source.components, self.restart_interval.into(), &mut output)?
            }
        }
        output.write_all(&[0xFF, 0xD9])?;
        Ok(())
    }

    /// The coefficients of all components in these rows of MCUs. Squared error counts `weight` times as much as the encoder says.
    fn quantized(
        &self,
        source: &mut Source,
        codes: &[Codes; 2],
        rows: &[usize],
        weight: f32,
    ) -> Result<Vec<Component>> {
        let mut components = Vec::new();
        let mut quantizers = Vec::new();
        for (number, info) in source.components.iter().enumerate() {
            let chroma = number.min(1);
            let sampling = match source.components.len() {
                1 => (1, 1),
                _ => (usize::from(info.h_samp_factor), usize::from(info.v_samp_factor)),
            };
            let (width, height) = source.sizes[chroma];
            let size = (width, height.min(rows.len() * sampling.1 * 8));
            let component = Component::new(sampling, (source.mcus.0, rows.len()), size)?;
            let quantization = source.quantization[chroma];
            let ac = AcTrellis::new(quantization, AcRates::new(&codes[chroma]), &self.trellis);
            let dc = DcTrellis::new(quantization[0], &codes[chroma].dc);
            let row = try_alloc_vec(RawDc::default(), component.stride)?;
            quantizers.push(Quantizer { ac, dc, row, dc_step: quantization[0] });
            components.push(component);
        }
        let mut scales =
            [self.trellis.lambda_log_scale1, self.trellis.lambda_log_scale2].map(|scale| 2.0_f32.powf(scale));
        scales[0] *= weight;
        for (to, &from) in rows.iter().enumerate() {
            if let Some(blocks) = source.rows.blocks() {
                for ((component, quantizer), blocks) in components.iter_mut().zip(&mut quantizers).zip(blocks) {
                    let (lines, step) = (component.sampling.1, quantizer.dc_step);
                    for line in 0..lines {
                        let first = (from * lines + line) * blocks.stride;
                        let mut raw = |index: usize, raw: &mut _| blocks.transformed(self, step, first + index, raw);
                        quantizer.row(self, scales, &mut raw, component, to * lines + line);
                    }
                }
                continue;
            }
            let planes = source.rows.row(from);
            for ((component, quantizer), plane) in components.iter_mut().zip(&mut quantizers).zip(planes) {
                let (lines, stride, step) = (component.sampling.1, component.stride, quantizer.dc_step);
                for line in 0..lines {
                    let samples = &plane[line * 64 * stride..];
                    let mut raw =
                        |index: usize, raw: &mut _| transform(self, step, shifted(samples, 8 * stride, index), raw);
                    quantizer.row(self, scales, &mut raw, component, to * lines + line);
                }
            }
        }
        Ok(components)
    }
}

/// Makes the coefficients of a component.
struct Quantizer {
    ac: AcTrellis,
    dc: DcTrellis,
    dc_step: u16,
    /// Of the row of blocks at hand.
    row: Vec<RawDc>,
}

impl Quantizer {
    /// Fills in row number `row` of the blocks. `transformed` puts the coefficients of a block of it there.
    fn row(
        &mut self,
        encoder: &Encoder,
        scales: [f32; 2],
        transformed: &mut dyn FnMut(usize, &mut [i16; DCTSIZE2]),
        component: &mut Component,
        row: usize,
    ) {
        let stride = component.stride;
        let blocks = &mut component.blocks[row * stride..][..stride];
        let masks = &mut component.masks[row * stride..][..stride];
        let mut raw = [0; DCTSIZE2];
        for (index, (block, mask)) in blocks.iter_mut().zip(masks).enumerate() {
            transformed(index, &mut raw);
            let squares: i32 = raw[1..].iter().map(|&level| i32::from(level) * i32::from(level)).sum();
            let lambda = match encoder.trellis.lambda_log_scale2 > 0.0 {
                true => scales[0] / (scales[1] + squares as f32 / 63.0),
                false => scales[0] / 4096.0,
            };
            *mask = self.ac.quantize(&raw, lambda, block);
            self.row[index] = RawDc { level: raw[0], lambda };
            block[0] = self.dc.round(self.row[index]);
        }
        if encoder.trellis.enabled && encoder.trellis.dc_enabled {
            self.dc.choose(&self.row, |index, value| blocks[index][0] = value);
        }
    }
}

/// Block number `index` of samples in rows of `width`, about zero.
#[inline(never)]
pub(super) fn shifted(samples: &[u8], width: usize, index: usize) -> [i16; DCTSIZE2] {
    let mut shifted = [0; DCTSIZE2];
    for (line, to) in shifted.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let Some(from) = samples[line * width + index * 8..].first_chunk::<8>() else { continue };
        *to = from.map(|sample| i16::from(sample) - 128);
    }
    shifted
}

/// The coefficients of a block of samples about zero.
#[inline(never)]
pub(super) fn transform(
    encoder: &Encoder,
    dc_step: u16,
    mut samples: [i16; DCTSIZE2],
    raw: &mut [i16; DCTSIZE2],
) {
    if encoder.overshoot_deringing {
        preprocess_deringing(&mut samples, dc_step);
    }
    encoder.simd.do_forward_dct(&samples, raw);
}

/// Writes the Huffman tables of DC coefficients: one for luma, one for chroma where there is any.
fn dc_tables<W: Write>(components: &[Component], output: &mut W) -> Result<Vec<DerivedTable>> {
    let mut frequencies = vec![FrequencyCounter::new(); components.len().min(2)];
    scans::dc_differences(components, |number, difference| {
        frequencies[number.min(1)].count(32 - difference.unsigned_abs().leading_zeros() as u8);
    })?;
    let mut tables = Vec::new();
    for (number, frequencies) in frequencies.iter_mut().enumerate() {
        let table = frequencies.generate_table()?;
        write_dht_marker(output, number as u8, false, &table)?;
        tables.push(DerivedTable::from_huff_table(&table, true)?);
    }
    Ok(tables)
}

fn write_progressive<W: Write>(
    components: &[Component],
    infos: &[ComponentInfo],
    mut output: W,
) -> Result<()> {
    let tables = dc_tables(components, &mut output)?;
    let mut sink = BitSink::new(output);
    write_sos_marker(sink.output(), &ScanInfo::dc_scan(components.len() as u8), infos)?;
    scans::dc(&mut sink, components, &tables)?;
    drop(tables);

    let mut chosen = Vec::new();
    for (number, component) in components.iter().enumerate() {
        let levels = if number == 0 { LEVELS } else { CHROMA_LEVELS };
        let statistics = Statistics::of(component, levels);
        chosen.extend(search::scans(&statistics, number as u8, levels));
    }
    // What shows most comes first: low frequencies, and what is left out last.
    let mut order: Vec<u64> = (0..)
        .zip(&chosen)
        .map(|(number, scan)| {
            let refines = u8::from(scan.info.ah > 0);
            u64::from(u32::from_be_bytes([0, refines, u8::MAX - scan.info.ah, scan.info.ss])) << 32 | number
        })
        .collect();
    order.sort_unstable();
    for number in order {
        let scan = &chosen[number as u32 as usize];
        let mut frequencies = FrequencyCounter::new();
        frequencies.counts.iter_mut().zip(scan.counts).for_each(|(to, count)| *to = i64::from(count));
        let table = frequencies.generate_table()?;
        let number = usize::from(scan.info.component_index[0]);
        write_dht_marker(sink.output(), infos[number].ac_tbl_no, true, &table)?;
        write_sos_marker(sink.output(), &scan.info, infos)?;
        let table = DerivedTable::from_huff_table(&table, false)?;
        scans::ac(&mut sink, &components[number], &scan.info, &table)?;
    }
    Ok(())
}

/// One scan of everything.
fn write_sequential<W: Write>(
    components: &[Component],
    infos: &[ComponentInfo],
    interval: usize,
    mut output: W,
) -> Result<()> {
    let mut frequencies = vec![FrequencyCounter::new(); sequential::TABLES.min(2 * components.len())];
    sequential::symbols(components, interval, |symbol| {
        if let Some(symbol) = symbol {
            frequencies[symbol.table].count(symbol.symbol as u8);
        }
        Ok(())
    })?;
    let mut codes = Vec::new();
    for (number, frequencies) in frequencies.iter_mut().enumerate() {
        let table = frequencies.generate_table()?;
        let is_ac = number % 2 == 1;
        write_dht_marker(&mut output, number as u8 / 2, is_ac, &table)?;
        codes.push(CodeWords::new(&DerivedTable::from_huff_table(&table, !is_ac)?));
    }
    let mut header = MarkerWriter::new(output);
    header.write_sos(&generate_baseline_scan(components.len() as u8)[0], infos)?;
    let mut sink = BitSink::new(header.into_inner());
    sequential::write(&mut sink, components, interval, &codes)?;
    Ok(())
}
