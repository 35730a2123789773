//! Generated CMYK pictures: an ICC profile for them, and JPEGs of flat blocks whose samples survive exactly.

use super::delta_e::{encoded, linear};

/// Cyan, magenta, yellow and black; 255 is all of an ink.
pub(super) type Ink = [u8; 4];

/// Levels of an ink in the table of [`profile`].
const GRID: usize = 9;

/// What the inks of [`profile`] look like, in sRGB, 0 to 1: no ink is pure, and none is black.
pub(super) fn look([cyan, magenta, yellow, black]: [f64; 4]) -> [f64; 3] {
    let light = |stains: [f64; 4], paper: f64| {
        let inks = [cyan, magenta, yellow, black];
        inks.iter().zip(stains).fold(paper, |light, (ink, stain)| light * (1.0 - ink * stain))
    };
    [
        light([0.65, 0.12, 0.04, 0.60], 0.97),
        light([0.30, 0.60, 0.08, 0.60], 0.97),
        light([0.12, 0.35, 0.60, 0.58], 0.97),
    ]
}

/// The same on a screen, whose black is darker than that of all inks together: all colors move with it, the less the lighter
/// they are.
pub(super) fn on_screen(inks: [f64; 4]) -> [f64; 3] {
    let black = look([1.0; 4]).map(linear);
    assert!(black.iter().all(|light| *light > 0.008), "{black:?}");
    let light = look(inks).map(linear);
    [0, 1, 2].map(|at| encoded((light[at] - black[at]) / (1.0 - black[at])))
}

/// A profile of version 2 whose one table, `A2B0`, is a sample of [`look`] in CIE Lab (ICC.1:2001-04, 6.5.9).
pub(super) fn profile() -> Vec<u8> {
    let level = |index: usize| index as f64 / (GRID - 1) as f64;
    let mut table = b"mft2\0\0\0\0\x04\x03".to_vec();
    table.extend([GRID as u8, 0]);
    let identity = [1, 0, 0, 0, 1, 0, 0, 0, 1_u32];
    table.extend(identity.iter().flat_map(|one| (one << 16).to_be_bytes()));
    // Curves of two points, which change nothing.
    table.extend([0, 2, 0, 2]);
    table.extend([0, 0, 0xFF, 0xFF].repeat(4));
    for node in 0..GRID.pow(4) {
        let inks = [3, 2, 1, 0].map(|power| level(node / GRID.pow(power) % GRID));
        let [l, a, b] = super::delta_e::lab(look(inks));
        let coded = [l * 652.8, (a + 128.0) * 256.0, (b + 128.0) * 256.0];
        table.extend(coded.iter().flat_map(|value| (value.round() as u16).to_be_bytes()));
    }
    table.extend([0, 0, 0xFF, 0xFF].repeat(3));

    let mut icc = ((144 + table.len()) as u32).to_be_bytes().to_vec();
    icc.extend_from_slice(b"\0\0\0\0\x02\x40\0\0prtrCMYKLab ");
    icc.extend([7, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    icc.extend_from_slice(b"acsp");
    icc.resize(68, 0);
    icc.extend_from_slice(b"\0\0\xF6\xD6\0\x01\0\0\0\0\xD3\x2D");
    icc.resize(128, 0);
    icc.extend_from_slice(b"\0\0\0\x01A2B0\0\0\0\x90");
    icc.extend((table.len() as u32).to_be_bytes());
    icc.extend(table);
    icc
}

/// A baseline JPEG of one block of 8 × 8 pixels for each ink, in rows of 16, as Adobe stores them: inverted, and with
/// `transform` 2 as luma and chroma. Without `transform` there is no segment of Adobe's.
pub(super) fn jpeg(inks: &[Ink], transform: Option<u8>, icc: Option<&[u8]>) -> Vec<u8> {
    let mut out = vec![0xFF, 0xD8];
    let mut segment = |marker: u8, data: &[u8]| {
        out.extend([0xFF, marker]);
        out.extend((data.len() as u16 + 2).to_be_bytes());
        out.extend_from_slice(data);
    };
    if let Some(transform) = transform {
        segment(0xEE, &[b"Adobe\0\x64\0\0\0\0".as_slice(), &[transform]].concat());
    }
    let parts: Vec<_> = icc.unwrap_or_default().chunks(65_000).collect();
    for (number, part) in (1..).zip(&parts) {
        segment(0xE2, &[b"ICC_PROFILE\0".as_slice(), &[number, parts.len() as u8], part].concat());
    }
    // With steps of 8, the first coefficient of a flat block is its level less 128.
    segment(0xDB, &[[0].as_slice(), &[8; 64]].concat());
    let rows = inks.len().div_ceil(16) as u16 * 8;
    let mut frame = vec![8];
    frame.extend([rows, 128].map(u16::to_be_bytes).concat());
    frame.extend([4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]);
    segment(0xC0, &frame);
    // Differences of 0 to 9 bits, each size with a code of four bits; of the rest, the end of the block alone: one bit.
    let lengths = [0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    segment(0xC4, &[[0].as_slice(), &lengths, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]].concat());
    segment(0xC4, &[&[0x10, 1], [0; 15].as_slice(), &[0]].concat());
    segment(0xDA, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);

    let mut bits = Bits::default();
    let mut before = [0; 4];
    for block in 0..inks.len().div_ceil(16) * 16 {
        let ink = inks.get(block).copied().unwrap_or_default();
        let stored = match transform {
            Some(2) => ycck(ink),
            _ => ink.map(|ink| !ink),
        };
        for (stored, before) in stored.into_iter().zip(&mut before) {
            let level = i32::from(stored) - 128;
            let difference = level - *before;
            *before = level;
            let size = 32 - difference.unsigned_abs().leading_zeros();
            let low = if difference < 0 { difference - 1 } else { difference };
            bits.push(size, 4);
            bits.push(low as u32 & ((1 << size) - 1), size);
            bits.push(0, 1);
        }
    }
    out.extend(bits.bytes());
    out.extend([0xFF, 0xD9]);
    out
}

/// Luma and chroma of what the inks leave of the light, once inverted, by the equations of JFIF; black as it is.
fn ycck(ink: Ink) -> [u8; 4] {
    let [r, g, b] = [ink[0], ink[1], ink[2]].map(f64::from);
    let luma = 0.299 * r + 0.587 * g + 0.114 * b;
    let (blue, red) = (128.0 + (b - luma) / 1.772, 128.0 + (r - luma) / 1.402);
    [luma, blue, red, f64::from(!ink[3])].map(|value| value.round() as u8)
}

#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.0.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    }

    /// Filled up with ones, and a 0 behind each 255.
    fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            (0..8).fold(0, |byte, at| byte << 1 | u8::from(bits.get(at).copied().unwrap_or(true)))
        };
        let stuffed = |byte: u8| if byte == 0xFF { vec![0xFF, 0] } else { vec![byte] };
        self.0.chunks(8).map(byte).flat_map(stuffed).collect()
    }
}
