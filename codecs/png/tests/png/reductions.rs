//! The smallest color type that has the pixels.

use filepress_png::{Color, Picture, Prepared, Settings};

use crate::pictures::{encode, kind, pixels, plain, rgba};

/// Encodes, checks the pixels, and returns color type and depth.
fn reduced(picture: Picture) -> (u8, u8) {
    let expected = plain(&picture);
    let file = encode(picture, 4);
    assert_eq!(pixels(&file), expected);
    kind(&file)
}

#[test]
fn black_and_white_takes_a_bit() {
    assert_eq!(
        reduced(rgba(64, 64, |x, y| if (x ^ y) & 8 == 0 { [0, 0, 0, 255] } else { [255; 4] })),
        (0, 1)
    );
}

#[test]
fn sixteen_grays_take_four_bits() {
    assert_eq!(
        reduced(rgba(64, 64, |x, y| [[(x + y) as u8 % 16 * 17; 3].as_slice(), &[255]]
            .concat()
            .try_into()
            .unwrap())),
        (0, 4)
    );
}

#[test]
fn many_grays_take_a_byte() {
    let shade = |x: u32, y: u32| (x * 3 + y * y) as u8;
    assert_eq!(reduced(rgba(90, 70, |x, y| [shade(x, y), shade(x, y), shade(x, y), 255])), (0, 8));
}

#[test]
fn few_colors_take_a_palette() {
    let few = |x: u32, y: u32| [(x / 25) as u8 * 60, 9, (y / 50) as u8 * 99, 255 - (x / 50) as u8];
    assert_eq!(reduced(rgba(100, 100, few)), (3, 4));
    let scattered = |x: u32, y: u32| (x * x * 31 + y * y * 17 + x * y * 7 + x * 3) % 101;
    let many = |x: u32, y: u32| [scattered(x, y) as u8 * 2, scattered(x, y) as u8 ^ 77, 9, 255];
    assert_eq!(reduced(rgba(200, 200, many)), (3, 8));
}

#[test]
fn one_transparent_color_is_a_key() {
    let color = |x: u32, y: u32| [(x * 7) as u8, (y * 5) as u8, (x ^ y) as u8 | 1, 255];
    assert_eq!(reduced(rgba(120, 100, |x, y| if x < 20 { [4, 4, 4, 0] } else { color(x, y) })), (2, 8));
    // Another color is transparent too.
    assert_eq!(
        reduced(rgba(120, 100, |x, y| if x < 20 { [4, 4, y as u8 & 2, 0] } else { color(x, y) })),
        (6, 8)
    );
}

#[test]
fn sixteen_bits_stay_unless_both_halves_are_equal() {
    let deep = |unit: u16| {
        let value = |at: u32| (at as u16 % 251).wrapping_mul(unit).to_be_bytes();
        let rows = (0..80 * 60 * 3).flat_map(|at| value(at * at)).collect();
        Picture { width: 80, height: 60, color: Color::Rgb { key: None }, depth: 16, rows }
    };
    assert_eq!(reduced(deep(257)), (2, 8));
    assert_eq!(reduced(deep(259)), (2, 16));
}

#[test]
fn nothing_changes_where_nothing_may() {
    let settings = Settings { effort: 4, reduce: false, gray: false };
    let picture = rgba(32, 32, |_, _| [0, 0, 0, 255]);
    assert_eq!(kind(&Prepared::new(picture, settings).unwrap().encode()), (6, 8));
}

#[test]
fn color_stays_color_where_a_profile_needs_it() {
    let settings = Settings { effort: 4, reduce: true, gray: false };
    let file = Prepared::new(
        rgba(90, 90, |x, y| [[(x * y) as u8; 3].as_slice(), &[255]].concat().try_into().unwrap()),
        settings,
    );
    assert!([2, 3].contains(&kind(&file.unwrap().encode()).0));
}

#[test]
fn rows_of_another_size_are_refused() {
    let settings = Settings { effort: 4, reduce: true, gray: true };
    for (width, height, size) in [(4, 4, 47), (4, 4, 49), (0, 4, 0), (4, 0, 0), (u32::MAX, u32::MAX, 48)] {
        let picture =
            Picture { width, height, color: Color::Rgb { key: None }, depth: 8, rows: vec![0; size] };
        assert!(Prepared::new(picture, settings).is_none(), "{width} × {height}, {size}");
    }
}
