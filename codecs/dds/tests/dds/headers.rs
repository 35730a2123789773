//! Headers: the numbers, codes and masks of formats, cube maps, volumes and arrays, and what damaged files do.

use std::io::Cursor;

use dds::header::ParseOptions;
use dds::{DataLayout, Decoder};
use filepress_dds::{Channels, Depth, Error, File, Samples, Unknown};

use crate::support::{Random, difference, ours, theirs};

/// The words of "DDS ", DDS_HEADER and DDS_HEADER_DXT10, of 8 × 4 pixels.
type Words = [u32; 37];

const DX10: u32 = u32::from_le_bytes(*b"DX10");

fn file(change: impl FnOnce(&mut Words)) -> Vec<u8> {
    let mut words = [0; 37];
    (words[0], words[1], words[2], words[3], words[4]) = (0x2053_4444, 124, 0x1007, 4, 8);
    (words[19], words[27]) = (32, 0x1000);
    change(&mut words);
    let mut file = words.map(u32::to_le_bytes).concat();
    if words[21] != DX10 {
        file.truncate(128);
    }
    // The first color of a block is the greater one: otherwise BC3 is read in another way (`blocks`).
    let mut pixels = Random(3).bytes(4_096);
    pixels.chunks_exact_mut(16).for_each(|block| (block[9], block[11]) = (block[9] | 0x80, block[11] & 0x7f));
    file.extend(pixels);
    file
}

fn of_dxgi(number: u32, change: impl FnOnce(&mut Words)) -> Vec<u8> {
    file(|words| {
        (words[20], words[21], words[32], words[33], words[35]) = (4, DX10, number, 3, 1);
        change(words);
    })
}

fn of_code(code: [u8; 4], change: impl FnOnce(&mut Words)) -> Vec<u8> {
    file(|words| {
        (words[20], words[21]) = (4, u32::from_le_bytes(code));
        change(words);
    })
}

fn of_masks(flags: u32, bits: u32, masks: [u32; 4]) -> Vec<u8> {
    file(|words| {
        (words[20], words[22]) = (flags, bits);
        words[23..27].copy_from_slice(&masks);
    })
}

/// Pictures and mipmaps, as the other decoder sees them, if it reads the file.
fn read_by_other(file: &[u8]) -> Option<(u32, u32)> {
    let options = ParseOptions::new_permissive(Some(file.len() as u64));
    let decoder = Decoder::new_with_options(Cursor::new(file), &options).ok()?;
    let pictures = match decoder.layout() {
        DataLayout::Texture(_) => 1,
        DataLayout::Volume(volume) => volume.main().depth(),
        DataLayout::TextureArray(array) => array.len() as u32,
    };
    Some((pictures.max(1), decoder.header().mipmap_count().get()))
}

/// Asserts that what the other decoder reads is read in the same way; whether it does.
fn same(file: &[u8], name: &str) -> bool {
    let Some(facts) = read_by_other(file) else { return false };
    let read = File::new(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((read.pictures(), read.mipmaps()), facts, "{name}");
    // Some formats round in another way (`formats`), and those of 10 bits drop what is below them.
    let most = if read.depth() == Depth::U16 { 1 << 9 } else { 1 };
    let apart = difference(&ours(file), &theirs(file));
    assert!(apart <= most, "{name}: {apart}");
    true
}

#[test]
fn every_number_and_code_is_read() {
    let numbers =
        (0..300).filter(|&number| same(&of_dxgi(number, |_| ()), &format!("DXGI {number}"))).count();
    assert_eq!(numbers, 120);
    let codes =
        (0..300_u32).filter(|&code| same(&of_code(code.to_le_bytes(), |_| ()), &format!("D3D {code}")));
    assert_eq!(codes.count(), 8);
    for code in [
        "DXT1", "DXT2", "DXT3", "DXT4", "DXT5", "RXGB", "ATI1", "ATI2", "BC4U", "BC4S", "BC5U", "BC5S",
        "RGBG", "GRGB", "YUY2", "UYVY",
    ] {
        let code = code.as_bytes().try_into().expect("four characters");
        assert!(same(&of_code(code, |_| ()), &format!("{code:?}")));
    }
    let unknown = |file: &[u8]| File::new(file).map(|_| ()).expect_err("no such format");
    assert_eq!(unknown(&of_dxgi(20, |_| ())), Error::Unsupported(Unknown::Dxgi(20)));
    assert_eq!(unknown(&of_code(*b"ZZZZ", |_| ())), Error::Unsupported(Unknown::FourCc(*b"ZZZZ")));
}

#[test]
fn alpha_modes_are_read_alike() {
    let bytes = |samples| match samples {
        Samples::U8(samples) => samples,
        other => panic!("no 8 bits: {other:?}"),
    };
    for number in 0..300 {
        let file = |mode| of_dxgi(number, |words| words[36] = mode);
        // Opaque, which leaves out alpha, is 3.
        for mode in [0, 1, 2, 4, 8 | 2] {
            same(&file(mode), &format!("DXGI {number}, alpha mode {mode}"));
        }
        let opaque = File::new(&file(3)).map(|file| file.channels());
        assert!(opaque != Ok(Channels::Rgba), "DXGI {number}");
    }
    for number in [74, 77] {
        let [straight, multiplied] =
            [1, 2].map(|mode| bytes(ours(&of_dxgi(number, |words| words[36] = mode))));
        assert_ne!(straight, multiplied, "DXGI {number}");
        let opaque = bytes(ours(&of_dxgi(number, |words| words[36] = 3)));
        let colors: Vec<u8> = straight.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        assert_eq!(opaque, colors, "DXGI {number}");
    }
}

#[test]
fn masks_that_others_read_are_read_alike() {
    for (flags, bits, masks) in [
        (0x41, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000]),
        (0x41, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000]),
        (0x40, 32, [0xff_0000, 0xff00, 0xff, 0]),
        (0x40, 24, [0xff_0000, 0xff00, 0xff, 0]),
        (0x40, 24, [0xff, 0xff00, 0xff_0000, 0]),
        (0x41, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000]),
        (0x40, 32, [0xffff, 0xffff_0000, 0, 0]),
        (0x41, 16, [0x7c00, 0x3e0, 0x1f, 0x8000]),
        (0x40, 16, [0xf800, 0x7e0, 0x1f, 0]),
        (0x41, 16, [0xf00, 0xf0, 0xf, 0xf000]),
        (0x2, 8, [0, 0, 0, 0xff]),
        (0x2_0000, 16, [0xffff, 0, 0, 0]),
        (0x2_0000, 8, [0xff, 0, 0, 0]),
        (0x40, 16, [0xff, 0xff00, 0, 0]),
        (0x8_0000, 16, [0xff, 0xff00, 0, 0]),
        (0x8_0000, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000]),
        (0x8_0000, 32, [0xffff, 0xffff_0000, 0, 0]),
    ] {
        let name = format!("{flags:x}, {bits}: {masks:x?}");
        assert!(same(&of_masks(flags, bits, masks), &name), "{name}");
    }
}

#[test]
fn other_masks_are_read_as_they_say() {
    let first = |flags, bits, masks, pixel: u32| {
        let mut file = of_masks(flags, bits, masks);
        file[128..132].copy_from_slice(&pixel.to_le_bytes());
        let Samples::U8(samples) = ours(&file) else { panic!("8 bits") };
        samples[..File::new(&file).expect("a header").channels().count()].to_vec()
    };
    assert_eq!(first(0x40, 32, [0xff, 0xff00, 0xff_0000, 0], 0x0030_2010), [0x10, 0x20, 0x30], "X8B8G8R8");
    assert_eq!(first(0x41, 16, [0xe0, 0x1c, 3, 0xff00], 0x80e2), [255, 0, 170, 0x80], "A8R3G3B2");
    assert_eq!(first(0x40, 16, [0x7c00, 0x3e0, 0x1f, 0], 0x7c01), [255, 0, 8], "X1R5G5B5");
    assert_eq!(first(0x2_0001, 16, [0xff, 0, 0, 0xff00], 0x4020), [0x20, 0x20, 0x20, 0x40], "A8L8");
    assert_eq!(first(0x2_0001, 8, [0xf, 0, 0, 0xf0], 0x1f), [255, 255, 255, 17], "A4L4");
    assert_eq!(first(0x2_0002, 16, [0xff, 0, 0, 0xff00], 0x4020), [0x20, 0x20, 0x20, 0x40], "A8L8");
    assert_eq!(
        first(0x42, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], 0x4030_2010),
        [0x30, 0x20, 0x10, 0x40],
        "A8R8G8B8"
    );
    assert_eq!(first(0x40, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], 0x4030_2010), [0x30, 0x20, 0x10]);
    for (flags, bits, masks) in [
        (0x40, 32, [0xf0f, 0xf0, 0xf000, 0]),
        (0x40, 32, [0xffff_ffff, 0, 0, 0]),
        (0x40, 16, [0xff_0000, 0xff00, 0xff, 0]),
        (0x40, 0, [0xff, 0, 0, 0]),
        (0x40, 12, [0xf, 0, 0, 0]),
        (0x40, 32, [0; 4]),
        (0, 32, [0xff, 0xff00, 0xff_0000, 0]),
        (0x1, 8, [0, 0, 0, 0xff]),
        (0x200, 8, [0xff, 0, 0, 0]),
        (0x2_0040, 8, [0xff, 0, 0, 0]),
        (0x8_0000, 16, [0x1f, 0x3e0, 0, 0]),
    ] {
        let error = File::new(&of_masks(flags, bits, masks)).map(|_| ()).expect_err("no such masks");
        assert_eq!(error, Error::Unsupported(Unknown::Masks), "{flags:x}, {bits}: {masks:x?}");
    }
}

#[test]
fn headers_that_are_not_quite_right_are_read_alike() {
    let legacy = |change: fn(&mut Words)| of_code(*b"DXT1", change);
    let extended = |change: fn(&mut Words)| of_dxgi(71, change);
    let files: [(&str, Vec<u8>); 26] = [
        ("24 bytes of header", legacy(|words| words[1] = 24)),
        ("24 bytes of pixel format", legacy(|words| words[19] = 24)),
        ("no bytes of pixel format", legacy(|words| words[19] = 0)),
        ("no flags", legacy(|words| words[2] = 0)),
        ("no flag of the code", legacy(|words| words[20] = 0)),
        ("another flag", legacy(|words| words[20] = 0x8000_0005)),
        ("mipmaps without a flag", legacy(|words| words[7] = 3)),
        ("mipmaps", legacy(|words| (words[2], words[7]) = (0x2_1007, 3))),
        ("mipmaps by the capabilities", legacy(|words| (words[27], words[7]) = (0x40_1008, 3))),
        ("zero mipmaps", legacy(|words| words[2] |= 0x2_0000)),
        ("100 mipmaps", legacy(|words| (words[2], words[7]) = (0x2_1007, 100))),
        ("depth without a volume", legacy(|words| (words[2], words[6]) = (0x80_1007, 5))),
        ("a volume", legacy(|words| (words[2], words[6], words[28]) = (0x80_1007, 5, 0x20_0000))),
        ("a cube of two faces", legacy(|words| words[28] = 0xe00)),
        ("a cube", legacy(|words| words[28] = 0xfe00)),
        ("faces without a cube", legacy(|words| words[28] = 0xfc00)),
        ("an array of none", extended(|words| words[35] = 0)),
        ("an array", extended(|words| words[35] = 5)),
        ("a cube by the extension", extended(|words| words[34] = 4)),
        ("five cubes", extended(|words| (words[34], words[35]) = (4, 5))),
        ("six cubes", extended(|words| (words[34], words[35]) = (4, 6))),
        ("a huge array", extended(|words| words[35] = u32::MAX)),
        ("one dimension", extended(|words| words[33] = 2)),
        ("three dimensions", extended(|words| (words[2], words[6], words[33]) = (0x80_1007, 7, 4))),
        (
            "an array of volumes",
            extended(|words| (words[2], words[6], words[33], words[35]) = (0x80_1007, 7, 4, 2)),
        ),
        ("a cube by the capabilities", extended(|words| words[28] = 0xfe00)),
    ];
    for (name, file) in &files {
        assert!(same(file, name), "{name}");
    }
    let mut six_faces = of_dxgi(71, |words| (words[34], words[35]) = (4, 6));
    six_faces.truncate(148 + 6 * 16);
    assert!(same(&six_faces, "six faces counted as cubes"));
    assert_eq!(File::new(&six_faces).expect("a header").pictures(), 6);
    let no_faces = legacy(|words| words[28] = 0x200);
    assert_eq!(File::new(&no_faces).expect("a header").pictures(), 1);
    let opaque = of_dxgi(98, |words| words[36] = 3);
    assert_eq!(File::new(&opaque).expect("a header").channels(), Channels::Rgb);
}

#[test]
fn facts_are_those_of_the_decoded_pixels() {
    let facts = |file: &[u8]| {
        let file = File::new(file).expect("a header");
        (file.width(), file.height(), file.channels(), file.depth())
    };
    assert_eq!(facts(&of_dxgi(95, |_| ())), (8, 4, Channels::Rgb, Depth::F32));
    assert_eq!(facts(&of_dxgi(56, |_| ())), (8, 4, Channels::Gray, Depth::U16));
    assert_eq!(facts(&of_dxgi(41, |_| ())), (8, 4, Channels::Rgb, Depth::F32));
    assert_eq!(facts(&of_dxgi(65, |_| ())), (8, 4, Channels::Rgba, Depth::U8));
}

#[test]
fn limits_are_kept_before_anything_is_allocated() {
    let huge = of_dxgi(98, |words| (words[3], words[4]) = (u32::MAX, u32::MAX));
    assert_eq!(File::new(&huge).expect("a header").decode(u64::MAX), Err(Error::Corrupt("it ends too soon")));
    let small = of_dxgi(98, |_| ());
    let read = File::new(&small).expect("a header");
    assert_eq!(read.decode(127), Err(Error::TooMuchMemory));
    assert!(read.decode(128).is_ok());
    for (width, height) in [(0, 4), (4, 0)] {
        let none = of_dxgi(98, |words| (words[3], words[4]) = (height, width));
        assert!(matches!(File::new(&none), Err(Error::Corrupt(_))));
    }
}

#[test]
fn damaged_files_do_not_panic() {
    let formats = [2, 24, 26, 61, 66, 67, 68, 71, 77, 80, 89, 95, 96, 98, 101, 103, 104, 107, 109, 134, 186];
    let mut random = Random(11);
    let (mut refused, mut decoded) = (0, 0);
    for number in formats {
        let whole = of_dxgi(number, |_| ());
        for length in 0..whole.len().min(700) {
            let read = File::new(&whole[..length]).and_then(|file| file.decode(1 << 20));
            assert!(length >= 148 || read.is_err(), "{number}: {length} bytes");
        }
        for _ in 0..2_000 {
            let mut file = whole.clone();
            for _ in 0..=random.next() % 3 {
                file[(random.next() % 148) as usize] = random.next() as u8;
            }
            match File::new(&file).and_then(|file| file.decode(1 << 20)) {
                Ok(_) => decoded += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 1_000 && decoded > 1_000, "{refused} refused, {decoded} decoded");
}
