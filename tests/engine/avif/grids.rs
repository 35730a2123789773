//! Grids whose tiles are used several times, and grids with an alpha channel of each tile.

use filepress::ErrorCode;
use image::{DynamicImage, Rgba, RgbaImage};
use rav1e::prelude::ChromaSampling;
use serde_json::json;

use super::super::support::{bytes_of, difference, run};
use super::boxes::{Coding, Item, PLAIN, code, file, part};
use super::{color, inspect, shown};

/// Width and height of a tile.
const TILE: (u32, u32) = (32, 24);
const GRAY: Coding = Coding { sampling: ChromaSampling::Cs400, ..PLAIN };

/// A grid, whose tiles are the other items.
fn grid((columns, rows): (u32, u32), (width, height): (u32, u32)) -> Item {
    let [[_, _, wide @ ..], [_, _, high @ ..]] = [width, height].map(u32::to_be_bytes);
    let shape = [&[0, 0, rows as u8 - 1, columns as u8 - 1], wide.as_slice(), high.as_slice()].concat();
    let mut whole = Item::new(b"grid", &shape)
        .with(part(b"ispe", &[&[0; 4], &width.to_be_bytes(), &height.to_be_bytes()]), false);
    whole.inline = true;
    whole
}

/// The color at a place of one of the different tiles, which are parts of one picture.
fn rgb(tile: u32, x: u32, y: u32) -> [f64; 3] {
    let [red, green, blue, _] = color(tile * TILE.0 + x, y);
    [red, green, blue]
}

fn tile(number: u32, factor: f64) -> Item {
    Item::coded(&code(TILE, &PLAIN, 8, &|x, y| rgb(number, x, y).map(|part| part * factor)))
}

/// What a grid of these tiles shows.
fn expected(tiles: &[u32], columns: u32, (width, height): (u32, u32)) -> DynamicImage {
    let picture = RgbaImage::from_fn(width, height, |x, y| {
        let tile = tiles[(y / TILE.1 * columns + x / TILE.0) as usize];
        let [red, green, blue] = rgb(tile, x % TILE.0, y % TILE.1).map(|part| (part * 255.0).round() as u8);
        Rgba([red, green, blue, 255])
    });
    picture.into()
}

#[test]
fn a_picture_is_the_tile_of_several_places() {
    let size = (80, 40);
    let avif =
        file(&[grid((3, 2), size), tile(0, 1.0), tile(1, 1.0)], &[(b"dimg", 1, &[2, 3, 2, 3, 3, 2])], &[]);
    let off = difference(&shown(&avif), &expected(&[0, 1, 0, 1, 1, 0], 3, size));
    assert!(off < 1.2, "{off} off");
    // It stays so in a file without metadata.
    let kept = run(&avif, json!({ "quality": 100 })).expect("a result");
    assert!(kept.report.kept_original);
    assert_eq!(shown(bytes_of(&kept, &avif)), shown(&avif));
    // Both alone make another grid, which lacks tiles.
    let few = file(&[grid((3, 2), size), tile(0, 1.0), tile(1, 1.0)], &[(b"dimg", 1, &[2, 3])], &[]);
    assert_eq!(run(&few, json!({ "to": "png" })).expect_err("too few").code(), ErrorCode::Corrupt);
}

#[test]
fn one_picture_is_all_tiles_and_counts_once() {
    let (columns, rows) = (40, 30);
    let size = (columns * TILE.0, rows * TILE.1);
    let avif = file(&[grid((columns, rows), size), tile(0, 1.0)], &[(b"dimg", 1, &[2; 1200])], &[]);
    let off = difference(&shown(&avif), &expected(&[0; 1200], columns, size));
    assert!(off < 1.2, "{off} off");
    // However short the file is, the whole counts.
    let limits = json!({ "maxPixels": size.0 * size.1 - 1 });
    let error = run(&avif, json!({ "to": "png", "limits": limits })).expect_err("too many pixels");
    assert_eq!(error.code(), ErrorCode::TooManyPixels);
}

/// Two tiles side by side, of which some have an alpha channel, and some of these are multiplied by it. The alpha channel
/// of the left one is ½, that of the right one ¾.
fn with_alpha(alphas: &[u16], premultiplied: &[u16]) -> Vec<u8> {
    let alpha = [0.5, 0.75];
    let factor = |id: u16| if premultiplied.contains(&id) { alpha[usize::from(id) - 2] } else { 1.0 };
    let gray = alpha.map(|level| Item::coded(&code(TILE, &GRAY, 8, &|_, _| [level; 3])).alpha());
    let [left, right] = gray;
    let items = [grid((2, 1), (64, 24)), tile(0, factor(2)), tile(1, factor(3)), left, right];
    let of = alphas.iter().map(|color| [*color]).collect::<Vec<_>>();
    let to = premultiplied.iter().map(|color| [color + 2]).collect::<Vec<_>>();
    let mut references: Vec<(&[u8; 4], u16, &[u16])> = vec![(b"dimg", 1, &[2, 3])];
    references.extend(of.iter().map(|of| (b"auxl", of[0] + 2, of.as_slice())));
    references.extend(to.iter().map(|to| (b"prem", to[0] - 2, to.as_slice())));
    file(&items, &references, &[])
}

#[test]
fn the_alpha_channels_of_all_tiles_make_one() {
    let colors = expected(&[0, 1], 2, (64, 24)).to_rgba8();
    for premultiplied in [&[][..], &[2, 3]] {
        let avif = with_alpha(&[2, 3], premultiplied);
        assert!(inspect(&avif).has_alpha);
        let shown = shown(&avif).to_rgba8();
        for ((x, y, pixel), expected) in shown.enumerate_pixels().zip(colors.pixels()) {
            let alpha = if x < TILE.0 { 128_u8 } else { 191 };
            assert!(pixel.0[3].abs_diff(alpha) <= 2, "alpha is {} at {x}, {y}", pixel.0[3]);
            let off = (0..3).map(|part| pixel.0[part].abs_diff(expected.0[part])).max();
            assert!(off <= Some(12), "{off:?} off at {x}, {y}, premultiplied: {premultiplied:?}");
        }
    }
    let error = run(&with_alpha(&[2, 3], &[2]), json!({ "to": "png" })).expect_err("two ways");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
}

#[test]
fn a_grid_with_alpha_channels_of_some_tiles_has_none() {
    let avif = with_alpha(&[3], &[]);
    assert!(!inspect(&avif).has_alpha);
    let off = difference(&shown(&avif), &expected(&[0, 1], 2, (64, 24)));
    assert!(off < 1.2, "{off} off");
}

#[test]
fn only_the_transformations_of_the_grid_itself_count() {
    let fractions = [20, 1, 10, 1, 0, 1, 0, 1].map(i32::to_be_bytes).concat();
    let plain = expected(&[0, 1], 2, (64, 24));
    for property in [part(b"irot", &[&[1]]), part(b"imir", &[&[0]]), part(b"clap", &[&fractions])] {
        let items = [grid((2, 1), (64, 24)), tile(0, 1.0), tile(1, 1.0).with(property, true)];
        let off = difference(&shown(&file(&items, &[(b"dimg", 1, &[2, 3])], &[])), &plain);
        assert!(off < 1.2, "{off} off");
    }
    let whole = grid((2, 1), (64, 24)).with(part(b"irot", &[&[2]]), true);
    let avif = file(&[whole, tile(0, 1.0), tile(1, 1.0)], &[(b"dimg", 1, &[2, 3])], &[]);
    let off = difference(&shown(&avif), &plain.rotate180());
    assert!(off < 1.2, "{off} off");
}

#[test]
fn tiny_tiles_count_with_what_surrounds_them_in_memory() {
    let (side, coded) = (64u16, code((1, 1), &PLAIN, 8, &|_, _| [0.5; 3]));
    let ids: Vec<u16> = (2..).take(usize::from(side * side)).collect();
    let mut items = vec![grid((side.into(), side.into()), (side.into(), side.into()))];
    items.extend(ids.iter().map(|_| Item::coded(&coded)));
    let avif = file(&items, &[(b"dimg", 1, &ids)], &[]);
    let within = |megabytes: u32| {
        let limits = json!({ "maxMemoryBytes": megabytes * 1_000_000 });
        run(&avif, json!({ "to": "png", "limits": limits })).err().map(|error| error.code())
    };
    // Three planes of 64 × 64 samples for each of 4096 tiles.
    assert_eq!(within(72), Some(ErrorCode::TooMuchMemory));
    assert_eq!(within(120), None);
}
