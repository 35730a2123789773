//! Random pictures through our encoder. Our decoder, Debian's dav1d and Debian's aomdec have to make of them what the encoder says they do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

#[allow(dead_code, reason = "the encoders of the other test read files")]
#[path = "../oracle/content.rs"]
mod content;
mod copies;
mod photo;
#[allow(dead_code, reason = "the other test keeps files")]
#[path = "../oracle/programs.rs"]
mod programs;
#[allow(dead_code, reason = "the other test asks for the seed")]
#[path = "../oracle/random.rs"]
mod random;
#[path = "../oracle/reference.rs"]
mod reference;
#[path = "../../../../tests/common/seed.rs"]
mod seed;

use content::{Chroma, Source};
use filepress_av1::{
    ColorConfig, DecodeOptions, EncodeOptions, Encoded, Error, Info, Limits, Picture, decode, encode,
    encode_with_reconstruction,
};
use photo::Photo;
use programs::Folder;
use random::Random;
use reference::Reference;

/// Pictures at `FILEPRESS_SCALE=1`.
const PICTURES: usize = 1_000;
/// A temporal delimiter, which programs want and AVIF does not.
const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0];

/// Padding, a unit of no bytes.
const PADDING: [u8; 2] = [15 << 3 | 2, 0];
/// A frame of no bytes.
const FRAME: [u8; 2] = [6 << 3 | 2, 0];

#[test]
fn any_number_of_units_that_say_nothing_may_come_before_the_sequence_header_but_no_frame() {
    let mut random = Random::new(77).fork(0);
    let source = Source::new(&mut random, 0, 1);
    let (picture, options) = case(&mut random, &source);
    let obus = encode(&picture, &options).unwrap().obus;
    let padded = [PADDING.repeat(100), obus.clone()].concat();
    assert_eq!(Info::read(&padded).unwrap(), Info::read(&obus).unwrap());
    assert!(decode(&padded, &Limits::default(), &DecodeOptions::default()).is_ok());
    let late = [FRAME.to_vec(), obus].concat();
    assert!(matches!(Info::read(&late), Err(Error::Corrupt(_))));
    assert!(matches!(decode(&late, &Limits::default(), &DecodeOptions::default()), Err(Error::Corrupt(_))));
}

#[test]
fn decoders_arrive_at_the_reconstruction() {
    let count = random::scaled(PICTURES);
    let random = Random::new(1_818);
    let folder = Folder::new(1_818);
    let mut bytes = 0;
    for number in 0..count {
        let mut random = random.fork(number);
        let source = Source::new(&mut random, number, count);
        let (picture, options) = case(&mut random, &source);
        let case = format!("picture {number}, {} × {}, {options:?}", picture.width(), picture.height());
        let (encoded, reconstruction) = round_trip(&folder, &picture, &options, &case);
        let (error, most) = (mean_squared_error(&picture, &reconstruction), most_error(&options, &picture));
        assert!(error <= most, "{case}: a mean squared error of {error}, above {most}");
        bytes += encoded.obus.len();
    }
    eprintln!("{count} pictures, {bytes} bytes");
}

#[test]
fn photos_arrive_at_the_reconstruction_and_are_small() {
    let random = Random::new(1_819);
    let folder = Folder::new(1_819);
    for (number, name) in photo::NAMES.iter().enumerate() {
        let mut random = random.fork(number);
        let photo = Photo::new(name);
        let chroma = [Chroma::C420, Chroma::C444, Chroma::Mono][number % 3];
        let (width, height) = (150 + random.below(80), 130 + random.below(80));
        let picture = photo.part(&mut random, (width, height), chroma);
        let options = EncodeOptions { effort: 2 + random.below(6) as u8, ..EncodeOptions::default() };
        let case = format!("{name}, {width} × {height}, {chroma:?}, {options:?}");
        let (encoded, reconstruction) = round_trip(&folder, &picture, &options, &case);
        let bits = 8.0 * encoded.obus.len() as f64 / (width * height) as f64;
        let error = mean_squared_error(&picture, &reconstruction);
        eprintln!("{case}: {bits:.2} bits a pixel, a mean squared error of {error:.1}");
        // The error is that of steps of 18 samples, uniformly quantized, at most.
        assert!(bits < 2.5 && error < 27.0, "{case}: {bits} bits a pixel, {error}");
    }
}

#[test]
fn sizes_from_one_pixel_to_many_tiles_round_trip() {
    let folder = Folder::new(1_820);
    for (width, height) in [(1, 1), (2, 1), (1, 9), (4_200, 70), (65_536, 3), (2, 65_536)] {
        let sample = |at: usize| (at % width * 7 / 4 + at / width * 3) as u16 % 256;
        let color = ColorConfig::new(8, true, (true, true));
        let luma: Vec<u16> = (0..width * height).map(sample).collect();
        let picture = Picture::from_planes((width, height), color, &[&luma]).unwrap();
        let options = EncodeOptions { quality: 50, effort: 0, lossless: false };
        round_trip(&folder, &picture, &options, &format!("{width} × {height}"));
    }
}

#[test]
fn colors_in_many_tiles_round_trip() {
    let folder = Folder::new(1_821);
    let random = Random::new(1_821);
    for (number, subsampled) in [false, true].into_iter().enumerate() {
        let mut random = random.fork(number);
        // Two columns of tiles; text at the right edge has palettes.
        let (width, height) = (4_120, 72);
        let color = ColorConfig::new(8, false, (subsampled, subsampled));
        let picture = Picture::filled((width, height), color, |planes| {
            for row in planes.into_iter().flatten() {
                row.chunks_mut(3).for_each(|run| run.fill(random.pick(&[16, 90, 235])));
            }
        });
        let options = EncodeOptions { quality: 40, effort: 4, lossless: false };
        round_trip(&folder, &picture.unwrap(), &options, &format!("subsampled: {subsampled}"));
    }
}

#[test]
fn what_was_decoded_is_encoded_again() {
    let count = random::scaled(PICTURES / 5);
    let random = Random::new(1_822);
    let folder = Folder::new(1_822);
    for number in 0..count {
        let mut random = random.fork(number);
        let source = Source::new(&mut random, number, count);
        let (picture, options) = case(&mut random, &source);
        let once = encode(&picture, &options).unwrap();
        let decoded = decode(&once.obus, &Limits::default(), &DecodeOptions::default()).unwrap();
        round_trip(&folder, &decoded, &options, &format!("picture {number} again, {options:?}"));
    }
}

/// Decoders repeat the last column and row of a palette's indices, and chroma is predicted from that luma too.
#[test]
fn palettes_that_leave_the_frame_round_trip_again() {
    let random = Random::new(1_823);
    let folder = Folder::new(1_823);
    for number in 0..20 {
        let mut random = random.fork(number);
        let size = (24 + 16 * random.below(3), 24 + 16 * random.below(3));
        let levels: Vec<u16> = (0..size.0 * size.1).map(|_| random.pick(&[20, 120, 220])).collect();
        let color = ColorConfig::new(8, false, (false, false));
        let picture = Picture::from_planes(size, color, &[&levels, &levels, &levels]).unwrap();
        let options = EncodeOptions { quality: 20 + random.below(60) as u8, effort: 6, lossless: false };
        let once = encode(&picture, &options).unwrap();
        let decoded = decode(&once.obus, &Limits::default(), &DecodeOptions::default()).unwrap();
        round_trip(&folder, &decoded, &options, &format!("picture {number}, {size:?}, {options:?}"));
    }
}

/// Encodes, and checks that decoders arrive at the reconstruction.
fn round_trip(folder: &Folder, picture: &Picture, options: &EncodeOptions, case: &str) -> (Encoded, Picture) {
    let (encoded, reconstruction) =
        encode_with_reconstruction(picture, options).unwrap_or_else(|error| panic!("{case}: {error}"));
    let decoded = decode(&encoded.obus, &Limits::default(), &DecodeOptions::default())
        .unwrap_or_else(|error| panic!("{case}: {error}"));
    assert!(samples(&decoded) == samples(&reconstruction), "{case}: our decoder");
    assert_eq!(decoded.color(), picture.color(), "{case}");
    agrees(folder, &encoded.obus, &reconstruction, case);
    (encoded, reconstruction)
}

/// A picture in a format that is encoded, and how.
fn case(random: &mut Random, source: &Source) -> (Picture, EncodeOptions) {
    let options = EncodeOptions {
        quality: random.below(101) as u8,
        effort: random.below(10) as u8,
        lossless: random.once_in(5),
    };
    let (depth, shift) = if source.bit_depth == 8 { (8, 0) } else { (10, source.bit_depth - 10) };
    let subsamples = source.chroma == Chroma::C420;
    // 4:2:2 is encoded as gray.
    let is_gray = matches!(source.chroma, Chroma::Mono | Chroma::C422);
    let mut color = ColorConfig::new(depth, is_gray, (subsamples, subsamples));
    if source.chroma == Chroma::C444 && random.once_in(2) {
        // RGB.
        (color.color_primaries, color.transfer_characteristics, color.matrix_coefficients) = (1, 13, 0);
    }
    let planes: Vec<Vec<u16>> =
        source.planes().iter().map(|plane| plane.iter().map(|sample| sample >> shift).collect()).collect();
    let planes: Vec<&[u16]> = planes.iter().take(if is_gray { 1 } else { 3 }).map(Vec::as_slice).collect();
    let picture = Picture::from_planes((source.width, source.height), color, &planes).unwrap();
    (picture, options)
}

fn samples(picture: &Picture) -> Vec<u16> {
    let rows = |plane: usize| (0..picture.plane_size(plane).1).map(move |y| (plane, y));
    (0..picture.plane_count())
        .flat_map(rows)
        .flat_map(|(plane, y)| picture.row(plane, y).iter().copied())
        .collect()
}

/// Whether dav1d and libaom decode the reconstruction.
fn agrees(folder: &Folder, obus: &[u8], reconstruction: &Picture, case: &str) {
    let obus = [&TEMPORAL_DELIMITER, obus].concat();
    let expected = samples(reconstruction);
    let depth = reconstruction.color().bit_depth;
    for (name, reference) in
        [("dav1d", Reference::new(folder, &obus)), ("aomdec", Reference::of_libaom(folder, &obus))]
    {
        let reference = reference.unwrap_or_else(|| panic!("{case}: {name} refuses it"));
        // aomdec adds gray chroma to gray pictures.
        let actual: Vec<u16> = reference.samples(depth).take(expected.len()).collect();
        assert!(actual == expected, "{case}: {name}");
    }
}

fn mean_squared_error(one: &Picture, other: &Picture) -> f64 {
    let (one, other) = (samples(one), samples(other));
    let sum: f64 = one.iter().zip(&other).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
    sum / one.len() as f64
}

/// What a quality may leave: the error of a uniform quantizer with steps of 1 (best) to 229 (worst) samples, at 8 bits.
fn most_error(options: &EncodeOptions, picture: &Picture) -> f64 {
    if options.lossless {
        return 0.0;
    }
    let step = 2.0 + 230.0 * (f64::from(100 - options.quality.min(100)) / 100.0).powi(2);
    let scale = f64::from(1 << (picture.color().bit_depth - 8));
    step * step * scale * scale
}

#[test]
fn what_is_not_encoded_is_refused() {
    let gray = vec![0; 64];
    let of = |depth: u8, subsampling: (bool, bool)| {
        let color = ColorConfig::new(depth, false, subsampling);
        let chroma = if subsampling.0 { 32 } else { 64 };
        Picture::from_planes((8, 8), color, &[&gray, &gray[..chroma], &gray[..chroma]]).unwrap()
    };
    for picture in [of(12, (false, false)), of(8, (true, false))] {
        let refused = encode(&picture, &EncodeOptions::default());
        assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
    }
    // AV1 cannot say: red, green and blue that are subsampled, and sRGB of a limited range.
    let mut subsampled = ColorConfig::new(8, false, (true, true));
    subsampled.matrix_coefficients = 0;
    let mut limited = ColorConfig::new(8, false, (false, false));
    (limited.color_primaries, limited.transfer_characteristics, limited.matrix_coefficients) = (1, 13, 0);
    limited.full_range = false;
    for color in [subsampled, limited] {
        let picture = Picture::filled((8, 8), color, |_| ()).unwrap();
        let refused = encode(&picture, &EncodeOptions::default());
        assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
    }
    assert!(Picture::filled((8, 8), ColorConfig::new(16, true, (true, true)), |_| ()).is_err());
    let color = ColorConfig::new(8, true, (true, true));
    assert!(Picture::from_planes((8, 9), color, &[&gray]).is_err());
    assert!(Picture::from_planes((0, 0), color, &[&[]]).is_err());
    assert!(Picture::from_planes((8, 8), color, &[&gray, &gray, &gray]).is_err());
}
