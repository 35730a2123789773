//! Random blocks, 16,384 of each form of each block compression.

use dds::{Format, Size};
use filepress_dds::Samples;

use crate::support::{Random, difference, file, ours, theirs};

const SIDE: u32 = 512;
const SIZE: Size = Size { width: SIDE, height: SIDE };
const BLOCKS: usize = (SIDE / 4 * SIDE / 4) as usize;

/// The difference for random blocks that `adapt` makes something of, by their number.
fn apart(format: Format, seed: u64, adapt: impl Fn(usize, &mut [u8])) -> u32 {
    let mut random = Random(seed);
    let file = file(format, SIZE, |bytes| {
        let mut stored = random.bytes(bytes);
        assert_eq!(stored.len() % BLOCKS, 0);
        stored.chunks_mut(bytes / BLOCKS).enumerate().for_each(|(at, block)| adapt(at, block));
        stored
    });
    difference(&ours(&file), &theirs(&file))
}

/// Makes the first color of a block the greater one: which it is says nothing in BC2 and BC3.
fn greater_first(colors: &mut [u8]) {
    let [first, second] = [0, 2].map(|at| u16::from_le_bytes([colors[at], colors[at + 1]]));
    colors[..2].copy_from_slice(&first.max(second).to_le_bytes());
    colors[2..4].copy_from_slice(&first.min(second).max(1).wrapping_sub(1).to_le_bytes());
}

#[test]
fn blocks_of_bc1_to_bc5() {
    for (seed, format) in [
        Format::BC1_UNORM,
        Format::BC2_UNORM,
        Format::BC4_UNORM,
        Format::BC4_SNORM,
        Format::BC5_UNORM,
        Format::BC5_SNORM,
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(apart(format, seed as u64 + 1, |_, _| ()), 0, "{format:?}");
    }
    for format in [Format::BC3_UNORM, Format::BC3_UNORM_RXGB] {
        assert_eq!(apart(format, 7, |_, block| greater_first(&mut block[8..])), 0, "{format:?}");
    }
    // The other decoder divides colors before they are rounded.
    for format in [Format::BC2_UNORM_PREMULTIPLIED_ALPHA, Format::BC3_UNORM_PREMULTIPLIED_ALPHA] {
        assert!(apart(format, 8, |_, block| greater_first(&mut block[8..])) <= 1, "{format:?}");
    }
}

#[test]
fn blocks_of_every_mode_of_bc6h() {
    for format in [Format::BC6H_UF16, Format::BC6H_SF16] {
        // The lowest five bits: each mode with all of them, those with two bits eight times, and the reserved ones.
        for mode in 0..32_u8 {
            let of_mode = |_: usize, block: &mut [u8]| block[0] = (block[0] & !31) | mode;
            assert_eq!(apart(format, u64::from(mode) + 10, of_mode), 0, "{format:?}, mode {mode:05b}");
        }
    }
}

#[test]
fn blocks_of_every_mode_of_bc7() {
    for mode in 0..=8_u32 {
        // As many zeros as the number says, then a one; the last has eight.
        let of_mode = |_: usize, block: &mut [u8]| {
            block[0] = ((u32::from(block[0]) << (mode + 1)) | (1 << mode)) as u8;
            assert_eq!(block[0].trailing_zeros(), mode);
        };
        assert_eq!(apart(Format::BC7_UNORM, u64::from(mode) + 50, of_mode), 0, "mode {mode}");
    }
}

#[test]
fn blocks_of_astc() {
    assert_eq!(apart(Format::ASTC_4X4_UNORM, 70, |_, _| ()), 0);
}

#[test]
fn bc3_always_has_four_colors() {
    // Black, white, and the thirds between; black first, which would be three colors in BC1.
    let file = file(Format::BC3_UNORM, Size::new(4, 4), |_| {
        vec![255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0b1110_0100, 0b1110_0100, 0b1110_0100, 0b1110_0100]
    });
    let row = [0, 255, 85, 170].map(|gray| [gray, gray, gray, 255]).concat();
    assert_eq!(ours(&file), Samples::U8(row.repeat(4)));
}
