//! Pixels of stills: exact without loss, and close to djxl's with it.

use png::{BitDepth, ColorType};

use crate::tools::{MOST, Picture, cjxl, djxl, ours, read};

const COLORS: [ColorType; 4] =
    [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba];

#[test]
fn lossless_files_have_the_samples_that_they_were_made_from() {
    let mut checked = 0;
    for depth in [BitDepth::Eight, BitDepth::Sixteen] {
        for color in COLORS {
            // More than a group of 256 pixels a side, and one row of pixels.
            for (width, height) in [(300, 270), (1, 1), (97, 1)] {
                let picture = Picture::new(width, height, color, depth);
                for arguments in
                    [&["-d", "0", "-e", "3"][..], &["-d", "0", "-e", "7"], &["-d", "0", "-e", "4", "-R", "1"]]
                {
                    let jxl = cjxl(&picture.png(), arguments);
                    let (png, outcome) = ours(&jxl).unwrap();
                    let made = read(&png).0;
                    assert!(
                        made == picture,
                        "{color:?} {depth:?} {width} × {height} {arguments:?}: {:?}",
                        made.difference(&picture)
                    );
                    let alpha = matches!(color, ColorType::Rgba | ColorType::GrayscaleAlpha);
                    assert_eq!((outcome.opaque, outcome.frames), (!alpha, 1));
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 72);
}

#[test]
fn lossy_files_look_as_djxl_shows_them() {
    let mut checked = 0;
    // cjxl stores any alpha with 8 bits, and djxl does not write it beside colors of 16.
    let deep = [ColorType::Grayscale, ColorType::Rgb].map(|color| (color, BitDepth::Sixteen));
    for (color, depth) in COLORS.map(|color| (color, BitDepth::Eight)).into_iter().chain(deep) {
        let png = Picture::new(331, 277, color, depth).png();
        for arguments in [
            &["-d", "1"][..],
            &["-d", "3", "-e", "8"],
            &["-d", "1", "-p"],
            &["-d", "2", "--progressive_dc=1"],
            &["-d", "1", "-m", "1"],
            &["-d", "2", "--patches=1", "--dots=1", "--epf=3", "--gaborish=0"],
        ] {
            let jxl = cjxl(&png, arguments);
            let (made, theirs) = (read(&ours(&jxl).unwrap().0).0, read(&djxl(&jxl, &[])).0);
            let (most, mean) = made.difference(&theirs);
            // djxl rounds 8 bits with a pattern, to 1 step from here.
            assert!(
                most <= 2.0 && mean <= 0.5,
                "{color:?} {depth:?} {arguments:?}: {most} at most, {mean} on average"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 36);
}

#[test]
fn noise_is_the_same_in_every_decoder() {
    let jxl = cjxl(
        &Picture::new(300, 200, ColorType::Rgb, BitDepth::Eight).png(),
        &["-d", "1", "--photon_noise=ISO800"],
    );
    let (made, theirs) = (read(&ours(&jxl).unwrap().0).0, read(&djxl(&jxl, &[])).0);
    let (most, mean) = made.difference(&theirs);
    assert!(most <= 16.0 && mean <= 0.6, "{most} at most, {mean} on average");
}

#[test]
fn wide_rows_are_longer_than_a_block_of_the_png() {
    let picture = Picture::new(20_000, 3, ColorType::Rgba, BitDepth::Sixteen);
    let made = read(&ours(&cjxl(&picture.png(), &["-d", "0", "-e", "2"])).unwrap().0).0;
    assert!(made == picture, "{:?}", made.difference(&picture));
}

#[test]
fn the_decoder_is_fed_in_steps() {
    let picture = Picture::new(900, 700, ColorType::Rgb, BitDepth::Sixteen);
    let jxl = cjxl(&picture.png(), &["-d", "0", "-e", "1"]);
    assert!(jxl.len() > 1 << 20, "{} bytes are too few", jxl.len());
    let (mut png, mut shares) = (Vec::new(), Vec::new());
    let reader = filepress_jxl::Reader::open(&jxl).unwrap();
    let scanned = reader.scan(MOST).unwrap();
    scanned.write(1, &mut |part| png.extend_from_slice(part), &mut |share| shares.push(share)).unwrap();
    assert!(read(&png).0 == picture);
    assert!(
        shares.len() > 8 && shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)),
        "{shares:?}"
    );
}
