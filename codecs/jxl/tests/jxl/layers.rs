//! Frames that others are drawn on: they are limited by the memory that all of them take.

use filepress_jxl::{Error, Reader};
use png::{BitDepth, ColorType};

use crate::codestream::{Frame, Use, codestream};
use crate::tools::{MOST, Picture, cjxl, djxl, ours, read};

/// A frame of a pixel for each use.
fn frames(uses: &[Use]) -> Vec<Frame> {
    uses.iter().map(|&used| Frame { size: (1, 1), used }).collect()
}

#[test]
fn layers_are_decoded_within_the_memory_of_all_saved_frames() {
    let layers = frames(&[Use::Saved(0), Use::Saved(1), Use::Saved(2), Use::Saved(3), Use::Last]);
    let file = codestream((300, 200), false, &layers);
    let (png, outcome) = ours(&file).unwrap();
    assert_eq!((read(&png).0.samples, outcome.frames), (vec![0; 300 * 200 * 3], 1));
    assert!(read(&djxl(&file, &[])).0 == read(&png).0);
    let reader = Reader::open(&file).unwrap();
    let picture = reader.scan(MOST).unwrap();
    assert!(picture.memory() > reader.memory() + 300 * 200 * 3 * 4 * 5);
    for most in [reader.memory(), picture.memory() - 1] {
        let outcome = reader.scan(most).map(|picture| picture.memory());
        assert_eq!(outcome, Err(Error::OutOfMemory(picture.memory())));
        assert_eq!(reader.write_header(most, &mut |_| {}), Err(Error::OutOfMemory(picture.memory())));
    }
    reader.scan(picture.memory()).unwrap().write(MOST, &mut |_| {}, &mut |_| {}).unwrap();
    reader.write_header(picture.memory(), &mut |_| {}).unwrap();
}

#[test]
fn one_frame_takes_no_memory_of_saved_frames() {
    let single = codestream((300, 200), false, &frames(&[Use::Last]));
    let still = cjxl(&Picture::new(300, 200, ColorType::Rgb, BitDepth::Eight).png(), &["-d", "1"]);
    let animated = codestream((300, 200), true, &frames(&[Use::Last]));
    for file in [single, still, animated] {
        let reader = Reader::open(&file).unwrap();
        let picture = reader.scan(reader.memory()).unwrap();
        assert_eq!((picture.memory(), picture.frames()), (reader.memory(), 1));
        assert!(matches!(reader.scan(reader.memory() - 1), Err(Error::OutOfMemory(_))));
        picture.write(MOST, &mut |_| {}, &mut |_| {}).unwrap();
        // The header alone takes less, as nothing is decoded.
        reader.write_header(reader.memory() - (1 << 19), &mut |_| {}).unwrap();
    }
}

#[test]
fn frames_of_animations_are_counted_before_pixels() {
    let mut uses = vec![Use::Shown(1); 1000];
    uses.push(Use::Last);
    let file = codestream((4000, 3000), true, &frames(&uses));
    let reader = Reader::open(&file).unwrap();
    assert_eq!(reader.scan(4 << 30).unwrap().frames(), 1001);
    let need = reader.scan(4 << 30).unwrap().memory();
    assert_eq!(reader.scan(need - 1).map(|picture| picture.frames()), Err(Error::OutOfMemory(need)));
}

#[test]
fn a_layer_larger_than_the_canvas_is_limited_by_memory_alone() {
    for used in [Use::Saved(1), Use::Reference(1)] {
        let layers = [Frame { size: (1000, 1000), used }, Frame { size: (10, 10), used: Use::Last }];
        let file = codestream((10, 10), false, &layers);
        let (png, _) = ours(&file).unwrap();
        assert_eq!(read(&png).0.samples, vec![0; 300]);
        assert!(read(&djxl(&file, &[])).0 == read(&png).0);
        let reader = Reader::open(&file).unwrap();
        // Enough for the picture with all saved frames of its size, and not for the layer.
        let outcome = reader.scan(16 << 20).map(|picture| picture.frames());
        assert!(matches!(outcome, Err(Error::OutOfMemory(need)) if need > 16 << 20), "{outcome:?}");
    }
    // The last frame is larger.
    let file = codestream((10, 10), false, &[Frame { size: (1000, 1000), used: Use::Last }]);
    assert_eq!(read(&ours(&file).unwrap().0).0.samples, vec![0; 300]);
}

#[test]
fn narrow_pictures_are_read() {
    for (width, height) in [(1, 30_000), (30_000, 1), (3, 70_000)] {
        let picture = Picture::new(width, height, ColorType::Rgb, BitDepth::Eight);
        let (png, _) = ours(&cjxl(&picture.png(), &["-d", "0", "-e", "3"])).unwrap();
        assert!(read(&png).0 == picture, "{width} × {height}");
    }
}
