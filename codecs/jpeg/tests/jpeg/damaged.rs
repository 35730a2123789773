//! Damaged files: what libjpeg-turbo recovers is recovered, and nothing panics.

use filepress_jpeg::{DecodeOptions, Decoder, Error, decode_coefficients};

use crate::oracle::{Pixels, Random, cjpeg, decode, difference, djpeg, picture, random_file, scaled};

fn strict(file: &[u8]) -> Result<usize, Error> {
    let mut decoder = Decoder::new(file, DecodeOptions { strict: true, ..DecodeOptions::default() })?;
    let ((width, height), samples) = (decoder.size(), decoder.samples_per_pixel());
    decoder.read_rows(&mut vec![0; width as usize * height as usize * samples])
}

#[test]
fn what_is_cut_keeps_its_rows_and_tells_its_loss() {
    let file = cjpeg(&["-sample", "1x1"], &picture(&mut Random::new(20), 64, 64));
    let (whole, _) = decode(8, 64, &file).unwrap();
    let cut = &file[..file.len() * 3 / 4];
    let (pixels, lost) = decode(8, 64, cut).unwrap();
    assert!((0..16).all(|y| pixels.row(y) == whole.row(y)));
    let lost = lost.unwrap();
    assert!((0.05..0.6).contains(&lost), "{lost}");
    assert_eq!(difference(&pixels, &djpeg(8, cut).unwrap()), 0);
    assert!(matches!(strict(cut), Err(Error::Corrupt(_))));
    assert_eq!(strict(&file), Ok(64));
}

#[test]
fn what_does_not_touch_pixels_is_recovered_in_full() {
    let file = cjpeg(&[], &picture(&mut Random::new(21), 64, 64));
    let (whole, _) = decode(8, 64, &file).unwrap();
    let no_end = file[..file.len() - 2].to_vec();
    let garbage = [&file[..], &[1, 2, 3]].concat();
    let exif = [&file[..2], &[0xFF, 0xE1, 0, 20], b"Exif\0\0II*\0\xFF\xFF\xFF\x7Fabcd", &file[2..]].concat();
    let extra = [&file[..2], &[0, 0, 7], &file[2..]].concat();
    for (changed, damaged) in [(no_end, true), (garbage, false), (exif, false), (extra, true)] {
        let (pixels, lost) = decode(8, 64, &changed).unwrap();
        assert_eq!(difference(&pixels, &whole), 0);
        assert_eq!(lost, damaged.then_some(0.0));
        assert_eq!(strict(&changed).is_err(), damaged);
    }
}

#[test]
fn lost_and_repeated_restarts_are_bridged_as_libjpeg_turbo_does() {
    let mut random = Random::new(22);
    let file = cjpeg(&["-restart", "2B", "-sample", "1x1"], &picture(&mut random, 100, 100));
    let markers: Vec<_> =
        (0..file.len() - 1).filter(|&at| file[at] == 0xFF && (0xD0..0xD8).contains(&file[at + 1])).collect();
    assert!(markers.len() > 20);
    for _ in 0..scaled(200) {
        let mut changed = file.clone();
        let (from, to) = (random.below(markers.len() - 9), 1 + random.below(8));
        match random.below(3) {
            0 => drop(changed.drain(markers[from]..markers[from + to])),
            1 => changed[markers[from] + 1] = 0xD0 + random.below(8) as u8,
            _ => {
                let copy = file[markers[from]..markers[from + to]].to_vec();
                changed.splice(markers[from]..markers[from], copy);
            }
        }
        let (pixels, _) = decode(8, 7, &changed).unwrap();
        // The MCU in which the data end is decoded from what is not there.
        let theirs = djpeg(8, &changed).unwrap();
        let differing = pixels.rows.iter().zip(&theirs.rows).filter(|(a, b)| a != b).count();
        assert!(differing <= 3 * 64, "{differing} samples");
    }
}

#[test]
fn without_the_restart_markers_that_are_due_all_behind_the_first_is_lost() {
    let ppm = picture(&mut Random::new(24), 512, 512);
    for arguments in [&["-grayscale"][..], &["-grayscale", "-progressive"], &["-grayscale", "-arithmetic"]] {
        let mut file = cjpeg(arguments, &ppm);
        let scan = file.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap();
        let data = scan + 2 + usize::from(u16::from_be_bytes([file[scan + 2], file[scan + 3]]));
        // Codes of any kind, no marker, and no end.
        file.truncate(data);
        file.extend((0..100_000).map(|at| (at * 7 % 251) as u8));
        file.splice(scan..scan, [0xFF, 0xDD, 0, 4, 0, 1]);
        let (_, lost) = decode(8, 16, &file).unwrap();
        let lost = lost.unwrap();
        assert!(lost >= 4095.0 / 4096.0, "{arguments:?}: {lost}");
        assert!(matches!(strict(&file), Err(Error::Corrupt(_))));
        let (_, damage) = decode_coefficients(&file, DecodeOptions::default()).unwrap();
        assert!(damage.unwrap().share >= 4095.0 / 4096.0);
    }
}

/// Rows of MCUs that have pixels other than the gray of what is lost.
fn recovered(pixels: &Pixels) -> usize {
    (0..pixels.height.div_ceil(8))
        .filter(|&band| {
            (band * 8..(band * 8 + 8).min(pixels.height))
                .any(|y| pixels.row(y).iter().any(|&s| s.abs_diff(128) > 1))
        })
        .count()
}

#[test]
fn of_mutated_files_every_row_that_libjpeg_turbo_recovers_is_recovered() {
    let mut random = Random::new(23);
    let (mut shown, mut same) = (0, 0);
    for _ in 0..scaled(2_000) {
        let (mut file, arguments) = random_file(&mut random);
        for _ in 0..1 + random.below(3) {
            let at = 2 + random.below(file.len() - 2);
            file[at] = random.below(256) as u8;
        }
        let ours = decode(8, 16, &file);
        decode_coefficients(&file, DecodeOptions::default()).ok();
        let Some(theirs) = djpeg(8, &file) else { continue };
        let (ours, _) = ours.unwrap_or_else(|error| panic!("{arguments}: {error}"));
        if (ours.width, ours.height, ours.samples) != (theirs.width, theirs.height, theirs.samples) {
            panic!("{arguments}: another size");
        }
        assert!(recovered(&ours) >= recovered(&theirs), "{arguments}");
        shown += 1;
        same += usize::from(difference(&ours, &theirs) == 0);
    }
    assert!(shown > 0 && same * 10 > shown * 8, "{same} of {shown} have the same pixels");
}

#[test]
fn scans_that_are_missing_are_lost() {
    let mut random = Random::new(25);
    let ppm = picture(&mut random, 64, 48);
    let whole = cjpeg(&["-progressive"], &ppm);
    let scans: Vec<usize> =
        (0..whole.len() - 1).filter(|&at| whole[at..at + 2] == [0xFF, 0xDA]).skip(1).collect();
    assert!(scans.len() > 5, "{} scans", scans.len());
    for &end in &scans {
        let (_, lost) = decode(8, 16, &whole[..end]).unwrap();
        assert!(lost.is_some_and(|share| share > 0.0 && share < 1.0), "{end}: {lost:?}");
    }
    // The end marker alone takes nothing with it.
    let (_, lost) = decode(8, 16, &whole[..whole.len() - 2]).unwrap();
    assert_eq!(lost, Some(0.0));
}

#[test]
fn no_cut_and_no_flip_panics() {
    let mut random = Random::new(24);
    for _ in 0..scaled(60) {
        let (file, _) = random_file(&mut random);
        for at in (0..file.len()).step_by(1 + file.len() / 150) {
            decode(8, 50, &file[..at]).ok();
            let mut flipped = file.clone();
            flipped[at] ^= 1 << random.below(8);
            decode(1 + random.below(8) as u8, 50, &flipped).ok();
        }
    }
}
