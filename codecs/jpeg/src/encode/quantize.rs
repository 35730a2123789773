//! The coefficients of a picture, quantized.

use super::ac::AcTrellis;
use super::bit_cost::{RateCounter, Rates};
use super::blocks::{Component, Row};
use super::dc::{DcTrellis, RawDc};
use super::masking::{colorful, lambda};
use super::prepared::Prepared;
use super::settings::Settings;
use super::tuning::Tuning;
use crate::Error;
use crate::coefficients::QuantTable;

/// Rows of MCUs of a sample of the picture: as many at least as there are, and one in so many at most.
const SAMPLE: usize = 8;

/// Quantizes all components by these tables.
pub(crate) fn quantize(
    mut picture: Prepared,
    tables: &[QuantTable; 3],
    settings: &Settings,
    tuning: &Tuning,
) -> Result<Vec<Component>, Error> {
    let rates = rates(&picture, tables, settings, tuning);
    for (number, component) in picture.components.iter_mut().enumerate() {
        let mut quantizer = Quantizer::new(number, &tables[number], rates[number.min(1)].as_ref(), tuning);
        for row in &mut component.rows {
            // In the place of what it was made from.
            *row = quantizer.row(row).take()?;
        }
    }
    Ok(picture.components)
}

/// What luma and chroma cost in bits, if coefficients are chosen by it.
fn rates(
    picture: &Prepared,
    tables: &[QuantTable; 3],
    settings: &Settings,
    tuning: &Tuning,
) -> [Option<Rates>; 2] {
    let mut rates = [const { None }; 2];
    let passes = if settings.trellis { tuning.passes + 1 } else { 0 };
    for _ in 0..passes {
        rates = [0..1, 1..picture.components.len()].map(|range| {
            let mut counter = RateCounter::new(settings.progressive);
            for number in range {
                // At first coefficients are rounded, as there are no rates.
                let rates = rates[number.min(1)].as_ref();
                let mut quantizer = Quantizer::new(number, &tables[number], rates, tuning);
                quantizer.dc_weight = 1.0;
                sample(&picture.components[number], quantizer, &mut counter);
            }
            Some(counter.finish(tuning.broken_run))
        });
    }
    rates
}

/// Counts the symbols of some rows of blocks.
fn sample(component: &Component, mut quantizer: Quantizer, counter: &mut RateCounter) {
    let high = component.sampling.1;
    let step = (component.shown.1 / high / SAMPLE).clamp(1, SAMPLE);
    let mut last = 0;
    let rows = component.rows.iter().enumerate();
    for (_, row) in rows.filter(|(row, _)| (row / high).is_multiple_of(step)) {
        let row = quantizer.row(row);
        for ((values, mask), &dc) in row.blocks().zip(&row.dc) {
            counter.difference(i32::from(dc) - last);
            last = i32::from(dc);
            counter.block(values, mask);
        }
    }
}

/// Quantizes the rows of blocks of a component.
struct Quantizer {
    ac: AcTrellis,
    dc: DcTrellis,
    /// Whether coefficients are chosen rather than rounded.
    chooses: bool,
    dc_weight: f32,
    /// What a squared error of one step costs in a block without texture, and the energy that halves it.
    base: f32,
    masking: f32,
    saturation: f32,
    raw: Vec<RawDc>,
    out: Row,
}

impl Quantizer {
    fn new(number: usize, table: &QuantTable, rates: Option<&Rates>, tuning: &Tuning) -> Self {
        let none = Rates { dc: [0; 256], ac: [0; 256], end: 0.0, end_of_run: 0.0 };
        let costs = rates.unwrap_or(&none);
        Self {
            ac: AcTrellis::new(table, costs, tuning.pattern),
            dc: DcTrellis::new(table[0], &costs.dc),
            chooses: rates.is_some(),
            dc_weight: tuning.dc[number.min(1)],
            base: tuning.lambda[number.min(1)],
            masking: tuning.masking,
            saturation: if number == 0 { 0.0 } else { tuning.saturation[number - 1] },
            raw: Vec::new(),
            out: Row::default(),
        }
    }

    /// The row, quantized.
    fn row(&mut self, row: &Row) -> &mut Row {
        self.out.clear();
        self.raw.clear();
        for (((raw, mask), &dc), &energy) in row.blocks().zip(&row.dc).zip(&row.energies) {
            let lambda = lambda(energy, self.base, self.masking) * colorful(dc, self.saturation);
            let values = &mut self.out.values;
            self.out.masks.push(match self.chooses {
                true => self.ac.quantize(mask, raw, lambda, values),
                false => self.ac.round(mask, raw, values),
            });
            let rounded = self.dc.round(dc);
            self.out.dc.push(rounded);
            self.raw.push(RawDc { level: dc, rounded, lambda: lambda * self.dc_weight });
        }
        if self.chooses && self.dc_weight > 0.0 {
            self.dc.choose(&self.raw, |index, value| self.out.dc[index] = value);
        }
        &mut self.out
    }
}
