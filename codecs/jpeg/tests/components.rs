//! Components in their own resolution: those of a file, and pictures that are made of some.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use filepress_jpeg::{
    Color, ComponentPreparer, DecodeOptions, Decoder, Error, Output, Sampling, Settings, encode,
};
use libjpeg_turbo_rs::{PixelFormat, decompress_to};

const SAMPLINGS: [Sampling; 3] = [Sampling::S444, Sampling::S422, Sampling::S420];
const SIZES: [(u16, u16); 6] = [(1, 1), (8, 9), (31, 5), (64, 48), (100, 77), (129, 130)];

/// Waves in two colors.
fn picture((width, height): (u16, u16)) -> Vec<u8> {
    let mut pixels = Vec::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let (u, v) = (f64::from(x), f64::from(y));
        let wave = (u / 4.0).sin() * 40.0 + (v / 5.0).cos() * 40.0;
        pixels.extend([120.0 + wave, 120.0 + v / 2.0, 110.0 - wave * 0.8 + u / 2.0].map(|v| v as u8));
    }
    pixels
}

fn file(size: (u16, u16), sampling: Sampling, progressive: bool) -> Vec<u8> {
    let settings = Settings { quality: 95.0, progressive, ..Settings::default() };
    encode(&picture(size), size, Color::Rgb, sampling, &settings).unwrap()
}

fn decoder(file: &[u8], eighths: u8) -> Decoder<'_> {
    let mut decoder = Decoder::new(file, DecodeOptions::default()).unwrap();
    decoder.set_scale(eighths).unwrap();
    decoder
}

/// The rows of each component.
fn components(file: &[u8], eighths: u8) -> Vec<Vec<Vec<u8>>> {
    let mut decoder = decoder(file, eighths);
    let sizes = decoder.component_sizes();
    let mut rows = vec![Vec::new(); sizes.len()];
    while decoder.read_components(&mut |component, row| rows[component].push(row.to_vec())).unwrap() {}
    for (rows, size) in rows.iter().zip(&sizes) {
        assert_eq!(rows.len(), size.height as usize);
        assert!(rows.iter().all(|row| row.len() == size.width as usize));
    }
    rows
}

#[test]
fn components_come_in_their_resolution_alone_or_beside_pixels() {
    for (sampling, size) in SAMPLINGS.iter().flat_map(|sampling| SIZES.map(|size| (*sampling, size))) {
        for (progressive, eighths) in [false, true].into_iter().flat_map(|way| (1..=8).map(move |e| (way, e)))
        {
            let file = file(size, sampling, progressive);
            let alone = components(&file, eighths);
            let (mut plain, mut beside) = (decoder(&file, eighths), decoder(&file, eighths));
            let sizes = beside.component_sizes();
            assert_eq!((sizes[0].width, sizes[0].height), beside.size());
            assert_eq!((sizes[0].across, sizes[0].down), ((1, 1), (1, 1)));
            let mut pixels = vec![0; 3 * beside.size().0 as usize * beside.size().1 as usize];
            let mut same = pixels.clone();
            let mut rows = vec![Vec::new(); 3];
            let put = &mut |component: usize, row: &[u8]| rows[component].push(row.to_vec());
            beside.read_rows_and_components(&mut pixels, put).unwrap();
            plain.read_rows(&mut same).unwrap();
            assert!(rows == alone && pixels == same, "{sampling:?}, {size:?}, {eighths} eighths");
        }
    }
}

#[test]
fn components_of_full_resolution_are_the_samples_of_pixels() {
    let file = file((100, 77), Sampling::S444, true);
    let mut decoder = decoder(&file, 8);
    decoder.set_output(Output::Components).unwrap();
    let mut samples = vec![0; 3 * 100 * 77];
    decoder.read_rows(&mut samples).unwrap();
    for (number, rows) in components(&file, 8).into_iter().enumerate() {
        let own: Vec<u8> = samples.iter().skip(number).step_by(3).copied().collect();
        assert_eq!(rows.concat(), own);
    }
}

#[test]
fn chroma_has_the_share_that_the_file_says() {
    let shares = |sampling, eighths| {
        let file = file((96, 64), sampling, false);
        let size = decoder(&file, eighths).component_sizes()[1];
        (size.width, size.height, size.across, size.down)
    };
    assert_eq!(shares(Sampling::S444, 8), (96, 64, (1, 1), (1, 1)));
    assert_eq!(shares(Sampling::S422, 8), (48, 64, (2, 1), (1, 1)));
    assert_eq!(shares(Sampling::S420, 8), (48, 32, (2, 1), (2, 1)));
    // At a half, all of its samples are there for the pixels.
    assert_eq!(shares(Sampling::S420, 4), (48, 32, (1, 1), (1, 1)));
}

#[test]
fn a_picture_is_made_of_the_components_of_another() {
    for (sampling, size) in SAMPLINGS.iter().flat_map(|sampling| SIZES.map(|size| (*sampling, size))) {
        let file = file(size, sampling, true);
        let settings = Settings { quality: 97.0, ..Settings::default() };
        let mut preparer = ComponentPreparer::new(size, Color::Rgb, sampling, settings.quality).unwrap();
        for (number, rows) in components(&file, 8).into_iter().enumerate() {
            assert_eq!(preparer.size(number), (rows[0].len(), rows.len()));
            rows.iter().for_each(|row| preparer.push_row(number, row).unwrap());
        }
        let again = preparer.finish().unwrap().into_file(&settings).unwrap();
        let [own, made] = [&file, &again].map(|file| decompress_to(file, PixelFormat::Rgb).unwrap().data);
        let error: u64 = own.iter().zip(&made).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum();
        let mean = error as f64 / own.len() as f64;
        assert!(mean < 12.0, "{sampling:?}, {size:?}: {mean}");
    }
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let new = || ComponentPreparer::new((9, 3), Color::Rgb, Sampling::S420, 80.0).unwrap();
    let is_refused = |result| matches!(result, Err(Error::Argument(_)));
    let mut preparer = new();
    assert_eq!([0, 1, 2].map(|number| preparer.size(number)), [(9, 3), (5, 2), (5, 2)]);
    assert!(is_refused(preparer.push_row(0, &[0; 8])));
    assert!(is_refused(preparer.push_row(3, &[0; 5])));
    preparer.push_row(1, &[0; 5]).unwrap();
    preparer.push_row(1, &[0; 5]).unwrap();
    assert!(is_refused(preparer.push_row(1, &[0; 5])));
    assert!(is_refused(preparer.finish().map(|_| ())));
    let side = ComponentPreparer::new((0, 3), Color::Gray, Sampling::S444, 80.0);
    assert!(is_refused(side.map(|_| ())));
}
