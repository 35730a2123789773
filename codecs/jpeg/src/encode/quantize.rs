//! The coefficients of a picture quantized in place.

use super::ac::AcTrellis;
use super::bit_cost::{RateCounter, Rates};
use super::blocks::{BLOCK, Component};
use super::dc::{DcTrellis, RawDc};
use super::masking::lambda;
use super::prepared::Prepared;
use super::settings::Settings;
use super::try_alloc::reserved;
use super::tuning::Tuning;
use crate::Error;
use crate::coefficients::QuantTable;

/// Rows of MCUs of a sample of the picture: as many at least as there are, and one in so many at most.
const SAMPLE: usize = 8;

/// Quantizes all components by these tables, and sets their masks.
pub(crate) fn quantize(
    picture: &mut Prepared,
    tables: &[QuantTable; 3],
    settings: &Settings,
    tuning: &Tuning,
) -> Result<(), Error> {
    let mut fields = Vec::new();
    for (number, energies) in picture.energies.iter().enumerate() {
        let base = tuning.lambda[number.min(1)];
        let mut field = reserved(energies.len())?;
        field.extend(energies.iter().map(|&energy| lambda(energy, base, tuning)));
        fields.push(field);
    }
    let mut rates = [const { None }; 2];
    if settings.trellis {
        for pass in 0..=tuning.passes {
            rates = [0..1, 1..picture.components.len()].map(|range| {
                let mut counter = RateCounter::new(settings.progressive);
                for number in range {
                    let (component, table) = (&picture.components[number], &tables[number]);
                    let rates = if pass == 0 { None } else { rates[number.min(1)].as_ref() };
                    sample(component, &fields[number], table, rates, tuning, &mut counter);
                }
                Some(counter.finish(tuning.broken_run))
            });
        }
    }
    for (number, component) in picture.components.iter_mut().enumerate() {
        let chroma = number.min(1);
        let mut quantizer =
            Quantizer::new(&tables[number], rates[chroma].as_ref(), tuning, tuning.dc[chroma]);
        component.masks = reserved(component.blocks.len())?;
        let stride = component.stride;
        for (row, field) in component.blocks.chunks_exact_mut(stride).zip(fields[number].chunks_exact(stride))
        {
            quantizer.row(row, field, |mask| component.masks.push(mask));
        }
    }
    Ok(())
}

/// Counts the symbols of some rows of blocks: rounded, or chosen by `rates`.
fn sample(
    component: &Component,
    field: &[f32],
    table: &QuantTable,
    rates: Option<&Rates>,
    tuning: &Tuning,
    counter: &mut RateCounter,
) {
    let stride = component.stride;
    let mut quantizer = Quantizer::new(table, rates, tuning, 1.0);
    let rows = component.blocks.chunks_exact(stride).zip(field.chunks_exact(stride));
    let step = (component.rows / component.sampling.1 / SAMPLE).clamp(1, SAMPLE);
    let (mut last, mut masks) = (0, Vec::new());
    for (_, (row, field)) in
        rows.enumerate().filter(|(row, _)| (row / component.sampling.1).is_multiple_of(step))
    {
        let mut row = row.to_vec();
        masks.clear();
        quantizer.row(&mut row, field, |mask| masks.push(mask));
        for (block, &mask) in row.iter().zip(&masks) {
            counter.difference(i32::from(block[0]) - last);
            last = i32::from(block[0]);
            counter.block(block, mask);
        }
    }
}

/// Quantizes the rows of blocks of a component.
struct Quantizer {
    ac: AcTrellis,
    dc: DcTrellis,
    chooses: bool,
    dc_weight: f32,
    raw: Vec<RawDc>,
}

impl Quantizer {
    fn new(table: &QuantTable, rates: Option<&Rates>, tuning: &Tuning, dc_weight: f32) -> Self {
        let none = Rates { dc: [0; 256], ac: [0; 256], end: 0.0, end_of_run: 0.0 };
        let chooses = rates.is_some();
        let rates = rates.unwrap_or(&none);
        let (ac, dc) = (AcTrellis::new(table, rates, tuning.pattern), DcTrellis::new(table[0], &rates.dc));
        Self { ac, dc, chooses, dc_weight, raw: Vec::new() }
    }

    /// Quantizes a row in place, and hands over the mask of each block.
    fn row(&mut self, blocks: &mut [[i16; BLOCK]], lambdas: &[f32], mut put: impl FnMut(u64)) {
        self.raw.clear();
        for (block, &lambda) in blocks.iter_mut().zip(lambdas) {
            let raw = std::mem::replace(block, [0; BLOCK]);
            put(match self.chooses {
                true => self.ac.quantize(&raw, lambda, block),
                false => self.ac.round(&raw, block),
            });
            block[0] = self.dc.round(raw[0]);
            self.raw.push(RawDc { level: raw[0], lambda: lambda * self.dc_weight });
        }
        if self.chooses && self.dc_weight > 0.0 {
            self.dc.choose(&self.raw, |index, value| blocks[index][0] = value);
        }
    }
}
