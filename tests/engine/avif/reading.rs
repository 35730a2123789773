//! AVIF files of other programs: all plane layouts, grids, rotation, cropping, premultiplied alpha, other color
//! spaces.

use filepress::ErrorCode;
use filepress::image::check_complete;
use filepress::limits::Limits;
use filepress_wire::MediaType;
use image::{DynamicImage, GenericImageView};
use rav1e::prelude::{ChromaSampling, MatrixCoefficients};
use serde_json::json;

use super::super::support::{bytes_of, difference, read, run};
use super::boxes::{Coding, Item, PLAIN, code, file, part};
use super::{color, inspect, shown, smooth};

fn rgb(x: u32, y: u32) -> [f64; 3] {
    let [red, green, blue, _] = color(x, y);
    [red, green, blue]
}

/// A file of one picture, nearly exact.
fn single(size: (u32, u32), coding: &Coding, color: &dyn Fn(u32, u32) -> [f64; 3]) -> Item {
    Item::coded(&code(size, coding, 8, color))
}

#[test]
fn every_layout_of_planes_is_read() {
    let samplings = [
        (ChromaSampling::Cs400, "gray"),
        (ChromaSampling::Cs420, "ycbcr"),
        (ChromaSampling::Cs422, "ycbcr"),
        (ChromaSampling::Cs444, "ycbcr"),
    ];
    for size in [(61, 43), (64, 32)] {
        let picture = DynamicImage::from(smooth(size.0, size.1));
        for (sampling, space) in samplings {
            for depth in [8, 10, 12] {
                for full_range in [true, false] {
                    let coding = Coding { depth, sampling, full_range, ..PLAIN };
                    let avif = file(&[single(size, &coding, &rgb)], &[], &[]);
                    let facts = inspect(&avif);
                    assert_eq!((facts.color_space, usize::from(facts.bit_depth)), (space, depth));
                    let back = shown(&avif);
                    assert_eq!(back.color().bytes_per_pixel() / back.color().channel_count() > 1, depth > 8);
                    let expected = match space {
                        "gray" => DynamicImage::from(gray(&picture)),
                        _ => picture.clone(),
                    };
                    let off = difference(&back, &expected);
                    assert!(off < 1.2, "{sampling:?} {depth} bit, full {full_range}: {off} off");
                }
            }
        }
    }
}

/// The luma of BT.601.
#[test]
fn the_sequence_header_counts_where_the_configuration_differs() {
    let mut coded = code((64, 48), &Coding { sampling: ChromaSampling::Cs422, ..PLAIN }, 40, &rgb);
    let expected = shown(&file(&[Item::coded(&coded)], &[], &[]));
    // It says 4:2:0 now.
    coded.configuration[2] |= 0x0C;
    assert_eq!(shown(&file(&[Item::coded(&coded)], &[], &[])), expected);
}

fn gray(picture: &DynamicImage) -> image::GrayImage {
    image::GrayImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, _] = picture.get_pixel(x, y).0.map(f64::from);
        image::Luma([(0.299 * red + 0.587 * green + 0.114 * blue).round() as u8])
    })
}

#[test]
fn matrices_are_told_apart() {
    let picture = DynamicImage::from(smooth(64, 48));
    for (matrix, space) in [
        (MatrixCoefficients::BT601, "ycbcr"),
        (MatrixCoefficients::BT709, "ycbcr"),
        (MatrixCoefficients::BT2020NCL, "ycbcr"),
        (MatrixCoefficients::Identity, "rgb"),
    ] {
        let coding = Coding { matrix, ..PLAIN };
        let plain = single((64, 48), &coding, &rgb);
        let avif = file(&[plain], &[], &[]);
        assert_eq!(inspect(&avif).color_space, space);
        let off = difference(&shown(&avif), &picture);
        assert!(off < 1.0, "{matrix:?}: {off} off");

        // What the container says goes before what the coded picture says.
        let said = part(b"colr", &[b"nclx", &[0, 1, 0, 13, 0, matrix as u8, 0x80]]);
        let coding = Coding { matrix: MatrixCoefficients::BT601, ..coding };
        let wrong = matrix != MatrixCoefficients::BT601;
        let avif = file(&[single((64, 48), &coding, &rgb).with(said, false)], &[], &[]);
        assert_eq!(difference(&shown(&avif), &picture) > 2.0, wrong, "{matrix:?} was said");
    }
    let said = part(b"colr", &[b"nclx", &[0, 1, 0, 13, 0, 10, 0x80]]);
    let avif = file(&[single((64, 48), &PLAIN, &rgb).with(said, false)], &[], &[]);
    let error = run(&avif, json!({ "to": "png" })).expect_err("a matrix that is not linear");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
}

#[test]
fn turns_and_mirrors_are_applied() {
    let stored = DynamicImage::from(smooth(48, 32));
    for quarters in 0..4u8 {
        for mirror in [None, Some(0u8), Some(1)] {
            let mut item = single((48, 32), &PLAIN, &rgb).with(part(b"irot", &[&[quarters]]), true);
            // counterclockwise.
            let mut upright = match quarters {
                0 => stored.clone(),
                1 => stored.rotate270(),
                2 => stored.rotate180(),
                _ => stored.rotate90(),
            };
            if let Some(axis) = mirror {
                item = item.with(part(b"imir", &[&[axis]]), true);
                upright = if axis == 0 { upright.flipv() } else { upright.fliph() };
            }
            let avif = file(&[item], &[], &[]);
            let facts = inspect(&avif);
            assert_eq!((facts.width, facts.height), upright.dimensions());
            assert_eq!(facts.orientation, 1);
            let off = difference(&shown(&avif), &upright);
            assert!(off < 1.0, "{quarters} quarters, mirror {mirror:?}: {off} off");
        }
    }
}

#[test]
fn a_clean_aperture_is_cut_out() {
    // 20 × 10 pixels, from (7, 3) on: the middle of the part is at 17 × 8, that of the whole at 24 × 16.
    let fractions = [20, 1, 10, 1, -14, 2, -8, 1].map(i32::to_be_bytes).concat();
    let item = single((48, 32), &PLAIN, &rgb).with(part(b"clap", &[&fractions]), true);
    let avif = file(&[item], &[], &[]);
    assert_eq!((inspect(&avif).width, inspect(&avif).height), (20, 10));
    let expected = DynamicImage::from(smooth(48, 32)).crop_imm(7, 3, 20, 10);
    let off = difference(&shown(&avif), &expected);
    assert!(off < 1.0, "{off} off");
    // One that lies outside is passed over.
    let outside = [20, 1, 10, 1, 40, 1, 0, 1].map(i32::to_be_bytes).concat();
    let item = single((48, 32), &PLAIN, &rgb).with(part(b"clap", &[&outside]), true);
    assert_eq!(inspect(&file(&[item], &[], &[])).width, 48);
}

/// A grid of 3 × 2 tiles of 32 × 24 pixels, cut to 80 × 40.
pub(super) fn grid(coding: &Coding) -> Vec<u8> {
    let shape = [0, 0, 1, 2, 0, 80, 0, 40];
    let mut whole = Item::new(b"grid", &shape)
        .with(part(b"ispe", &[&[0; 4], &80u32.to_be_bytes(), &40u32.to_be_bytes()]), false);
    whole.inline = true;
    let tiles = (0..6).map(|tile| {
        let (left, top) = (tile % 3 * 32, tile / 3 * 24);
        single((32, 24), coding, &|x, y| rgb(left + x, top + y))
    });
    let items: Vec<Item> = std::iter::once(whole).chain(tiles).collect();
    file(&items, &[(b"dimg", 1, &[2, 3, 4, 5, 6, 7])], &[])
}

#[test]
fn tiles_make_one_picture_without_seams() {
    let expected = DynamicImage::from(smooth(80, 40));
    for sampling in [ChromaSampling::Cs400, ChromaSampling::Cs420, ChromaSampling::Cs444] {
        for depth in [8, 10] {
            let avif = grid(&Coding { depth, sampling, ..PLAIN });
            assert_eq!((inspect(&avif).width, inspect(&avif).height), (80, 40));
            let expected = match sampling {
                ChromaSampling::Cs400 => DynamicImage::from(gray(&expected)),
                _ => expected.clone(),
            };
            let off = difference(&shown(&avif), &expected);
            assert!(off < 1.2, "{sampling:?}: {off} off");
        }
    }
}

/// A picture with an alpha channel that rises from the left to the right.
fn with_alpha(premultiplied: bool, range: bool) -> Vec<u8> {
    let alpha = |x: u32| f64::from(x + 1) / 64.0;
    let factor = |x: u32| if premultiplied { alpha(x) } else { 1.0 };
    let colors = single((64, 48), &PLAIN, &|x, y| rgb(x, y).map(|part| part * factor(x)));
    let gray = Coding { sampling: ChromaSampling::Cs400, full_range: range, ..PLAIN };
    let alpha = single((64, 48), &gray, &|x, _| [alpha(x); 3]).alpha();
    let mut references: Vec<(&[u8; 4], u16, &[u16])> = vec![(b"auxl", 2, &[1])];
    if premultiplied {
        references.push((b"prem", 1, &[2]));
    }
    file(&[colors, alpha], &references, &[])
}

#[test]
fn alpha_is_read_and_a_multiplication_by_it_undone() {
    for (premultiplied, range) in [(false, true), (false, false), (true, true)] {
        let avif = with_alpha(premultiplied, range);
        assert!(inspect(&avif).has_alpha);
        let back = shown(&avif).to_rgba8();
        for (x, y, pixel) in back.enumerate_pixels() {
            let alpha = ((x + 1) * 255 / 64) as u8;
            assert!(pixel.0[3].abs_diff(alpha) <= 2, "alpha at {x} is {}, not {alpha}", pixel.0[3]);
            // Next to nothing is left of colors that were multiplied by next to nothing.
            let most = if premultiplied { 12 + 512 / (x + 1) } else { 6 };
            for (part, expected) in pixel.0.into_iter().zip(rgb(x, y)) {
                let off = u32::from(part.abs_diff((expected * 255.0) as u8));
                assert!(off <= most || x < 4, "{off} off at {x}, {y}, premultiplied: {premultiplied}");
            }
        }
    }
}

#[test]
fn colors_and_alpha_count_together_however_little_is_shown() {
    let fractions = [1, 1, 1, 1, 1, 2, 1, 2].map(i32::to_be_bytes).concat();
    let half = |sampling| single((64, 48), &Coding { sampling, ..PLAIN }, &|_, _| [0.5; 3]).alpha();
    let within = |avif: &[u8], bytes: usize| {
        let limits = json!({ "maxMemoryBytes": avif.len() + bytes });
        run(avif, json!({ "to": "png", "limits": limits })).err().map(|error| error.code())
    };
    // An alpha channel need not be gray.
    for (sampling, enough, too_little) in [(ChromaSampling::Cs400, 10, 8), (ChromaSampling::Cs444, 14, 12)] {
        let colors = single((64, 48), &PLAIN, &rgb).with(part(b"clap", &[&fractions]), true);
        let avif = file(&[colors, half(sampling)], &[(b"auxl", 2, &[1])], &[]);
        assert_eq!((inspect(&avif).width, inspect(&avif).height), (1, 1));
        assert_eq!(within(&avif, 64 * 48 * enough), None);
        assert_eq!(within(&avif, 64 * 48 * too_little), Some(ErrorCode::TooMuchMemory));
    }
}

#[test]
fn what_is_decoded_around_the_shown_part_is_told_before_it_is_decoded() {
    let fractions = [1, 1, 1, 1, 1, 2, 1, 2].map(i32::to_be_bytes).concat();
    let colors = single((64, 48), &PLAIN, &rgb).with(part(b"clap", &[&fractions]), true);
    let avif = file(&[colors], &[], &[]);
    let within = |bytes: u64| {
        let limits = Limits { max_memory_bytes: avif.len() as u64 + bytes, ..Limits::default() };
        check_complete(&avif, MediaType::Avif, &limits).err().map(|error| error.code())
    };
    assert_eq!(within(64 * 48 * 8), None);
    assert_eq!(within(64 * 48 * 6), Some(ErrorCode::TooMuchMemory));
}

/// A picture whose colors are said by numbers of H.273.
fn said(primaries: u8, transfer: u8, coding: &Coding, color: &dyn Fn(u32, u32) -> [f64; 3]) -> Vec<u8> {
    let number = coding.matrix as u8;
    let box_ = part(b"colr", &[b"nclx", &[0, primaries, 0, transfer, 0, number, 0x80]]);
    file(&[single((32, 32), coding, color).with(box_, false)], &[], &[])
}

#[test]
fn wide_colors_keep_their_meaning() {
    let p3 = said(12, 13, &PLAIN, &|_, _| [0.9, 0.3, 0.2]);
    assert!(inspect(&p3).has_icc_profile);
    // A type without profiles gets sRGB: the same red takes more of it there.
    let bmp = run(&p3, json!({ "to": "bmp" })).expect("a BMP");
    assert!(bmp.report.warnings.iter().any(|warning| warning.code == "color_converted"));
    let pixel = read(bytes_of(&bmp, &p3), "image/bmp").to_rgb8().get_pixel(9, 9).0;
    let expected = [246u8, 59, 27];
    assert!(pixel.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 4), "{pixel:?}, not {expected:?}");
    // sRGB needs no profile.
    assert!(!inspect(&said(1, 13, &PLAIN, &rgb)).has_icc_profile);
    assert!(!inspect(&said(2, 2, &PLAIN, &rgb)).has_icc_profile);
}

#[test]
fn light_brighter_than_white_is_brought_to_what_a_screen_shows() {
    let coding = Coding { depth: 10, matrix: MatrixCoefficients::BT2020NCL, ..PLAIN };
    // 203 cd/m², the white of a page, in PQ and in HLG; and next to it 1000 cd/m².
    for (transfer, white, bright) in [(16, 0.5807, 0.7518), (18, 0.75, 1.0)] {
        let level = |x: u32| if x < 16 { white } else { bright };
        let avif = said(9, transfer, &coding, &|x, _| [level(x); 3]);
        assert!(!inspect(&avif).has_icc_profile);
        let hdr = run(&avif, json!({ "to": "hdr" })).expect("a Radiance HDR");
        let light = image::load_from_memory_with_format(bytes_of(&hdr, &avif), image::ImageFormat::Hdr);
        let light = light.expect("a Radiance HDR").to_rgb32f();
        for (x, expected) in [(4, 1.0), (28, 1000.0 / 203.0)] {
            for part in light.get_pixel(x, 16).0 {
                assert!((part / expected - 1.0).abs() < 0.04, "{part}, not {expected}, transfer {transfer}");
            }
        }
        let shown = shown(&avif).to_rgb8();
        assert!(shown.get_pixel(4, 16).0[1] < shown.get_pixel(28, 16).0[1], "both are white");
    }
}

#[test]
fn what_moves_gives_its_first_picture_and_says_so() {
    let tables = part(b"stbl", &[&part(b"stsz", &[&[0; 4], &[0; 4], &3u32.to_be_bytes(), &[0; 12]])]);
    let track = part(b"trak", &[&part(b"mdia", &[&part(b"minf", &[&tables])])]);
    let mut avif = file(&[single((48, 32), &PLAIN, &rgb)], &[], &part(b"moov", &[&track]));
    let brand = avif.windows(8).position(|window| window == b"avifmif1").expect("brands");
    avif[brand..brand + 4].copy_from_slice(b"avis");
    assert_eq!(inspect(&avif).frames, 3);
    let codes = |options| {
        let output = run(&avif, options).expect("a result");
        let codes: Vec<_> = output.report.warnings.iter().map(|warning| warning.code).collect();
        (codes, output.report.kept_original)
    };
    assert_eq!(codes(json!({ "to": "png" })), (vec!["animation_dropped"], false));
    assert_eq!(codes(json!({ "to": "webp" })), (vec!["animation_dropped"], false));
    assert_eq!(codes(json!({ "to": "png", "animation": "first" })), (vec![], false));
    assert_eq!(codes(json!({})), (vec!["animation_kept"], true));
}

#[test]
fn what_a_reader_must_know_and_does_not_is_refused() {
    for item in [
        single((48, 32), &PLAIN, &rgb).with(part(b"zzzz", &[&[1]]), true),
        Item { kind: *b"hvc1", ..single((48, 32), &PLAIN, &rgb) },
        Item { kind: *b"iovl", ..single((48, 32), &PLAIN, &rgb) },
    ] {
        let error = run(&file(&[item], &[], &[]), json!({ "to": "png" })).expect_err("nothing known");
        assert_eq!(error.code(), ErrorCode::UnsupportedType, "{error}");
    }
    let optional = single((48, 32), &PLAIN, &rgb).with(part(b"zzzz", &[&[1]]), false);
    assert_eq!(shown(&file(&[optional], &[], &[])).width(), 48);
}

#[test]
fn the_boxes_before_the_pixels_tell_what_it_is() {
    let plain = file(&[single((61, 43), &PLAIN, &rgb)], &[], &[]);
    for avif in [plain, grid(&PLAIN), with_alpha(false, true)] {
        let pixels = avif.windows(4).position(|window| window == b"mdat").expect("pixels") - 4;
        assert_eq!(inspect(&avif[..pixels]), inspect(&avif));
        let error = run(&avif[..pixels], json!({ "to": "png" })).expect_err("no pixels");
        assert_eq!(error.code(), ErrorCode::Corrupt);
    }
}
