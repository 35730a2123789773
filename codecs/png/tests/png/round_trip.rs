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
