//! Formats with linear light: OpenEXR compared with the `exr` crate, Radiance HDR with `image`, and tone mapping.

use std::io::Cursor;

use exr::meta::attribute::Chromaticities;
use exr::prelude::*;
use filepress::image::inspect;
use filepress::limits::Limits;
use filepress::{ErrorCode, ErrorKind};
use filepress_wire::MediaType;
use image::codecs::hdr::{HdrDecoder, HdrEncoder};
use image::{DynamicImage, ImageBuffer, Rgb, Rgba};
use serde_json::{Value, json};

use super::support::{bytes_of, coded, photo, png, run, translucent};

type Light = ImageBuffer<Rgb<f32>, Vec<f32>>;

/// Light from black to far above white.
fn lights(width: u32, height: u32) -> Light {
    ImageBuffer::from_fn(width, height, |x, y| {
        let power = (x as f32 / width as f32 * 12.0 - 6.0).exp2();
        Rgb([power, power * (y as f32 / height as f32), power * 0.25])
    })
}

/// A file of one layer as the reference encoder writes it.
fn exr_of(light: &Light, encoding: Encoding, half: bool) -> Vec<u8> {
    let (width, height) = (light.width() as usize, light.height() as usize);
    let samples = |channel: usize| {
        let numbers = light.pixels().map(|pixel| pixel.0[channel]);
        match half {
            true => FlatSamples::F16(numbers.map(f16::from_f32).collect()),
            false => FlatSamples::F32(numbers.collect()),
        }
    };
    let channels: SmallVec<[AnyChannel<FlatSamples>; 4]> = ["B", "G", "R"]
        .into_iter()
        .zip([2, 1, 0])
        .map(|(name, place)| AnyChannel::new(name, samples(place)))
        .collect();
    let layer =
        Layer::new((width, height), LayerAttributes::default(), encoding, AnyChannels::sort(channels));
    saved(&Image::from_layer(layer))
}

fn saved<'a, L: exr::image::write::layers::WritableLayers<'a>>(image: &'a Image<L>) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut out).expect("a file");
    out.into_inner()
}

/// Colors and alpha as the reference decoder reads them, premultiplied.
fn read_exr(bytes: &[u8]) -> (usize, Vec<[f32; 4]>) {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .expect("OpenEXR");
    let layer = image.layer_data;
    let channel = |name: &str| layer.channel_data.list.iter().find(|channel| channel.name.eq(name));
    let gray = channel("Y");
    let [r, g, b, a] = [channel("R").or(gray), channel("G").or(gray), channel("B").or(gray), channel("A")]
        .map(|channel| channel.map(|channel| channel.sample_data.values_as_f32().collect::<Vec<_>>()));
    let (r, g, b) = (r.expect("red"), g.expect("green"), b.expect("blue"));
    let alpha = |at: usize| a.as_ref().map_or(1.0, |a| a[at]);
    (layer.size.width(), (0..r.len()).map(|at| [r[at], g[at], b[at], alpha(at)]).collect())
}

/// Light as `image` reads it.
fn read_hdr(bytes: &[u8]) -> Light {
    let decoder = HdrDecoder::new(Cursor::new(bytes)).expect("Radiance HDR");
    DynamicImage::from_decoder(decoder).expect("pixels").into_rgb32f()
}

fn hdr_of(light: &Light) -> Vec<u8> {
    let mut out = Vec::new();
    let pixels: Vec<Rgb<f32>> = light.pixels().copied().collect();
    HdrEncoder::new(&mut out)
        .encode(&pixels, light.width() as usize, light.height() as usize)
        .expect("a file");
    out
}

fn made(input: &[u8], options: Value) -> Vec<u8> {
    bytes_of(&run(input, options).unwrap_or_else(|error| panic!("{error}")), input).to_vec()
}

fn codes(input: &[u8], options: Value) -> Vec<&'static str> {
    run(input, options).expect("a file").report.warnings.iter().map(|warning| warning.code).collect()
}

/// What the engine reads of a file, by way of its own OpenEXR in 32 bits.
fn light_of(bytes: &[u8]) -> Vec<[f32; 4]> {
    read_exr(&made(bytes, json!({ "to": "exr", "metadata": "keep" }))).1
}

#[test]
fn every_openexr_compression_is_decoded() {
    let light = lights(70, 41);
    let mut files = 0;
    for compression in [
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
    ] {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(32, 16))] {
            for half in [true, false] {
                let encoding = Encoding { compression, blocks, line_order: LineOrder::Increasing };
                let file = exr_of(&light, encoding, half);
                // A picture, so that the engine does not hand the file back.
                let png = made(&file, json!({ "to": "png" }));
                assert_eq!(image::load_from_memory(&png).expect("a PNG").width(), 70);
                let resized = json!({ "to": "exr", "resize": { "width": 70, "height": 41, "fit": "fill" } });
                let (_, read) = read_exr(&made(&file, resized));
                let (_, expected) = read_exr(&file);
                assert_eq!(read, expected, "{compression} {blocks:?} {half}");
                files += 1;
            }
        }
    }
    assert_eq!(files, 40);
}

#[test]
fn the_reference_decoder_reads_our_openexr() {
    let light = lights(70, 41);
    let input = hdr_of(&light);
    let light = read_hdr(&input);
    for (options, tolerance) in
        [(json!({ "to": "exr" }), 0.0), (json!({ "to": "exr", "quality": 80 }), 0.000_5)]
    {
        let (width, pixels) = read_exr(&made(&input, options));
        assert_eq!(width, 70);
        for (read, expected) in pixels.iter().zip(light.pixels()) {
            assert_eq!(read[3], 1.0);
            for (read, expected) in read.iter().zip(&expected.0) {
                assert!((read - expected).abs() <= expected * tolerance, "{read} for {expected}");
            }
        }
    }
    for (width, height) in [(1, 1), (1, 40), (200, 1), (3, 33)] {
        let small = hdr_of(&lights(width, height));
        let (_, pixels) = read_exr(&made(&small, json!({ "to": "exr" })));
        assert_eq!(pixels.len(), (width * height) as usize);
    }
}

#[test]
fn sixteen_bit_floats_are_written_if_they_are_exact() {
    let light = lights(300, 200);
    let encoding = Encoding {
        compression: Compression::PIZ,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let file = exr_of(&light, encoding, true);
    let cropped = made(&file, json!({ "resize": { "width": 300, "height": 200 } }));
    assert!(cropped.len() <= file.len() + 64, "{} for {} bytes", cropped.len(), file.len());
}

#[test]
fn openexr_stores_premultiplied_alpha() {
    let picture = translucent(40, 30);
    let file = made(&png(picture.clone()), json!({ "to": "exr" }));
    let (_, pixels) = read_exr(&file);
    for (stored, plain) in pixels.iter().zip(picture.pixels()) {
        let alpha = f32::from(plain.0[3]) / 255.0;
        assert!((stored[3] - alpha).abs() < 1e-6);
        assert!(stored[..3].iter().all(|&color| color <= alpha + 1e-6), "{stored:?} of {plain:?}");
    }
    let back = image::load_from_memory(&made(&file, json!({ "to": "png" }))).expect("a PNG").to_rgba8();
    for (back, plain) in back.pixels().zip(picture.pixels()) {
        let expected = if plain.0[3] == 0 { Rgba([0; 4]) } else { *plain };
        assert!(plain.0[3] == 0 && back.0[3] == 0 || *back == expected, "{back:?} for {plain:?}");
    }
}

#[test]
fn the_data_window_lies_within_the_display_window() {
    let light = lights(20, 10);
    let samples = |channel: usize| FlatSamples::F32(light.pixels().map(|pixel| pixel.0[channel]).collect());
    let channels: SmallVec<[AnyChannel<FlatSamples>; 4]> = [
        AnyChannel::new("B", samples(2)),
        AnyChannel::new("G", samples(1)),
        AnyChannel::new("R", samples(0)),
    ]
    .into_iter()
    .collect();
    let at = |x, y| {
        let attributes = LayerAttributes { layer_position: Vec2(x, y), ..LayerAttributes::default() };
        let layer =
            Layer::new((20, 10), attributes, Encoding::FAST_LOSSLESS, AnyChannels::sort(channels.clone()));
        let display = ImageAttributes::new(IntegerBounds::new((-5, 3), (40, 30)));
        saved(&Image::empty(display).with_layer(layer))
    };
    for (x, y) in [(2, 7), (-5, 3), (-15, -2), (30, 28), (100, 100)] {
        let file = at(x, y);
        let header = inspect(&file, MediaType::Exr, &Limits::default()).expect("a header");
        assert_eq!((header.width, header.height, header.bit_depth), (40, 30, 32));
        let pixels = read_exr(&made(
            &file,
            json!({ "to": "exr", "resize": { "width": 40, "fit": "fill", "height": 30 } }),
        ))
        .1;
        for (index, pixel) in pixels.iter().enumerate() {
            let (column, row) = (index as i32 % 40 - 5 - x, index as i32 / 40 + 3 - y);
            let within = (0..20).contains(&column) && (0..10).contains(&row);
            let expected = if within { light.get_pixel(column as u32, row as u32).0 } else { [0.0; 3] };
            assert_eq!(pixel[..3], expected, "{column} {row} of a window at {x}, {y}");
        }
    }
}

#[test]
fn the_first_part_with_colors_is_decoded() {
    let light = lights(16, 8);
    let samples = |channel: usize| FlatSamples::F32(light.pixels().map(|pixel| pixel.0[channel]).collect());
    let layer = |name: &str, names: &[(&str, usize)]| {
        let channels = names.iter().map(|&(name, place)| AnyChannel::new(name, samples(place))).collect();
        Layer::new(
            (16, 8),
            LayerAttributes::named(name),
            Encoding::SMALL_LOSSLESS,
            AnyChannels::sort(channels),
        )
    };
    let depth = layer("depth", &[("Z", 0)]);
    let gray = layer("gray", &[("Y", 1)]);
    let beauty = layer("beauty", &[("light.R", 0), ("light.G", 1), ("light.B", 2), ("extra", 0)]);
    let attributes = ImageAttributes::with_size((16, 8));
    let file =
        |layers: Vec<Layer<AnyChannels<FlatSamples>>>| saved(&Image::from_layers(attributes.clone(), layers));
    let colors = light_of(&file(vec![depth.clone(), gray.clone(), beauty.clone()]));
    assert!(colors.iter().zip(light.pixels()).all(|(read, pixel)| read[..3] == pixel.0));
    let grays = made(&file(vec![depth.clone(), gray]), json!({ "to": "png" }));
    assert!(!image::load_from_memory(&grays).expect("a PNG").color().has_color());
    let error = run(&file(vec![depth.clone()]), json!({ "to": "png" })).expect_err("no colors");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
    // A part that cannot be read does not keep others from being read, but is named if there are none.
    let names: Vec<String> = (0..65).map(|number| format!("c{number:02}")).collect();
    let names: Vec<_> = names.iter().map(|name| (name.as_str(), 0)).collect();
    let crowded = layer("crowded", &names);
    let colors = light_of(&file(vec![crowded.clone(), beauty]));
    assert!(colors.iter().zip(light.pixels()).all(|(read, pixel)| read[..3] == pixel.0));
    let error = run(&file(vec![depth, crowded]), json!({ "to": "png" })).expect_err("no colors");
    assert!(error.message().contains("more than 64 channels"), "{error}");
}

#[test]
fn primaries_are_converted_to_those_of_srgb() {
    // ACES AP0 with its white of about D60: what is white there is white here.
    let chromaticities = Chromaticities {
        red: Vec2(0.7347, 0.2653),
        green: Vec2(0.0, 1.0),
        blue: Vec2(0.0001, -0.077),
        white: Vec2(0.321_68, 0.337_67),
    };
    let mut attributes = ImageAttributes::with_size((2, 1));
    attributes.chromaticities = Some(chromaticities);
    let channel = |name: &str, numbers: [f32; 2]| AnyChannel::new(name, FlatSamples::F32(numbers.to_vec()));
    let channels = [channel("B", [0.5, 0.021]), channel("G", [0.5, 0.094]), channel("R", [0.5, 0.4397])];
    let layer = Layer::new(
        (2, 1),
        LayerAttributes::default(),
        Encoding::UNCOMPRESSED,
        AnyChannels::sort(channels.into_iter().collect()),
    );
    let pixels = light_of(&saved(&Image::empty(attributes).with_layer(layer)));
    for (read, expected) in pixels.iter().zip([[0.5, 0.5, 0.5], [1.0, 0.0, 0.0]]) {
        let off = read.iter().zip(&expected).map(|(a, b): (&f32, &f32)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.02, "{read:?} for {expected:?}");
    }
}

#[test]
fn nan_and_infinity_are_sanitized() {
    let numbers = |name: &str, numbers: [f32; 4]| AnyChannel::new(name, FlatSamples::F32(numbers.to_vec()));
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0];
    let channels = [numbers("B", odd), numbers("G", odd), numbers("R", odd)];
    let layer = Layer::new(
        (4, 1),
        LayerAttributes::default(),
        Encoding::UNCOMPRESSED,
        AnyChannels::sort(channels.into_iter().collect()),
    );
    let file = saved(&Image::from_layer(layer));
    for options in
        [json!({ "to": "png" }), json!({ "to": "png", "resize": { "width": 2 } }), json!({ "to": "hdr" })]
    {
        made(&file, options);
    }
    let pixels = read_exr(&made(&file, json!({ "to": "exr" }))).1;
    assert_eq!(pixels.iter().map(|pixel| pixel[0]).collect::<Vec<_>>(), [0.0, 65_504.0, -65_504.0, 1.0]);
}

#[test]
fn radiance_hdr_matches_the_image_crate() {
    for (width, height) in [(70, 41), (7, 5), (8, 3), (1, 1), (300, 2)] {
        let light = lights(width, height);
        let file = hdr_of(&light);
        let expected = read_hdr(&file);
        let read = light_of(&file);
        assert!(
            read.iter().zip(expected.pixels()).all(|(read, pixel)| read[..3] == pixel.0),
            "{width} × {height}"
        );
        // Written from light that its mantissas hold exactly, the file says the same again.
        let exr = made(&file, json!({ "to": "exr" }));
        let again = made(&exr, json!({ "to": "hdr" }));
        assert_eq!(read_hdr(&again), expected, "{width} × {height}");
    }
}

#[test]
fn mantissas_are_rounded_to_the_nearest() {
    let light: Light = ImageBuffer::from_fn(64, 1, |x, _| Rgb([0.5 + x as f32 / 100.0, 0.3, 0.0001]));
    let encoding = Encoding {
        compression: Compression::Uncompressed,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let read = read_hdr(&made(&exr_of(&light, encoding, false), json!({ "to": "hdr" })));
    for (read, expected) in read.pixels().zip(light.pixels()) {
        let step = if expected.0[0] >= 1.0 { 2.0 / 256.0 } else { 1.0 / 256.0 };
        for (read, expected) in read.0.iter().zip(&expected.0) {
            assert!((read - expected).abs() <= step / 2.0 + 1e-6, "{read} for {expected}");
        }
    }
}

#[test]
fn all_eight_radiance_orientations_are_decoded() {
    let light = lights(12, 9);
    let file = hdr_of(&light);
    let axes = b"-Y 9 +X 12\n";
    let at = file.windows(axes.len()).position(|window| window == axes).expect("the size");
    let upright = DynamicImage::from(read_hdr(&file));
    for (words, exif) in [
        ("-Y 9 +X 12", 1),
        ("-Y 9 -X 12", 2),
        ("+Y 9 -X 12", 3),
        ("+Y 9 +X 12", 4),
        ("+X 9 -Y 12", 5),
        ("-X 9 -Y 12", 6),
        ("-X 9 +Y 12", 7),
        ("+X 9 +Y 12", 8),
    ] {
        let turned = [&file[..at], words.as_bytes(), b"\n", &file[at + axes.len()..]].concat();
        let mut expected = upright.clone();
        expected.apply_orientation(image::metadata::Orientation::from_exif(exif).expect("1 to 8"));
        let header = inspect(&turned, MediaType::Hdr, &Limits::default()).expect("a header");
        assert_eq!((header.width, header.height), (expected.width(), expected.height()));
        let (_, read) = read_exr(&made(&turned, json!({ "to": "exr" })));
        assert!(
            read.iter().zip(expected.to_rgb32f().pixels()).all(|(read, pixel)| read[..3] == pixel.0),
            "{words}"
        );
    }
}

#[test]
fn old_run_lengths_and_the_rgbe_signature_are_decoded() {
    let mut file = b"#?RGBE\nEXPOSURE=2\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 300\n".to_vec();
    // A pixel, 259 more of it (3, and 1 × 256), and 40 of another.
    file.extend([128, 64, 32, 129, 1, 1, 1, 3, 1, 1, 1, 1]);
    file.extend([200, 0, 0, 128, 1, 1, 1, 39]);
    let pixels = light_of(&file);
    assert_eq!(pixels.len(), 300);
    assert!(pixels[..260].iter().all(|pixel| pixel[..3] == [1.0, 0.5, 0.25]));
    assert!(pixels[260..].iter().all(|pixel| pixel[..3] == [200.0 / 256.0, 0.0, 0.0]));
    let xyze = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd";
    let error = run(xyze, json!({ "to": "png" })).expect_err("other colors");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
    assert!(error.message().contains("xyze"), "{error}");
}

#[test]
fn display_values_survive_a_round_trip() {
    let picture = DynamicImage::from(photo(64, 48));
    let input = png(picture.to_rgb8());
    for (options, allowed) in [
        (json!({ "to": "exr" }), 0),
        (json!({ "to": "exr", "quality": 50 }), 1),
        (json!({ "to": "hdr" }), 255),
    ] {
        let light = made(&input, options.clone());
        // Nothing is brighter than white.
        for (to, warnings) in [("png", &[][..]), ("bmp", &["depth_reduced"]), ("tiff", &[])] {
            assert_eq!(codes(&light, json!({ "to": to })), warnings, "{options} to {to}");
        }
        let back = image::load_from_memory(&made(&light, json!({ "to": "bmp" }))).expect("a BMP").to_rgb8();
        for (back, plain) in back.pixels().zip(picture.to_rgb8().pixels()) {
            let off = back.0.iter().zip(&plain.0).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            assert!(off <= allowed, "{back:?} for {plain:?}, {options}");
            if allowed == 255 {
                // Half a step of a mantissa, of the brightest channel's exponent.
                let linear = |value: u8| {
                    let share = f64::from(value) / 255.0;
                    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
                };
                let brightest = plain.0.iter().copied().max().map_or(0.0, linear);
                for (back, plain) in back.0.iter().zip(&plain.0) {
                    let (low, high) = (linear(back.saturating_sub(1)), linear(back.saturating_add(1)));
                    let step = brightest / 128.0 / 2.0 + 1e-9;
                    assert!(
                        linear(*plain) >= low - step && linear(*plain) <= high + step,
                        "{back} for {plain}"
                    );
                }
            }
        }
    }
    let deep = DynamicImage::from(ImageBuffer::from_fn(50, 40, |x, y| {
        Rgb([(x * 1300) as u16, (y * 1600) as u16, 777])
    }));
    let light = made(&coded(deep.clone(), image::ImageFormat::Png), json!({ "to": "exr" }));
    let back = image::load_from_memory(&made(&light, json!({ "to": "png" }))).expect("a PNG").to_rgb16();
    let off = back.iter().zip(deep.to_rgb16().iter()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(off <= Some(1), "{off:?}");
}

#[test]
fn tone_mapping_compresses_only_highlights() {
    // A ramp to 16 times white, in a color.
    let light: Light = ImageBuffer::from_fn(512, 1, |x, _| {
        let power = x as f32 / 511.0 * 16.0;
        Rgb([power, power / 2.0, power / 4.0])
    });
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let file = exr_of(&light, encoding, false);
    assert_eq!(codes(&file, json!({ "to": "png" })), ["tone_mapped"]);
    assert_eq!(codes(&file, json!({ "to": "hdr" })), [""; 0]);
    let shown = image::load_from_memory(&made(&file, json!({ "to": "png" }))).expect("a PNG");
    let DynamicImage::ImageRgb16(shown) = shown else { panic!("16 bits, not {:?}", shown.color()) };
    let linear = |value: u16| {
        let share = f64::from(value) / 65_535.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    let mut last = 0;
    for (shown, light) in shown.pixels().zip(light.pixels()) {
        assert!(shown.0[0] >= last, "brighter light is never darker");
        last = shown.0[0];
        let brightest = linear(shown.0[0]);
        if light.0[0] <= 0.8 {
            assert!((brightest - f64::from(light.0[0])).abs() < 1e-4, "{brightest} for {}", light.0[0]);
        }
        // The hue stays: green is half of red, blue a quarter.
        assert!((linear(shown.0[1]) - brightest / 2.0).abs() < 1e-4);
        assert!((linear(shown.0[2]) - brightest / 4.0).abs() < 1e-4);
    }
    assert_eq!(last, 65_535, "the brightest light is white");
    let bytes = image::load_from_memory(&made(&file, json!({ "to": "bmp" }))).expect("a BMP").to_rgb8();
    assert_eq!(bytes.get_pixel(511, 0).0[0], 255);
}

#[test]
fn light_above_white_survives_a_resize() {
    let mut light = lights(64, 64);
    light.pixels_mut().for_each(|pixel| *pixel = Rgb([0.1, 0.1, 0.1]));
    for (x, y) in [(30, 30), (31, 30), (30, 31), (31, 31)] {
        light.put_pixel(x, y, Rgb([800.0, 400.0, 200.0]));
    }
    let file = hdr_of(&light);
    for (side, brightest) in [(32, 400.0..801.0), (128, 600.0..801.0)] {
        let resized = read_hdr(&made(&file, json!({ "resize": { "width": side } })));
        assert_eq!(resized.dimensions(), (side, side));
        let found = resized.pixels().map(|pixel| pixel.0[0]).fold(0.0, f32::max);
        assert!(brightest.contains(&found), "{found} at {side} pixels");
        assert!(resized.iter().all(|&light| light >= 0.0), "no light is negative");
    }
    // A picture that a screen shows has no highlights after a resize either.
    let plain = made(&png(photo(64, 48)), json!({ "to": "exr" }));
    assert_eq!(codes(&plain, json!({ "to": "png", "resize": { "width": 40 } })), [""; 0]);
    let cropped =
        run(&plain, json!({ "to": "exr", "resize": { "width": 20, "height": 40, "fit": "cover" } }));
    let report = cropped.expect("a file").report;
    assert_eq!((report.width, report.height), (20, 40));
}

#[test]
fn resizing_linear_light_ignores_transparent_colors() {
    let picture =
        image::RgbaImage::from_fn(
            40,
            40,
            |x, _| {
                if x < 20 { Rgba([0, 255, 0, 0]) } else { Rgba([255, 0, 0, 255]) }
            },
        );
    let light = made(&png(picture), json!({ "to": "exr" }));
    let small = image::load_from_memory(&made(&light, json!({ "to": "png", "resize": { "width": 13 } })));
    for pixel in small.expect("a PNG").to_rgba8().pixels().filter(|pixel| pixel.0[3] > 0) {
        assert_eq!(pixel.0[..3], [255, 0, 0], "{pixel:?}");
    }
}

#[test]
fn alpha_is_composited_in_linear_light() {
    let picture = image::RgbaImage::from_fn(16, 16, |_, _| Rgba([255, 0, 0, 128]));
    let input = png(picture);
    assert_eq!(codes(&input, json!({ "to": "hdr" })), ["alpha_flattened"]);
    let light = read_hdr(&made(&input, json!({ "to": "hdr", "background": "#000" })));
    let Rgb([r, g, b]) = *light.get_pixel(8, 8);
    assert!((r - 128.0 / 255.0).abs() < 0.004 && g == 0.0 && b == 0.0, "{r} {g} {b}");
}

#[test]
fn results_contain_only_the_picture() {
    let holds = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
    let light = lights(40, 30);
    let samples = |channel: usize| FlatSamples::F32(light.pixels().map(|pixel| pixel.0[channel]).collect());
    let layer = |name: &str, blocks| {
        let channels = ["B", "G", "R"].into_iter().zip([2, 1, 0]);
        let channels = channels.map(|(name, place)| AnyChannel::new(name, samples(place))).collect();
        let mut attributes = LayerAttributes::named(name);
        attributes.comments = Some("private comment".into());
        attributes.longitude = Some(52.5);
        attributes.other.insert("camera".into(), AttributeValue::Text("secret camera".into()));
        let encoding =
            Encoding { compression: Compression::ZIP16, blocks, line_order: LineOrder::Increasing };
        Layer::new((40, 30), attributes, encoding, AnyChannels::sort(channels))
    };
    let attributes = ImageAttributes::with_size((40, 30));
    let tiles = Blocks::Tiles(Vec2(16, 16));
    let exrs = [
        saved(&Image::from_layer(layer("one", Blocks::ScanLines))),
        saved(&Image::from_layer(layer("one", tiles))),
        saved(&Image::from_layers(attributes, vec![layer("one", tiles), layer("two", Blocks::ScanLines)])),
    ];
    let secrets: [&[u8]; 4] = [b"private comment", b"longitude", b"secret camera", b"behind the end"];
    for exr in exrs {
        let file = [&exr[..], b"behind the end"].concat();
        assert!(secrets.iter().all(|secret| holds(&file, secret)));
        for policy in ["safe", "strip"] {
            let options = json!({ "metadata": policy, "targetSize": 10_000_000 });
            let output = run(&file, options).expect("a file");
            let bytes = bytes_of(&output, &file);
            assert!(output.report.kept_original, "{policy}");
            for secret in secrets {
                assert!(!holds(bytes, secret), "{policy} leaves {}", String::from_utf8_lossy(secret));
            }
            assert_eq!(read_exr(bytes), read_exr(&exr));
        }
    }
    let hdr = hdr_of(&light);
    let file = [
        b"#?RADIANCE\nrpict -vp secret camera\n# private comment\nEXPOSURE=2\n".as_slice(),
        &hdr[11..],
        b"behind the end",
    ]
    .concat();
    let output = run(&file, json!({ "targetSize": 10_000_000 })).expect("a file");
    let bytes = bytes_of(&output, &file);
    assert!(output.report.kept_original && holds(bytes, b"EXPOSURE=2"));
    assert!(secrets.iter().all(|secret| !holds(bytes, secret)));
    assert_eq!(read_hdr(bytes), read_hdr(&hdr));
    assert_eq!(codes(&file, json!({ "to": "png", "metadata": "keep" })), ["tone_mapped", "metadata_dropped"]);
}

#[test]
fn huge_declared_sizes_are_refused_by_the_header() {
    let hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n\x02\x02".as_slice();
    assert_eq!(run(hdr, json!({ "to": "png" })).expect_err("huge").code(), ErrorCode::TooManyPixels);
    let file = exr_of(&lights(16, 8), Encoding::SMALL_LOSSLESS, false);
    for window in [&b"dataWindow"[..], b"displayWindow"] {
        let name = file.windows(window.len()).position(|name| name == window).expect("a window");
        let right = name + window.len() + 1 + b"box2i\0".len() + 4 + 8;
        for (side, allowed) in [(1 << 24, true), (i32::MAX, false), (-5, false), (i32::MIN, false)] {
            let mut broken = file.clone();
            broken[right..right + 4].copy_from_slice(&i32::to_le_bytes(side));
            broken[right + 4..right + 8].copy_from_slice(&i32::to_le_bytes(side));
            let code = run(&broken, json!({ "to": "png" })).expect_err("no such picture").code();
            assert_eq!(code, if allowed { ErrorCode::TooManyPixels } else { ErrorCode::Corrupt }, "{side}");
        }
    }
}

/// A file with one more attribute, of the name, kind and length of another, right behind that.
fn with_second(file: &[u8], name: &[u8], kind: &[u8], value: &[u8]) -> Vec<u8> {
    let head = [name, b"\0", kind, b"\0", &(value.len() as u32).to_le_bytes()].concat();
    let at = file.windows(head.len()).position(|window| window == head).expect("the first")
        + head.len()
        + value.len();
    [&file[..at], &head, value, &file[at..]].concat()
}

#[test]
fn a_duplicate_attribute_is_refused() {
    let lines = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::Tiles(Vec2(16, 8)),
        line_order: LineOrder::Increasing,
    };
    let file = exr_of(&lights(16, 8), lines, true);
    let window = |right: i32| [0, 0, right, 15].map(i32::to_le_bytes).concat();
    let tile = [&[0xFF; 8][..], &[0]].concat();
    let huge = window((1 << 24) - 1);
    let seconds: [(&[u8], &[u8], &[u8]); 5] = [
        (b"dataWindow", b"box2i", &huge),
        (b"displayWindow", b"box2i", &huge),
        (b"compression", b"compression", &[9]),
        (b"tiles", b"tiledesc", &tile),
        (b"pixelAspectRatio", b"float", &[0, 0, 0x80, 0x3F]),
    ];
    for (name, kind, value) in seconds {
        let error =
            run(&with_second(&file, name, kind, value), json!({ "to": "png" })).expect_err("two of one name");
        assert_eq!(error.code(), ErrorCode::Corrupt);
        assert!(error.message().contains("twice"), "{error}");
    }
}

#[test]
fn a_block_of_another_part_is_refused() {
    let light = lights(16, 8);
    let layer = |name: &str| {
        let samples =
            |channel: usize| FlatSamples::F32(light.pixels().map(|pixel| pixel.0[channel]).collect());
        let channels = ["B", "G", "R"].into_iter().zip([2, 1, 0]);
        let channels = channels.map(|(name, place)| AnyChannel::new(name, samples(place))).collect();
        Layer::new(
            (16, 8),
            LayerAttributes::named(name),
            Encoding::SMALL_LOSSLESS,
            AnyChannels::sort(channels),
        )
    };
    let attributes = ImageAttributes::with_size((16, 8));
    let file = saved(&Image::from_layers(attributes, vec![layer("one"), layer("two")]));
    assert!(run(&file, json!({ "to": "png" })).is_ok());
    // A table of one offset for each of the two parts, and the blocks, the first of which begins with the number of its part.
    let mut starts = (0..file.len() - 8).filter_map(|at| {
        let start = u64::from_le_bytes(*file[at..].first_chunk()?);
        (start == at as u64 + 16).then_some(at + 16)
    });
    let start = starts.next_back().expect("a table");
    assert_eq!(file[start..start + 8], [0; 8], "the first block of the first part");
    let mut broken = file;
    broken[start] = 1;
    let error = run(&broken, json!({ "to": "png" })).expect_err("a block of the second part");
    assert!(error.code() == ErrorCode::Corrupt && error.message().contains("another part"), "{error}");
}

#[test]
fn damaged_files_give_an_error_or_a_picture() {
    let light = lights(37, 25);
    let lines =
        |compression| Encoding { compression, blocks: Blocks::ScanLines, line_order: LineOrder::Increasing };
    let tiles = |compression| Encoding {
        compression,
        blocks: Blocks::Tiles(Vec2(16, 16)),
        line_order: LineOrder::Increasing,
    };
    let mut samples =
        vec![hdr_of(&light), made(&hdr_of(&light), json!({ "to": "hdr", "resize": { "width": 20 } }))];
    for compression in [
        Compression::Uncompressed,
        Compression::RLE,
        Compression::ZIP16,
        Compression::PIZ,
        Compression::PXR24,
        Compression::B44A,
        Compression::DWAA(None),
        Compression::DWAB(None),
    ] {
        samples.push(exr_of(&light, lines(compression), true));
        samples.push(exr_of(&light, tiles(compression), false));
    }
    let survives =
        |bytes: &[u8]| match run(bytes, json!({ "to": "bmp", "limits": { "maxPixels": 1_000_000 } })) {
            Ok(_) => true,
            Err(error) => {
                assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
                false
            }
        };
    for (index, bytes) in samples.iter().enumerate() {
        assert!(survives(bytes), "file {index}");
        let (mut cuts, mut flips) = (0, 0);
        for at in (0..bytes.len()).step_by((bytes.len() / 200).max(1)) {
            assert!(!survives(&bytes[..at]), "file {index}: {at} of {} bytes gave a picture", bytes.len());
            cuts += 1;
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                survives(&broken);
                flips += 1;
            }
        }
        for at in 0..bytes.len().min(400) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x10;
            survives(&broken);
            flips += 1;
        }
        assert!(cuts >= 100 && flips >= 300, "{cuts} cuts, {flips} flips");
    }
}

#[test]
fn an_edge_of_translucent_light_is_as_bright_as_its_sides() {
    let colors = SpecificChannels::rgba(|Vec2(x, _): Vec2<usize>| {
        let light = if x < 32 { 0.1_f32 } else { 0.2 };
        (light, light, light * 0.9, 1.0_f32)
    });
    let file = saved(&Image::from_channels((64, 8), colors));
    let (_, pixels) = read_exr(&made(&file, json!({ "to": "exr", "resize": { "width": 32 } })));
    for pixel in pixels {
        assert!(pixel[..3].iter().all(|light| (0.0899..0.2001).contains(light)), "{pixel:?}");
        assert!(pixel[3] > 0.999, "{pixel:?}");
    }
}

#[test]
fn deep_data_is_what_is_refused() {
    let mut file = exr_of(&lights(16, 8), Encoding::SMALL_LOSSLESS, false);
    // The bit of the version for a file of one deep part.
    file[5] |= 0x08;
    let error = run(&file, json!({ "to": "png" })).expect_err("deep data");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
    assert!(error.to_string().contains("deep data"), "{error}");
}

#[test]
fn pixels_that_are_no_squares_are_missed() {
    let plain = exr_of(&lights(16, 8), Encoding::SMALL_LOSSLESS, false);
    let name = b"pixelAspectRatio\0float\0\x04\0\0\0";
    let at = plain.windows(name.len()).position(|bytes| bytes == name).expect("a ratio") + name.len();
    let mut wide = plain.clone();
    wide[at..at + 4].copy_from_slice(&2.0_f32.to_le_bytes());
    let options = json!({ "metadata": "keep", "resize": { "width": 8 } });
    assert_eq!(codes(&plain, options.clone()), [""; 0]);
    assert_eq!(codes(&wide, options), ["metadata_dropped"]);
}
