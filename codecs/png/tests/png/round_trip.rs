//! Random pictures at every effort.

use filepress_png::{Color, Picture, Prepared, Settings};

use crate::pictures::{encode, pixels, plain};
use crate::seed::seed;

/// The share of a big test that runs: `FILEPRESS_SCALE`, a tenth by default.
fn scale() -> f64 {
    let text = std::env::var("FILEPRESS_SCALE").ok();
    text.map_or(0.1, |text| text.parse().expect("FILEPRESS_SCALE is a number"))
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    /// Gradients, few levels or noise, so that each reduction occurs.
    fn picture(&mut self, most: usize) -> Picture {
        let (width, height) = (1 + self.below(most), 1 + self.below(most));
        let color = match self.below(4) {
            0 => Color::Gray { key: None },
            1 => Color::GrayAlpha,
            2 => Color::Rgb { key: None },
            _ => Color::Rgba,
        };
        let (depth, channels) = (if self.below(4) == 0 { 16 } else { 8 }, color.channels());
        let (steps, noise, shared) = (1 + self.below(40), 1 + self.below(20), self.below(3) == 0);
        let unit = [1, 17, 85, 255, 3][self.below(5)];
        let mut rows = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let base = (x / steps + y / (steps + 3)) * unit;
                for channel in 0..channels {
                    let is_alpha = channels % 2 == 0 && channel + 1 == channels;
                    let value = match is_alpha {
                        true => [255, 255, 0, base][(x + y) / steps % (1 + noise % 4)],
                        false if shared => base,
                        false => base + channel * unit * 3 + self.below(noise),
                    };
                    rows.push(value as u8);
                    if depth == 16 {
                        rows.push(if noise % 2 == 0 { value as u8 } else { self.below(256) as u8 });
                    }
                }
            }
        }
        Picture { width: width as u32, height: height as u32, color, depth, rows }
    }
}

#[test]
fn small_pictures_come_back_at_every_effort() {
    let mut random = Random(seed(21).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let count = (10_000.0 * scale()) as usize;
    for number in 0..count {
        let picture = random.picture(40);
        let effort = (number % 10) as u8;
        assert!(
            pixels(&encode(picture.clone(), effort)) == plain(&picture),
            "picture {number}, effort {effort}"
        );
    }
}

#[test]
fn sampled_pictures_come_back_at_every_effort() {
    let mut random = Random(seed(22).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for effort in 0..=8 {
        let mut picture = random.picture(40);
        // Larger than what is tried whole, by repeating the rows.
        while picture.width * picture.height <= 1 << 16 {
            picture.rows.extend_from_within(..);
            picture.height *= 2;
        }
        assert!(pixels(&encode(picture.clone(), effort)) == plain(&picture), "effort {effort}");
    }
}

/// Large pictures are freed while they are coded.
#[test]
fn rows_of_several_mebibytes_come_back() {
    let mut random = Random(seed(25) | 1);
    for (width, height) in [(900, 1_300), (1 << 20, 3), (1, (1 << 20) + 1)] {
        let rows: Vec<u8> = (0..width * height * 3).map(|at| (at / 999 + random.below(9)) as u8).collect();
        let color = Color::Rgb { key: None };
        let picture = Picture { width: width as u32, height: height as u32, color, depth: 8, rows };
        for effort in [0, 4] {
            assert!(
                pixels(&encode(picture.clone(), effort)) == plain(&picture),
                "{width} × {height}, {effort}"
            );
        }
    }
}

/// A banner is lower than the bands that a trial of a higher picture leaves out.
#[test]
fn some_rows_of_a_banner_are_tried() {
    let mut random = Random(seed(23) | 1);
    let (width, height) = (970, 90);
    let noise = (0..width * height * 3).map(|_| random.below(256) as u8).collect::<Vec<_>>();
    for effort in 0..=9 {
        let picture = Picture {
            width: width as u32,
            height: height as u32,
            color: Color::Rgb { key: None },
            depth: 8,
            rows: noise.clone(),
        };
        let settings = Settings { effort, reduce: true, gray: true };
        let trial = Prepared::new(picture, settings).expect("as many bytes as the size says").trial();
        assert!(trial > noise.len() / 4, "effort {effort}: {trial} bytes of {}", noise.len());
    }
}

/// Dots that a palette of few colors is made of cost less than a lazy search of them tells.
#[test]
fn a_second_trial_of_a_large_picture_sees_more() {
    let mut random = Random(seed(24) | 1);
    let dots: Vec<u8> = std::iter::repeat_with(|| (random.below(4) == 0).into()).take(512 * 512).collect();
    let palette = (0..20).map(|shade| [shade, 0, 0, 255]).collect::<Vec<_>>();
    let prepared = |height: u32, effort| {
        // Rows with every color, so that indices stay bytes.
        let mut rows = dots[..512 * height as usize].to_vec();
        (0..).zip(rows.iter_mut().step_by(7)).for_each(|(at, dot): (u32, _)| *dot = (at % 20) as u8);
        let color = Color::Indexed { palette: palette.clone() };
        let picture = Picture { width: 512, height, color, depth: 8, rows };
        Prepared::new(picture, Settings { effort, reduce: true, gray: true }).expect("a picture")
    };
    let large = prepared(512, 4);
    let second = large.second_trial().expect("a second trial");
    assert!(second < large.trial() && second > large.trial() / 2, "{second} of {} bytes", large.trial());
    assert_eq!(prepared(64, 4).second_trial(), None, "all rows were tried");
    assert_eq!(prepared(512, 1).second_trial(), None, "the search is the same");
}
