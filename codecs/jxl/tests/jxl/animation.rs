//! Animations become APNGs with the same pictures and times. cjxl 0.7 writes animations that are played for ever.

use filepress_jxl::{Error, Reader};
use png::{BitDepth, ColorType};

use crate::tools::{MOST, Picture, cjxl, container, ours};

/// Frames in which a square moves, and their times in hundredths of a second. The third repeats the second.
const TIMES: [u16; 4] = [10, 25, 5, 100];

fn frames(color: ColorType) -> Vec<Picture> {
    let still = Picture::new(90, 70, color, BitDepth::Eight);
    let channels = color.samples();
    let place = |at: usize| {
        let mut picture = still.clone();
        for row in 20..30 {
            let start = (row * 90 + at) * channels;
            picture.samples[start..start + 10 * channels].fill(200);
        }
        picture
    };
    [5, 40, 40, 71].map(place).to_vec()
}

fn apng(pictures: &[Picture]) -> Vec<u8> {
    let mut out = Vec::new();
    let first = &pictures[0];
    let mut encoder = png::Encoder::new(&mut out, first.width, first.height);
    encoder.set_color(first.color);
    encoder.set_depth(first.depth);
    encoder.set_animated(pictures.len() as u32, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for (picture, time) in pictures.iter().zip(TIMES) {
        writer.set_frame_delay(time, 100).unwrap();
        writer.write_image_data(&picture.samples).unwrap();
    }
    writer.finish().unwrap();
    out
}

/// The canvas after each frame, and the time of each in seconds.
fn play(png: &[u8]) -> (Vec<Vec<u8>>, Vec<f64>, u32) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    let (row, pixel) = (reader.info().raw_row_length() - 1, reader.info().bytes_per_pixel());
    let mut canvas = vec![0; row * reader.info().height as usize];
    let (mut canvases, mut times) = (Vec::new(), Vec::new());
    for _ in 0..control.num_frames {
        let mut samples = vec![0; reader.output_buffer_size().unwrap()];
        let made = reader.next_frame(&mut samples).unwrap();
        let frame = *reader.info().frame_control().unwrap();
        for (y, line) in samples[..made.buffer_size()].chunks_exact(made.line_size).enumerate() {
            let start = (frame.y_offset as usize + y) * row + frame.x_offset as usize * pixel;
            canvas[start..start + line.len()].copy_from_slice(line);
        }
        canvases.push(canvas.clone());
        times.push(f64::from(frame.delay_num) / f64::from(frame.delay_den));
    }
    (canvases, times, control.num_plays)
}

#[test]
fn every_frame_and_its_time_are_kept() {
    for color in [ColorType::Rgb, ColorType::Rgba] {
        let pictures = frames(color);
        let jxl = cjxl(&apng(&pictures), &["-d", "0", "-e", "3"]);
        let (png, outcome) = ours(&jxl).unwrap();
        assert_eq!((outcome.frames, outcome.opaque), (4, color == ColorType::Rgb));
        let (canvases, times, plays) = play(&png);
        assert_eq!(times, TIMES.map(|time| f64::from(time) / 100.0));
        assert_eq!(plays, 0);
        for (canvas, picture) in canvases.iter().zip(&pictures) {
            assert!(*canvas == picture.samples);
        }
        // Only what changed is stored again.
        assert!(png.len() < pictures[0].samples.len() * 2, "{} bytes", png.len());
    }
}

#[test]
fn an_animation_of_one_frame_is_a_still() {
    let picture = &frames(ColorType::Rgb)[..1];
    let (png, outcome) = ours(&cjxl(&apng(picture), &["-d", "0"])).unwrap();
    assert_eq!(outcome.frames, 1);
    assert!(crate::tools::read(&png).0 == picture[0]);
}

#[test]
fn frames_are_limited_by_their_bytes() {
    let jxl = cjxl(&apng(&frames(ColorType::Rgb)), &["-d", "0"]);
    let reader = Reader::open(&jxl).unwrap();
    let one = reader.header().frame_bytes();
    let outcome = reader.scan(MOST).unwrap().write(one, &mut |_| {}, &mut |_| {});
    assert!(matches!(outcome, Err(Error::OutOfMemory(bytes)) if bytes > one), "{outcome:?}");
}

#[test]
fn the_header_alone_tells_the_number_of_frames() {
    let jxl = cjxl(&apng(&frames(ColorType::Rgb)), &["-d", "0"]);
    let exif = b"\0\0\0\0II*\0\x08\0\0\0\0\0";
    for file in [jxl.clone(), container(&jxl, &[(b"Exif", exif)])] {
        let mut png = Vec::new();
        Reader::open(&file).unwrap().write_header(MOST, &mut |part| png.extend_from_slice(part)).unwrap();
        assert!(png.len() < 400, "{} bytes", png.len());
        assert_eq!(png.windows(4).filter(|window| window == b"fcTL").count(), 4);
        let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
        let control = reader.info().animation_control().unwrap();
        assert_eq!((reader.info().size(), control.num_frames, control.num_plays), ((90, 70), 4, 0));
    }
}
