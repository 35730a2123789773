//! The seed inputs of a run. A target writes them itself on request, and exits.

#![allow(
    clippy::disallowed_methods,
    reason = "libFuzzer reads the command line, so requests come from the environment"
)]

use std::fs;
use std::path::Path;

use filepress_wire::MediaType;

use crate::fuzz_call::{HEAD, TYPES};
use crate::samples;
use crate::seed::seed;

/// The maximum size of a file that is read from a folder, in bytes.
const LONGEST: u64 = 24 << 10;

/// Writes `seeds` into the folder that `FUZZ_SEEDS` names, and exits. Does nothing if it is not set.
///
/// # Panics
/// If they cannot be written.
pub fn write_if_requested(seeds: impl FnOnce() -> Vec<Vec<u8>>) {
    let Some(folder) = std::env::var_os("FUZZ_SEEDS") else { return };
    for (at, seed) in seeds().into_iter().enumerate() {
        fs::write(Path::new(&folder).join(format!("seed-{at:04}")), seed)
            .expect("the folder can be written to");
    }
    std::process::exit(0);
}

/// All samples, and the images in the folder that `FUZZ_PICTURES` names, with their formats.
pub fn pictures() -> Vec<(Option<MediaType>, Vec<u8>)> {
    let mut pictures: Vec<_> = samples::all().into_iter().map(|(media, file)| (Some(media), file)).collect();
    if let Some(folder) = std::env::var_os("FUZZ_PICTURES") {
        read_folder(Path::new(&folder), &mut pictures);
    }
    pictures
}

/// Calls on every image: to its own format, and to others with random options.
pub fn calls() -> Vec<Vec<u8>> {
    let mut dice = seed(1) as u32;
    let mut roll = || {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 24) as u8
    };
    let mut calls = Vec::new();
    for (media, file) in pictures() {
        let name = TYPES.iter().position(|known| Some(*known) == media).unwrap_or(TYPES.len()) as u8;
        let plain = [31, 0, 4, 0, 0, 0, 0, name];
        let [what, quality, effort, shape, width, height, target] = [(); 7].map(|()| roll());
        let other =
            [(what % TYPES.len() as u8) | (what & 96), quality, effort, shape, width, height, target, name];
        calls.extend([plain, other].map(|head: [u8; HEAD]| [&head, file.as_slice()].concat()));
    }
    calls
}

fn read_folder(folder: &Path, pictures: &mut Vec<(Option<MediaType>, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => read_folder(&path, pictures),
            Ok(found) if found.len() <= LONGEST => {
                let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
                let media = MediaType::from_extension(extension).filter(|media| TYPES.contains(media));
                pictures.extend(fs::read(&path).ok().filter(|_| media.is_some()).map(|file| (media, file)));
            }
            _ => {}
        }
    }
}
