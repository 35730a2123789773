//! The form that all frames of an animation have together.

use filepress_png::{FrameColors, Prepared, Settings};

use crate::pictures::{kind, pixels};

const SIDE: u32 = 24;

type Frame = Vec<[u8; 4]>;

fn frame(color: impl Fn(u32, u32) -> [u8; 4]) -> Frame {
    (0..SIDE * SIDE).map(|at| color(at % SIDE, at / SIDE)).collect()
}

/// Checks the pixels of each frame, and of a transparent one if the form has a transparent color. Returns the color type, the depth, and
/// whether it has.
fn form(gray: bool, frames: &[Frame]) -> ((u8, u8), bool) {
    let mut colors = FrameColors::new(gray);
    frames.iter().for_each(|frame| colors.add(frame));
    let mut form = colors.form();
    let clear = form.has_clear().then(|| frame(|_, _| [0; 4]));
    let mut kinds = Vec::new();
    for expected in frames.iter().chain(&clear) {
        let settings = Settings { effort: 4, reduce: false, gray: false };
        let picture = form.picture(SIDE, SIDE, expected);
        let file = Prepared::new(picture, settings).expect("a picture").encode();
        let shown = pixels(&file).into_iter().map(|pixel| match pixel {
            [.., 0] => [0; 4],
            pixel => pixel.map(|sample| (sample / 257) as u8),
        });
        assert!(shown.eq(expected.iter().copied()), "it looks different");
        kinds.push(kind(&file));
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 1, "one header for all");
    (kinds[0], form.has_clear())
}

fn gray(shade: u32) -> [u8; 4] {
    let shade = shade as u8;
    [shade, shade, shade, 255]
}

#[test]
fn colors_of_all_frames_make_the_palette() {
    let frames = [0, 1, 2].map(|at| frame(move |x, _| [at * 100, if x < 9 { 7 } else { 9 }, 0, 255]));
    assert_eq!(form(true, &frames[..2]), ((3, 2), false), "a fifth color would take more bits");
    assert_eq!(form(true, &frames), ((3, 4), true));
    let all = [frame(|x, y| [(x + y * SIDE) as u8, 1, 0, 255])];
    assert_eq!(form(true, &all), ((3, 8), false), "256 colors leave no place");
    let fewer = [frame(|x, y| [(x + y * SIDE) as u8 | 1, 1, 0, 255])];
    assert_eq!(form(true, &fewer), ((3, 8), true));
}

#[test]
fn a_shade_that_no_frame_has_is_transparent() {
    let frames = [frame(|x, y| gray(x + y * 3)), frame(|x, _| if x < 4 { [0; 4] } else { gray(x) })];
    assert_eq!(form(true, &frames), ((0, 8), true));
    assert_eq!(form(false, &frames), ((3, 8), true), "color stays color");
    assert_eq!(form(true, &[frame(|x, y| gray(x + y * SIDE))]), ((0, 8), false), "all are taken");
    let soft = frame(|x, y| {
        [[(x * 10) as u8; 3].as_slice(), &[(y * 10) as u8 + 1]].concat().try_into().expect("four")
    });
    assert_eq!(form(true, &[soft]), ((4, 8), true));
}

#[test]
fn a_color_that_no_frame_has_is_transparent() {
    let many = |x: u32, y: u32| [(x * 10) as u8, (y * 10) as u8, (x * y) as u8, 255];
    // The first colors that could stand for transparency are taken.
    let taken = frame(|x, y| match x + y * SIDE {
        at @ 0..500 => {
            let [_, r, g, b] = (at * 4097).to_be_bytes();
            [r, g, b, 255]
        }
        _ => many(x, y),
    });
    assert_eq!(form(true, &[taken, frame(many)]), ((2, 8), true));
    let soft = frame(|x, y| if x == 0 { [1, 2, 3, 4] } else { many(x, y) });
    assert_eq!(form(true, &[frame(many), soft]), ((6, 8), true));
}
