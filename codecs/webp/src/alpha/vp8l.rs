//! A VP8L image whose only varying channel is green (RFC 9649, sections 3.6 and 3.7): literals and backward references under one set of
//! prefix codes.

use super::backward_refs::{BackwardRef, find};
use super::bit_writer::BitWriter;
use super::huffman::HuffmanCode;

/// Green literals and length prefixes share an alphabet; distances have their own.
const LITERALS: usize = 256;
const LENGTH_PREFIXES: usize = 24;
const DISTANCE_PREFIXES: usize = 40;
/// The start of the distance map (section 3.6.2.2): the pixel offset (to the left, up) of distance codes 1 to 24.
const DISTANCE_MAP: [(isize, isize); 24] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, 2),
    (2, 0),
    (1, 2),
    (-1, 2),
    (2, 1),
    (-2, 1),
    (2, 2),
    (-2, 2),
    (0, 3),
    (3, 0),
    (1, 3),
    (-1, 3),
    (3, 1),
    (-3, 1),
    (2, 3),
    (-2, 3),
    (3, 2),
    (-3, 2),
    (0, 4),
    (4, 0),
];
/// Distance codes above this are plain distances in raster order.
const MAP_CODES: usize = 120;

/// An image without transforms.
pub(super) fn encode(green: &[u8], width: usize) -> Vec<u8> {
    let mut out = BitWriter::default();
    // No transform.
    out.write(0, 1);
    write_image(green, width, &mut out);
    out.finish()
}

/// The entropy-coded image in the ARGB role.
pub(super) fn write_image(green: &[u8], width: usize, out: &mut BitWriter) {
    // No color cache, no meta prefix codes.
    out.write(0, 2);
    let references = find(green, width);
    let mut green_counts = [0; LITERALS + LENGTH_PREFIXES];
    let mut distance_counts = [0; DISTANCE_PREFIXES];
    for_each_symbol(green, width, &references, |symbol| match symbol {
        Symbol::Literal(value) => green_counts[usize::from(value)] += 1,
        Symbol::Reference { length, distance } => {
            green_counts[LITERALS + length.prefix] += 1;
            distance_counts[distance.prefix] += 1;
        }
    });
    let green_code = HuffmanCode::write_code(&green_counts, out);
    for _ in 0..3 {
        // Red, blue and alpha have one symbol.
        HuffmanCode::write_code(&[1], out);
    }
    let distance_code = HuffmanCode::write_code(&distance_counts, out);
    for_each_symbol(green, width, &references, |symbol| match symbol {
        Symbol::Literal(value) => green_code.write(usize::from(value), out),
        Symbol::Reference { length, distance } => {
            green_code.write(LITERALS + length.prefix, out);
            out.write(length.extra, length.extra_bits);
            distance_code.write(distance.prefix, out);
            out.write(distance.extra, distance.extra_bits);
        }
    });
}

/// The color table of the color indexing transform: an image of one row.
pub(super) fn write_color_table(green: &[u8], out: &mut BitWriter) {
    // No color cache.
    out.write(0, 1);
    let mut counts = [0; LITERALS + LENGTH_PREFIXES];
    for value in green {
        counts[usize::from(*value)] += 1;
    }
    let code = HuffmanCode::write_code(&counts, out);
    for _ in 0..4 {
        HuffmanCode::write_code(&[1], out);
    }
    for value in green {
        code.write(usize::from(*value), out);
    }
}

enum Symbol {
    Literal(u8),
    Reference { length: PrefixCoded, distance: PrefixCoded },
}

fn for_each_symbol(green: &[u8], width: usize, references: &[BackwardRef], mut emit: impl FnMut(Symbol)) {
    let mut at = 0;
    for reference in references {
        green[at..reference.at].iter().for_each(|value| emit(Symbol::Literal(*value)));
        let distance = distance_code(reference.distance, width);
        emit(Symbol::Reference {
            length: PrefixCoded::new(reference.length),
            distance: PrefixCoded::new(distance),
        });
        at = reference.at + reference.length;
    }
    green[at..].iter().for_each(|value| emit(Symbol::Literal(*value)));
}

fn distance_code(distance: usize, width: usize) -> usize {
    let is_at = |(left, up): &(isize, isize)| left + up * width as isize == distance as isize;
    DISTANCE_MAP.iter().position(is_at).map_or(distance + MAP_CODES, |code| code + 1)
}

/// A length or distance code as a prefix and extra bits (section 3.6.2.2).
struct PrefixCoded {
    prefix: usize,
    extra: u32,
    extra_bits: u32,
}

impl PrefixCoded {
    fn new(value: usize) -> Self {
        let rest = value - 1;
        if rest < 4 {
            return Self { prefix: rest, extra: 0, extra_bits: 0 };
        }
        let bits = rest.ilog2() - 1;
        let prefix = 2 * (bits as usize + 1) + ((rest >> bits) & 1);
        Self { prefix, extra: rest as u32 & ((1 << bits) - 1), extra_bits: bits }
    }
}
