//! Files for the tests, written by the crate `exr`; and what it and this crate read of them.

use std::io::Cursor;

use exr::prelude::*;

/// What the samples of a picture look like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Smooth,
    Noise,
    Flat,
    /// Any bits: NaN, infinity, numbers below the normal range.
    Bits,
}

pub(crate) const CONTENTS: [Content; 4] = [Content::Smooth, Content::Noise, Content::Flat, Content::Bits];

/// The number of a generator at a step (SplitMix64).
pub(crate) fn random(step: usize) -> u32 {
    let mut bits = (step as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits >> 16) as u32
}

fn number(content: Content, width: usize, at: usize, channel: usize) -> f32 {
    let (x, y) = ((at % width) as f32, (at / width) as f32);
    let smooth = ((x * 0.13 + channel as f32).sin() + (y * 0.07).cos() + 2.0).powi(3) * 0.2;
    match content {
        Content::Smooth => smooth,
        Content::Noise => smooth + (random(at * 7 + channel) % 1000) as f32 * 0.002 - 0.5,
        Content::Flat => 0.25 * channel as f32,
        Content::Bits => f32::from_bits(random(at * 7 + channel)),
    }
}

/// The samples of a channel of that type.
pub(crate) fn samples(
    content: Content,
    size: (usize, usize),
    channel: usize,
    kind: SampleType,
) -> FlatSamples {
    let numbers = (0..size.0 * size.1).map(|at| number(content, size.0, at, channel));
    match (kind, content) {
        (SampleType::F16, Content::Bits) => {
            FlatSamples::F16(numbers.map(|number| f16::from_bits((number.to_bits() >> 9) as u16)).collect())
        }
        (SampleType::F16, _) => FlatSamples::F16(numbers.map(f16::from_f32).collect()),
        (SampleType::F32, _) => FlatSamples::F32(numbers.collect()),
        (SampleType::U32, Content::Bits) => FlatSamples::U32(numbers.map(f32::to_bits).collect()),
        (SampleType::U32, _) => FlatSamples::U32(numbers.map(|number| (number * 1e6) as u32).collect()),
    }
}

/// A layer with channels of these names and types.
pub(crate) fn layer(
    size: (usize, usize),
    channels: &[(&str, SampleType)],
    content: Content,
    encoding: Encoding,
) -> Layer<AnyChannels<FlatSamples>> {
    let channels = channels.iter().enumerate();
    let channels =
        channels.map(|(at, &(name, kind))| AnyChannel::new(name, samples(content, size, at, kind)));
    Layer::new(size, LayerAttributes::default(), encoding, AnyChannels::sort(channels.collect()))
}

pub(crate) fn saved<'a, L: exr::image::write::layers::WritableLayers<'a>>(image: &'a Image<L>) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut out).expect("a file");
    out.into_inner()
}

/// The bits of all samples of the channels of a part, in the order of the file.
pub(crate) type Planes = Vec<Vec<u32>>;

/// What the crate `exr` reads, part by part.
pub(crate) fn expected(bytes: &[u8]) -> Vec<Planes> {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .all_layers()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .expect("OpenEXR");
    let bits = |samples: &FlatSamples| match samples {
        FlatSamples::F16(samples) => samples.iter().map(|half| u32::from(half.to_bits())).collect(),
        FlatSamples::F32(samples) => samples.iter().map(|float| float.to_bits()).collect(),
        FlatSamples::U32(samples) => samples.clone(),
    };
    let planes = |layer: &Layer<AnyChannels<FlatSamples>>| {
        layer.channel_data.list.iter().map(|channel| bits(&channel.sample_data)).collect()
    };
    image.layer_data.iter().map(planes).collect()
}

/// Compares all samples of a part.
pub(crate) fn read_as_expected(bytes: &[u8], index: usize) {
    let planes = decoded(bytes, index).unwrap_or_else(|error| panic!("{error}"));
    assert!(planes == expected(bytes)[index], "part {index}");
}

/// What this crate reads of a part of up to a million pixels.
pub(crate) fn decoded(bytes: &[u8], index: usize) -> std::result::Result<Planes, filepress_exr::Error> {
    decoded_within(bytes, index, 1 << 20)
}

pub(crate) fn decoded_within(
    bytes: &[u8],
    index: usize,
    most_pixels: u64,
) -> std::result::Result<Planes, filepress_exr::Error> {
    let file = filepress_exr::File::read(bytes)?;
    let header = file.parts().get(index).ok_or(filepress_exr::Error::Corrupt("no such part"))?;
    let part = filepress_exr::Part::of(header)?;
    let (width, height) = part.data.size().ok_or(filepress_exr::Error::Corrupt("no pixels"))?;
    if u64::from(width) * u64::from(height) > most_pixels || part.memory() > 1 << 26 {
        return Err(filepress_exr::Error::Unsupported("too large"));
    }
    let mut planes = vec![vec![0; width as usize * height as usize]; part.channels.len()];
    file.decode(index, &part, &mut |block| {
        for (channel, plane) in part.channels.iter().zip(&mut planes) {
            for (y, row) in (block.top as usize..).zip(block.rows(channel)) {
                let start = y * width as usize + block.left as usize;
                for (x, sample) in row.chunks_exact(channel.kind.size()).enumerate() {
                    plane[start + x] = sample.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
                }
            }
        }
    })?;
    Ok(planes)
}

pub(crate) const COMPRESSIONS: [Compression; 10] = [
    Compression::Uncompressed,
    Compression::RLE,
    Compression::ZIP1,
    Compression::ZIP16,
    Compression::PIZ,
    Compression::PXR24,
    Compression::B44,
    Compression::B44A,
    Compression::DWAA(None),
    Compression::DWAB(None),
];

/// A file for each compression, in lines and in tiles.
pub(crate) fn small_files() -> Vec<Vec<u8>> {
    let channels = [
        ("A", SampleType::F32),
        ("B", SampleType::F16),
        ("G", SampleType::F16),
        ("R", SampleType::F16),
        ("n", SampleType::U32),
    ];
    let blocks = [Blocks::ScanLines, Blocks::Tiles(Vec2(16, 8))];
    let encodings = COMPRESSIONS.iter().flat_map(|&compression| {
        blocks.map(|blocks| Encoding { compression, blocks, line_order: LineOrder::Increasing })
    });
    encodings
        .map(|encoding| saved(&Image::from_layer(layer((19, 37), &channels, Content::Smooth, encoding))))
        .collect()
}

/// A file of lines with this list of channels, written byte by byte.
pub(crate) fn built(
    width: u32,
    height: u32,
    channels: &[u8],
    compression: u8,
    blocks: &[Vec<u8>],
) -> Vec<u8> {
    let window = [0, 0, width - 1, height - 1].map(u32::to_le_bytes).concat();
    let attributes: [(&str, &str, &[u8]); 8] = [
        ("channels", "chlist", channels),
        ("compression", "compression", &[compression]),
        ("dataWindow", "box2i", &window),
        ("displayWindow", "box2i", &window),
        ("lineOrder", "lineOrder", &[0]),
        ("pixelAspectRatio", "float", &1_f32.to_le_bytes()),
        ("screenWindowCenter", "v2f", &[0; 8]),
        ("screenWindowWidth", "float", &1_f32.to_le_bytes()),
    ];
    let mut file = b"\x76\x2F\x31\x01\x02\0\0\0".to_vec();
    for (name, kind, value) in attributes {
        file.extend(format!("{name}\0{kind}\0").bytes());
        file.extend((value.len() as u32).to_le_bytes());
        file.extend(value);
    }
    file.push(0);
    let mut offset = (file.len() + 8 * blocks.len()) as u64;
    for block in blocks {
        file.extend(offset.to_le_bytes());
        offset += 8 + block.len() as u64;
    }
    let lines = height as usize / blocks.len().max(1);
    for (index, block) in blocks.iter().enumerate() {
        file.extend(((index * lines) as u32).to_le_bytes());
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(block);
    }
    file
}
