//! Any file as a JPEG, by the codec alone: rows at every scale and output, components, and coefficients, within the memory that the decoder
//! declares.

#![no_main]

use filepress_fuzz::{memory, seeds};
use filepress_jpeg::{DecodeOptions, Decoder, Error, Limits, Output, decode_coefficients};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Bounds the work of a call.
const LIMITS: Limits = Limits { max_pixels: 1 << 16, max_memory: 4 << 20, max_scans: 20 };
/// What tables, headers and the rows of the call take beside what the decoder declares.
const BESIDE: u64 = 1 << 20;

const OUTPUTS: [Output; 4] = [Output::Components, Output::Color, Output::Luma, Output::Inks];

fuzz_target!(init: seeds::write_if_requested(files), |bytes: &[u8]| -> Corpus {
    let Some((&choice, file)) = bytes.split_first() else { return Corpus::Reject };
    let options = DecodeOptions { strict: choice & 0x20 != 0, sharp_chroma: choice & 0x40 != 0, limits: LIMITS };
    memory::within(LIMITS.max_memory + BESIDE, || {
        let Ok(mut decoder) = Decoder::new(file, options) else { return };
        assert_eq!(decoder.set_scale(1 + (choice & 7)), Ok(()));
        // A picture without that output keeps the one it has.
        decoder.set_output(OUTPUTS[usize::from(choice >> 3 & 3)]).ok();
        let ((width, height), samples) = (decoder.size(), decoder.samples_per_pixel());
        let mut band = vec![0; 3 * width as usize * samples];
        let mut rows = 0;
        let failed = loop {
            match decoder.read_rows(&mut band) {
                Ok(0) => break None,
                Ok(count) => rows += count as u32,
                Err(error) => break Some(error),
            }
        };
        assert!(failed.is_some() || rows == height, "{rows} of {height} rows");
        assert!(!matches!(failed, Some(Error::Argument(_))), "{failed:?}");
        if let Some(damage) = decoder.damage() {
            assert!((0.0..=1.0).contains(&damage.share), "{damage:?}");
        }
    });
    memory::within(LIMITS.max_memory + BESIDE, || {
        let Ok(mut decoder) = Decoder::new(file, options) else { return };
        assert_eq!(decoder.set_scale(1 + (choice & 7)), Ok(()));
        let sizes = decoder.component_sizes();
        let mut rows = vec![0; sizes.len()];
        let put = &mut |component: usize, row: &[u8]| {
            assert_eq!(row.len(), sizes[component].width as usize);
            rows[component] += 1;
        };
        let is_whole = loop {
            match decoder.read_components(put) {
                Ok(true) => {}
                ended => break ended.is_ok(),
            }
        };
        let wanted: Vec<_> = sizes.iter().map(|size| size.height).collect();
        assert!(!is_whole || rows == wanted, "{rows:?} of {wanted:?} rows");
    });
    memory::within(LIMITS.max_memory + BESIDE, || {
        if let Ok((coefficients, _)) = decode_coefficients(file, options) {
            assert!((1..=4).contains(&coefficients.components.len()));
        }
    });
    Corpus::Keep
});

/// The JPEGs among the samples, at several scales.
fn files() -> Vec<Vec<u8>> {
    let pictures = seeds::pictures();
    let jpegs = pictures
        .iter()
        .filter(|(media, file)| *media == Some(MediaType::Jpeg) || file.starts_with(&[0xFF, 0xD8]));
    jpegs
        .flat_map(|(_, file)| [7_u8, 8, 10, 0x2B].map(|choice| [&[choice], file.as_slice()].concat()))
        .collect()
}
