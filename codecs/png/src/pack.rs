//! Filters rows and compresses them: all of them, or those of a trial.

use filepress_deflate::{Container, Encoder, Level};

use crate::filter_strategy::{Filter, Strategy};
use crate::picture::Picture;

/// The number of adjacent rows of a band: filters need the row above.
pub(crate) const BAND: usize = 32;
/// Rows of at most so many bytes are freed at once.
const ONE_SLAB: usize = 1 << 20;
/// A slab is one in so many of the rows that are left.
const SLABS: usize = 32;

/// A compressed stream. In pieces, because one vector that grows would be copied, and would take up to three times its size
/// meanwhile.
#[derive(Default)]
pub(crate) struct Packed {
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) length: usize,
}

impl Packed {
    fn push(&mut self, mut piece: Vec<u8>) {
        if !piece.is_empty() {
            piece.shrink_to_fit();
            self.length += piece.len();
            self.pieces.push(piece);
        }
    }
}

/// Whether a trial codes a row.
pub(crate) fn is_tried(row: usize, bands: usize) -> bool {
    row / BAND % bands == bands / 2
}

/// Filters rows and compresses them.
struct Packer {
    filter: Filter,
    encoder: Encoder,
    packed: Packed,
}

// Inlined, the code would be in the module once for each caller.
impl Packer {
    #[inline(never)]
    fn new(picture: &Picture, strategy: Strategy, level: Level) -> Self {
        Self {
            filter: Filter::new(strategy, picture.row_size(), picture.pixel_size()),
            encoder: Encoder::new(Container::Zlib, level),
            packed: Packed::default(),
        }
    }

    #[inline(never)]
    fn write(&mut self, row: &[u8]) {
        self.encoder.write(self.filter.row(row));
        self.packed.push(self.encoder.take());
    }

    #[inline(never)]
    fn finish(mut self) -> Packed {
        self.packed.push(self.encoder.finish());
        self.packed
    }
}

/// Packs all rows. Their memory is given back as they are coded: of a large picture, that is more than the stream takes.
pub(crate) fn pack_all(picture: &mut Picture, strategy: Strategy, level: Level) -> Packed {
    let row = picture.row_size();
    let mut packer = Packer::new(picture, strategy, level);
    let mut slabs = slabs(std::mem::take(&mut picture.rows), row);
    while let Some(slab) = slabs.pop() {
        slab.chunks_exact(row).for_each(|row| packer.write(row));
    }
    packer.finish()
}

/// Rows in slabs that can be freed one by one, the last rows first. A vector gives back memory at its end only, so they are moved from
/// there: each slab into the place of the one before it, for which it has to be smaller.
fn slabs(mut rows: Vec<u8>, row: usize) -> Vec<Vec<u8>> {
    let mut slabs = Vec::new();
    while rows.len() > ONE_SLAB {
        let slab = (rows.len() / row / SLABS).max(1) * row;
        slabs.push(rows.split_off(rows.len() - slab));
        rows.shrink_to_fit();
    }
    slabs.push(rows);
    slabs
}

/// Packs one in `bands` bands of rows.
pub(crate) fn pack(picture: &Picture, strategy: Strategy, level: Level, bands: usize) -> Packed {
    let mut packer = Packer::new(picture, strategy, level);
    for (at, row) in picture.rows.chunks_exact(picture.row_size()).enumerate() {
        if is_tried(at, bands) {
            packer.write(row);
        } else if (at + 1) % BAND == 0 {
            packer.filter.pass(row);
        }
    }
    packer.finish()
}
