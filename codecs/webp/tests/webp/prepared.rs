//! `Prepared` yields the same bytes as `encode`.

use filepress_webp::{Layout, Picture, Prepared, Settings};

use super::pictures::{Noise, encoded, generated, scene};

#[test]
fn every_setting_makes_the_same_file() {
    let mut noise = Noise::seeded(3);
    let translucent = generated(75, 50, |x, y| [x as u8 * 3, noise.next(), y as u8, (x * y) as u8]);
    let clear = generated(40, 40, |x, y| [x as u8, y as u8, 9, if x < 20 { 0 } else { 255 }]);
    let pictures = [
        (150, 90, Layout::Rgb, scene(150, 90)),
        (17, 33, Layout::Rgb, scene(17, 33)),
        (1, 1, Layout::Rgb, scene(1, 1)),
        (75, 50, Layout::Rgba, translucent),
        (40, 40, Layout::Rgba, clear),
    ];
    let mut compared = 0;
    for (width, height, layout, samples) in pictures {
        let prepared = Prepared::new(&Picture::new(width, height, layout, &samples).unwrap());
        for quality in [0, 30, 75, 99, 100] {
            for effort in 0..=6 {
                let settings = Settings { quality, effort };
                let file = encoded(width, height, layout, &samples, settings);
                assert!(prepared.encode(settings).unwrap() == file, "{width} × {height}, {settings:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 5 * 5 * 7);
}
