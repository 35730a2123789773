//! Rows of pixels, of samples of one precision.

use crate::coefficients::{Block, QuantTable};
use crate::decode::band::Band;
use crate::decode::color::{Output, convert};
use crate::decode::color_model::ColorModel;
use crate::decode::damage::Tally;
use crate::decode::entropy::Order;
use crate::decode::headers::Headers;
use crate::decode::idct::{Steps, Transform};
use crate::decode::layout::Layout;
use crate::decode::options::DecodeOptions;
use crate::decode::scan_decoder::ScanDecoder;
use crate::decode::store::Store;
use crate::decode::upsample::{Space, Upsampler};
use crate::error::Error;
use crate::lanes::{beyond, take_lowest};
use crate::zigzag::ZIGZAG;

/// Where the coefficients of rows come from.
enum Source<'a> {
    /// The only scan, as rows are asked for.
    Scan(Box<ScanDecoder<'a>>),
    /// All scans.
    Store(Store),
}

/// The state of decoding to rows.
pub(crate) struct Rows<'a, S> {
    layout: Layout,
    source: Source<'a>,
    band: Band<S>,
    upsamplers: Vec<Upsampler>,
    /// For a row of each component.
    spaces: Vec<Space<S>>,
    headers: Headers<'a>,
    model: ColorModel,
    output: Output,
    /// Rows of MCUs that were decoded.
    mcu_rows: usize,
    /// The next row of pixels.
    next: usize,
    pub(crate) tally: Tally,
}

impl<'a, S: Transform> Rows<'a, S> {
    /// The bytes that decoding takes.
    pub(crate) fn size(headers: &Headers<'_>, layout: &Layout) -> u64 {
        let spaces = layout.components.len() as u64 * Space::<S>::size(layout);
        let store = if headers.streams() { 0 } else { Store::size(layout) };
        store + Band::<S>::size(layout) + spaces
    }

    /// Reads all scans, unless there is a single one of all components.
    pub(crate) fn new(
        mut headers: Headers<'a>,
        layout: Layout,
        model: ColorModel,
        output: Output,
        options: DecodeOptions,
    ) -> Result<Self, Error> {
        let mut tally = Tally::default();
        let (source, steps): (_, Result<Vec<Steps>, Error>) = if headers.streams() {
            let scan = ScanDecoder::new(&headers, &layout, Order::Raster)?;
            let tables =
                headers.frame.components.iter().map(|c| headers.tables.quant[usize::from(c.quant & 3)]);
            (Source::Scan(Box::new(scan)), tables.map(steps).collect())
        } else {
            let (store, all) = Store::read(&mut headers, &layout, options)?;
            tally = all;
            let steps = store.components.iter().map(|c| steps(c.quant)).collect();
            (Source::Store(store), steps)
        };
        Ok(Self {
            band: Band::new(&layout, &steps?),
            upsamplers: layout.components.iter().map(|sizes| Upsampler::new(&layout, sizes)).collect(),
            spaces: vec![Space::new(&layout); layout.components.len()],
            layout,
            source,
            headers,
            model,
            output,
            mcu_rows: 0,
            next: 0,
            tally,
        })
    }

    /// Whether there are further rows.
    pub(crate) fn left(&self) -> usize {
        self.layout.height - self.next
    }

    /// Leaves out the rows of pixels that are left.
    pub(crate) fn skip_pixels(&mut self) {
        self.next = self.layout.height;
    }

    /// Writes the next row of pixels, of which there is one. `put` gets the rows of components that are decoded for it.
    pub(crate) fn read(&mut self, out: &mut [S], put: &mut dyn FnMut(usize, &[S])) {
        let needed = self.upsamplers.iter().map(|upsampler| upsampler.needed(self.next));
        let needed: Vec<_> = needed.collect();
        while self.mcu_rows < self.layout.mcus.1
            && self.band.planes.iter().zip(&needed).any(|(p, &n)| p.end < n)
        {
            self.read_components(put);
        }
        let rows: Vec<&[S]> = (self.upsamplers.iter().zip(&self.band.planes))
            .zip(&mut self.spaces)
            .map(|((upsampler, plane), space)| upsampler.row(plane, self.next, space))
            .map(|row| row.get(..self.layout.width).unwrap_or(row))
            .collect();
        convert(self.output, self.model, &rows, out);
        self.next += 1;
    }

    /// Decodes the next row of MCUs, and hands over the rows of each component that it has. Whether there was one.
    pub(crate) fn read_components(&mut self, put: &mut dyn FnMut(usize, &[S])) -> bool {
        if self.mcu_rows == self.layout.mcus.1 {
            return false;
        }
        self.decode_mcu_row();
        for (number, (plane, sizes)) in self.band.planes.iter().zip(&self.layout.components).enumerate() {
            for row in plane.end - sizes.v * sizes.block.1..plane.end.min(sizes.height) {
                let samples = plane.row(row as isize);
                put(number, samples.get(..sizes.width).unwrap_or(samples));
            }
        }
        true
    }

    fn decode_mcu_row(&mut self) {
        self.band.advance();
        let row = self.mcu_rows;
        self.mcu_rows += 1;
        match &mut self.source {
            Source::Scan(scan) => {
                scan.row(&self.layout, row, &mut self.band);
                (self.tally.mcus, self.tally.lost) = (scan.mcus.0 as u64 * scan.mcus.1 as u64, scan.lost);
                self.tally.damaged |= scan.damaged;
                if self.mcu_rows == self.layout.mcus.1 {
                    let at = scan.position();
                    self.tally.look_behind(&mut self.headers.segments, at);
                }
            }
            Source::Store(store) => {
                for (index, (component, sizes)) in
                    store.components.iter().zip(&self.layout.components).enumerate()
                {
                    for y in row * sizes.v..(row + 1) * sizes.v {
                        for (x, block) in component.rows[y].blocks().enumerate() {
                            self.band.transform(index, x, y, &in_raster(&block));
                        }
                    }
                }
            }
        }
    }
}

/// Up to so many coefficients are moved one by one, and more of them with all zeros: without branches.
const FEW: u32 = 16;

/// By the index in a block, that in zigzag order.
static IN_ZIGZAG: [u8; 64] = {
    let mut indices = [0; 64];
    let mut k = 0;
    while k < 64 {
        indices[ZIGZAG[k] as usize] = k as u8;
        k += 1;
    }
    indices
};

/// A block that is in zigzag order.
fn in_raster(block: &Block) -> Block {
    let mut mask = beyond(block, &[0; 64]);
    let mut raster = [0; 64];
    if mask.count_ones() > FEW {
        for (to, k) in raster.iter_mut().zip(&IN_ZIGZAG) {
            *to = block[usize::from(k & 63)];
        }
        return raster;
    }
    raster[0] = block[0];
    while mask != 0 {
        let k = take_lowest(&mut mask) & 63;
        raster[usize::from(ZIGZAG[k] & 63)] = block[k];
    }
    raster
}

/// Quantizer steps in raster order.
fn steps(table: Option<QuantTable>) -> Result<Steps, Error> {
    let table = table.ok_or(Error::Corrupt("a quantization table is missing"))?;
    let mut steps = [0; 64];
    for (step, index) in table.iter().zip(ZIGZAG) {
        steps[usize::from(index)] = *step;
    }
    Ok(steps)
}
