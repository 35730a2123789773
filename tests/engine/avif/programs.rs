//! Files of Debian's avifenc as its avifdec shows them, which decodes all of a picture and only tells how to cut and turn it; and lossless
//! files of ours in it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use image::{DynamicImage, Rgba, RgbaImage};

use serde_json::json;

use super::super::support::{bytes_of, png, read, run};
use super::{inspect, shown, smooth};

/// A folder that goes away with its value.
struct Folder(PathBuf);

impl Folder {
    /// `own` tells the folders of tests that run together apart.
    fn new(own: &str) -> Self {
        let path = std::env::temp_dir().join(format!("filepress-avif-{}-{own}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let status = Command::new(program)
            .args(arguments)
            .current_dir(&self.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap_or_else(|error| panic!("{program}, which setup.sh installs: {error}"));
        assert!(status.success(), "{program} {arguments:?}");
    }

    /// The picture as an AVIF, and what avifdec shows of that.
    fn code(&self, picture: &RgbaImage, options: &str) -> (Vec<u8>, DynamicImage) {
        std::fs::write(self.0.join("source.png"), png(picture.clone())).expect("a source");
        let options: Vec<&str> = options.split(' ').chain(["-s", "9", "source.png", "coded.avif"]).collect();
        self.run("avifenc", &options);
        self.run("avifdec", &["coded.avif", "decoded.png"]);
        let taken = |name: &str| std::fs::read(self.0.join(name)).expect("a result");
        (taken("coded.avif"), read(&taken("decoded.png"), "image/png"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A picture that becomes opaque from the left to the right.
fn fading(width: u32, height: u32) -> RgbaImage {
    let mut picture = smooth(width, height);
    for (x, _, pixel) in picture.enumerate_pixels_mut() {
        pixel.0[3] = (x * 280 / width).min(255) as u8;
    }
    picture
}

/// The largest difference of colors where these count, and of alpha.
fn differences(ours: &DynamicImage, theirs: &DynamicImage) -> (u8, u8) {
    assert_eq!((ours.width(), ours.height()), (theirs.width(), theirs.height()));
    let (ours, theirs) = (ours.to_rgba8(), theirs.to_rgba8());
    let mut most = (0, 0);
    for (Rgba(ours), Rgba(theirs)) in ours.pixels().zip(theirs.pixels()) {
        let alpha = ours[3].abs_diff(theirs[3]);
        let color = (0..3).map(|part| ours[part].abs_diff(theirs[part])).max().unwrap_or(0);
        // What is left of colors that were multiplied by little is rough.
        let color = if ours[3] < 64 { 0 } else { color };
        most = (color.max(most.0), alpha.max(most.1));
    }
    most
}

#[test]
fn alpha_and_what_was_multiplied_by_it_are_as_in_avifdec() {
    let folder = Folder::new("alpha");
    let source = fading(128, 128);
    for options in [
        "--lossless",
        "--lossless -g 2x2",
        "--premultiply --lossless",
        "--premultiply --lossless -g 2x2",
        "--premultiply -y 444 --min 0 --max 8",
        "--premultiply -y 420 --min 0 --max 8 -g 2x2",
        "--premultiply -y 400 --min 0 --max 8",
        "--premultiply -y 444 -d 10 --min 0 --max 8 --range limited",
    ] {
        let (avif, theirs) = folder.code(&source, options);
        assert!(inspect(&avif).has_alpha, "{options}");
        let (color, alpha) = differences(&shown(&avif), &theirs);
        assert!(color <= 6 && alpha <= 1, "{options}: {color} and {alpha} off");
    }
}

#[test]
fn what_avifenc_cuts_turns_and_mirrors_is_shown_so() {
    let folder = Folder::new("turns");
    let source = fading(128, 128);
    let cut = (21, 11, 61, 41);
    let even = (20, 10, 60, 40);
    type Part = (u32, u32, u32, u32);
    type Turn = fn(&DynamicImage) -> DynamicImage;
    let cases: [(&str, Part, Turn); 6] = [
        ("-y 444 --crop 21,11,61,41", cut, DynamicImage::clone),
        ("-y 420 --crop 20,10,60,40", even, DynamicImage::clone),
        // Counterclockwise.
        ("-y 444 --crop 21,11,61,41 --irot 1", cut, DynamicImage::rotate270),
        ("-y 444 --crop 21,11,61,41 --imir 0", cut, DynamicImage::flipv),
        ("-y 444 --crop 21,11,61,41 --irot 3 --imir 1", cut, |picture| picture.rotate90().fliph()),
        ("-y 444 -g 2x2 --premultiply --crop 20,10,60,40 --irot 2", even, DynamicImage::rotate180),
    ];
    for (options, (x, y, width, height), turn) in cases {
        let (avif, theirs) = folder.code(&source, &format!("{options} --min 0 --max 8"));
        let expected = turn(&theirs.crop_imm(x, y, width, height));
        let facts = inspect(&avif);
        assert_eq!((facts.width, facts.height), (expected.width(), expected.height()), "{options}");
        let (color, alpha) = differences(&shown(&avif), &expected);
        assert!(color <= 6 && alpha <= 1, "{options}: {color} and {alpha} off");
    }
}

#[test]
fn lossless_files_are_exact_here_and_in_avifdec() {
    let folder = Folder::new("lossless");
    let noise = |x: u32, y: u32, part: u32| {
        (x.wrapping_mul(0x9E37_79B1) ^ (y * 4 + part).wrapping_mul(0x85EB_CA6B)).to_be_bytes()[0]
    };
    let color = RgbaImage::from_fn(61, 43, |x, y| {
        let hidden = if x < 30 { 0 } else { noise(x, y, 3) };
        Rgba([noise(x, y, 0), (x * 4) as u8, noise(x, y, 2), hidden])
    });
    let opaque = DynamicImage::ImageRgba8(color.clone()).to_rgb8();
    let pictures = [
        ("color and alpha", DynamicImage::from(color.clone())),
        ("color", DynamicImage::from(opaque.clone())),
        ("gray", DynamicImage::from(DynamicImage::from(opaque).to_luma8())),
        ("gray and alpha", DynamicImage::from(DynamicImage::from(color).to_luma_alpha8())),
        ("a pixel", DynamicImage::from(RgbaImage::from_pixel(1, 1, Rgba([1, 2, 3, 4])))),
    ];
    for (name, picture) in pictures {
        let source = png(picture.clone());
        for effort in [0, 4] {
            let options = json!({ "to": "avif", "lossless": true, "effort": effort });
            let output = run(&source, options).expect("an AVIF");
            let coded = bytes_of(&output, &source);
            assert_eq!(inspect(coded).bit_depth, 8, "{name}");
            assert_eq!(shown(coded).to_rgba8(), picture.to_rgba8(), "{name}");
            std::fs::write(folder.0.join("coded.avif"), coded).expect("a file");
            folder.run("avifdec", &["coded.avif", "decoded.png"]);
            let decoded = std::fs::read(folder.0.join("decoded.png")).expect("a result");
            assert_eq!(read(&decoded, "image/png").to_rgba8(), picture.to_rgba8(), "{name} in avifdec");
        }
    }
}
