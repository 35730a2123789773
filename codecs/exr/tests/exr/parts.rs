//! What a header says: windows, several parts, levels of detail, channels, and what is not read.

use exr::math::RoundingMode;
use exr::prelude::*;
use filepress_exr::{Error, File, Part, half};

use crate::files::{Content, built, decoded, expected, layer, read_as_expected, saved};

const LINES: Encoding = Encoding {
    compression: Compression::ZIP16,
    blocks: Blocks::ScanLines,
    line_order: LineOrder::Increasing,
};

#[test]
fn every_part_is_read() {
    let tiles = Encoding { blocks: Blocks::Tiles(Vec2(8, 8)), compression: Compression::PIZ, ..LINES };
    let mut layers = vec![
        layer((30, 20), &[("Z", SampleType::F32)], Content::Noise, LINES),
        layer(
            (17, 40),
            &[("B", SampleType::F16), ("G", SampleType::F16), ("R", SampleType::F16)],
            Content::Smooth,
            tiles,
        ),
        layer((5, 5), &[("Y", SampleType::U32)], Content::Bits, LINES),
    ];
    for (index, layer) in layers.iter_mut().enumerate() {
        layer.attributes.layer_name = Some(Text::from(["depth", "beauty", "mask"][index]));
        layer.attributes.layer_position = Vec2(index as i32 * 7 - 9, 3 - index as i32);
    }
    let file = saved(&Image::from_layers(ImageAttributes::with_size((64, 64)), layers));
    let parts = File::read(&file).expect("headers");
    assert_eq!(parts.parts().len(), 3);
    assert_eq!(parts.parts()[1].find(b"name"), Some(&b"beauty"[..]));
    let windows: Vec<_> = parts
        .parts()
        .iter()
        .map(|header| Part::of(header).expect("a part").data)
        .map(|data| (data.left, data.top))
        .collect();
    assert_eq!(windows, [(-9, 3), (-2, 2), (5, 1)]);
    for index in 0..3 {
        read_as_expected(&file, index);
    }
    // The block of another part, of which the table says that it is of the first.
    let mut swapped = file.clone();
    let table = offset_table(&file);
    swapped.copy_within(table + 16..table + 24, table);
    assert_eq!(decoded(&swapped, 0), Err(Error::Corrupt("a block belongs to another part")));
}

/// Where the offset tables begin: behind the empty name that ends the last header.
fn offset_table(file: &[u8]) -> usize {
    (8..file.len() - 8)
        .find(|&at| {
            let offset = u64::from_le_bytes(*file[at..].first_chunk().expect("eight bytes"));
            // The first block follows the table.
            offset > at as u64
                && (offset - at as u64).is_multiple_of(8)
                && offset - (at as u64) < 600
                && file[at - 1] == 0
        })
        .expect("a table")
}

#[test]
fn the_first_level_of_detail_is_read() {
    let size = (50, 30);
    let samples = |size: (usize, usize)| crate::files::samples(Content::Noise, size, 1, SampleType::F32);
    for of_both_sides in [false, true] {
        let level = |width: usize, height: usize| samples((width.max(1), height.max(1)));
        let levels = match of_both_sides {
            false => Levels::Mip {
                rounding_mode: RoundingMode::Down,
                level_data: (0..6).map(|step| level(50 >> step, 30 >> step)).collect(),
            },
            true => Levels::Rip {
                rounding_mode: RoundingMode::Down,
                level_data: RipMaps {
                    map_data: (0..5).flat_map(|y| (0..6).map(move |x| level(50 >> x, 30 >> y))).collect(),
                    level_count: Vec2(6, 5),
                },
            },
        };
        let channels = AnyChannels::sort([AnyChannel::new("Y", levels)].into_iter().collect());
        let encoding = Encoding { blocks: Blocks::Tiles(Vec2(16, 16)), ..LINES };
        let file =
            saved(&Image::from_layer(Layer::new(size, LayerAttributes::default(), encoding, channels)));
        let FlatSamples::F32(expected) = samples(size) else { panic!("floats") };
        let planes = decoded(&file, 0).expect("a picture");
        assert_eq!(planes, [expected.iter().map(|number| number.to_bits()).collect::<Vec<_>>()]);
    }
}

#[test]
fn what_is_not_read_is_named() {
    let channel = |kind: u32, sampling: u32| {
        [&b"Y\0"[..], &kind.to_le_bytes(), &[0; 4], &sampling.to_le_bytes(), &sampling.to_le_bytes(), &[0]]
            .concat()
    };
    let of = |channels: &[u8], compression: u8| {
        let file = built(2, 2, channels, compression, &[]);
        File::read(&file)
            .and_then(|file| Part::of(&file.parts()[0]).map(|_| ()))
            .map_err(|error| error.to_string())
    };
    assert_eq!(of(&channel(1, 1), 0), Ok(()));
    assert_eq!(of(&channel(1, 2), 0), Err("it has channels of fewer samples than pixels".to_owned()));
    assert_eq!(of(&channel(3, 1), 0), Err("a channel holds samples of an unknown kind".to_owned()));
    assert_eq!(of(&channel(1, 1), 10), Err("it is compressed by JPEG 2000".to_owned()));
    assert_eq!(of(&channel(1, 1), 12), Err("its compression is unknown".to_owned()));
    assert_eq!(of(&channel(1, 1)[..10], 0), Err("its list of channels is incomplete".to_owned()));
    let many: Vec<u8> = (0..65).flat_map(|_| channel(1, 1)[..18].to_vec()).chain([0]).collect();
    assert_eq!(of(&many, 0), Err("it has more than 64 channels".to_owned()));
    assert_eq!(File::read(b"GIF89a..").map(|_| ()), Err(Error::Corrupt("it does not begin like OpenEXR")));
    let mut newer = built(2, 2, &channel(1, 1), 0, &[]);
    newer[4] = 3;
    assert_eq!(File::read(&newer).map(|_| ()), Err(Error::Unsupported("its version is unknown")));
}

#[test]
fn too_many_attributes_are_refused() {
    let mut file = b"\x76\x2F\x31\x01\x02\0\0\0".to_vec();
    for number in 0..70_000 {
        file.extend(format!("{number:x}\0\0\0\0\0\0").bytes());
    }
    file.push(0);
    assert_eq!(File::read(&file).map(|_| ()), Err(Error::Unsupported("it has too many attributes")));
}

#[test]
fn too_many_parts_are_refused() {
    let file = |parts: usize| {
        let mut file = b"\x76\x2F\x31\x01\x02\x10\0\0".to_vec();
        file.extend(b"name\0string\0\0\0\0\0\0".repeat(parts));
        file.push(0);
        file
    };
    assert_eq!(File::read(&file(1024)).map(|file| file.parts().len()), Ok(1024));
    assert_eq!(File::read(&file(1025)).map(|_| ()), Err(Error::Unsupported("it has more than 1,024 parts")));
}

/// The numbers 8 ln x, for which B44 stores x if channels say that they are perceptually uniform.
#[test]
fn every_logarithm_is_that_of_the_reference() {
    let channels =
        [&b"Y\0"[..], &1_u32.to_le_bytes(), &[1, 0, 0, 0], &[1, 0, 0, 0, 1, 0, 0, 0], &[0]].concat();
    // A square of equal numbers for every half, 256 in a row, 8 rows in a block.
    let squares = |block: u16| -> Vec<u8> {
        let numbers = (0..2048).map(|at| block * 2048 + at);
        numbers.flat_map(|number| [(number >> 8) as u8, number as u8, 13 << 2]).collect()
    };
    let blocks: Vec<_> = (0..32).map(squares).collect();
    let file = built(1024, 1024, &channels, 6, &blocks);
    let (planes, expected) = (decoded(&file, 0).expect("a picture"), expected(&file));
    assert!(planes[0].iter().any(|&half| half == u32::from(half::from_f32(8.0 * 2_f32.ln()))));
    assert!(planes == expected[0]);
}
