//! Any bytes as an AV1 bitstream, by the decoder alone, within the memory that it declares.

#![no_main]

use filepress_av1::{DecodeOptions, Info, Limits, decode};
use filepress_fuzz::{memory, seeds};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Bounds the work of a call.
const LIMITS: Limits = Limits { max_pixels: 1 << 16, max_memory: 8 << 20 };
/// What headers take beside what the decoder declares.
const BESIDE: u64 = 1 << 18;

fuzz_target!(init: seeds::write_if_requested(files), |bytes: &[u8]| -> Corpus {
    let Some((&choice, obus)) = bytes.split_first() else { return Corpus::Reject };
    let layer = choice >> 5 & 3;
    let options = DecodeOptions {
        operating_point: choice & 31,
        spatial_layer: (layer != 0).then_some(layer),
        film_grain: choice & 128 == 0,
    };
    memory::within(LIMITS.max_memory + BESIDE, || {
        let Ok(picture) = decode(obus, &LIMITS, &options) else { return };
        // A later sequence header may allow larger frames than the first.
        assert!(Info::read(obus).is_ok(), "a picture without a sequence header");
        let pixels = picture.width() as u64 * picture.height() as u64;
        assert!(pixels <= LIMITS.max_pixels, "{pixels} pixels");
        let highest = (1 << picture.color().bit_depth) - 1;
        for plane in 0..picture.plane_count() {
            let rows = (0..picture.plane_size(plane).1).map(|y| picture.row(plane, y));
            assert!(rows.flatten().all(|sample| *sample <= highest), "a sample of too many bits");
        }
    });
    Corpus::Keep
});

/// The bitstreams in the AVIF files among the samples.
fn files() -> Vec<Vec<u8>> {
    let pictures = seeds::pictures();
    let files = pictures.iter().filter(|(media, file)| {
        *media == Some(MediaType::Avif) || file.get(4..8).is_some_and(|kind| kind == b"ftyp")
    });
    files
        .filter_map(|(_, file)| {
            let start = file.windows(4).position(|kind| kind == b"mdat")? + 4;
            Some([&[0], &file[start..]].concat())
        })
        .collect()
}
