//! Parts of Debian's photos (mate-backgrounds), as Debian's djpeg decodes them at a quarter of their size.

use super::content::Chroma;
use super::random::Random;
use filepress_av1::{ColorConfig, Picture};
use std::process::Command;

/// Photos, from soft to detailed.
pub(super) const NAMES: [&str; 6] = ["FreshFlower", "GreenMeadow", "Garden", "Aqua", "LadyBird", "Dune"];

/// RGB, pixel by pixel.
pub(super) struct Photo {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Photo {
    pub(super) fn new(name: &str) -> Self {
        let path = format!("/usr/share/backgrounds/mate/nature/{name}.jpg");
        let output = Command::new("djpeg")
            .args(["-scale", "1/4", "-pnm", &path])
            .output()
            .unwrap_or_else(|error| panic!("djpeg, which setup.sh installs: {error}"));
        assert!(output.status.success(), "{path}, which setup.sh installs");
        let mut rest = output.stdout.as_slice();
        let mut word = || {
            let end = rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap();
            let word = std::str::from_utf8(&rest[..end]).unwrap().to_owned();
            rest = &rest[end + 1..];
            word
        };
        assert_eq!(word(), "P6", "{name} is no color photo");
        let [width, height, largest] = [word(), word(), word()].map(|number| number.parse().unwrap());
        assert_eq!(largest, 255);
        Self { width, height, pixels: rest[..3 * width * height].to_vec() }
    }

    /// A part at a random place. 4:4:4 is RGB; the others are Y'CbCr of BT.601.
    pub(super) fn part(
        &self,
        random: &mut Random,
        (width, height): (usize, usize),
        chroma: Chroma,
    ) -> Picture {
        let left = random.below(self.width - width + 1);
        let top = random.below(self.height - height + 1);
        let pixel = |x: usize, y: usize| {
            let at = 3 * ((top + y.min(height - 1)) * self.width + left + x.min(width - 1));
            [0, 1, 2].map(|channel| f64::from(self.pixels[at + channel]))
        };
        let plane = |step: usize, value: &dyn Fn([f64; 3]) -> f64| -> Vec<u16> {
            let places =
                (0..height).step_by(step).flat_map(|y| (0..width).step_by(step).map(move |x| (x, y)));
            places.map(|(x, y)| value(pixel(x, y)).round().clamp(0.0, 255.0) as u16).collect()
        };
        let luma = |[r, g, b]: [f64; 3]| 0.299 * r + 0.587 * g + 0.114 * b;
        let mut color =
            ColorConfig::new(8, chroma == Chroma::Mono, (chroma == Chroma::C420, chroma == Chroma::C420));
        let planes = match chroma {
            Chroma::C444 => {
                (color.color_primaries, color.transfer_characteristics, color.matrix_coefficients) =
                    (1, 13, 0);
                vec![plane(1, &|[_, g, _]| g), plane(1, &|[_, _, b]| b), plane(1, &|[r, _, _]| r)]
            }
            Chroma::Mono => vec![plane(1, &luma)],
            _ => vec![
                plane(1, &luma),
                plane(2, &|rgb| 128.0 + 0.564 * (rgb[2] - luma(rgb))),
                plane(2, &|rgb| 128.0 + 0.713 * (rgb[0] - luma(rgb))),
            ],
        };
        let planes: Vec<&[u16]> = planes.iter().map(Vec::as_slice).collect();
        Picture::from_planes((width, height), color, &planes).unwrap()
    }
}
