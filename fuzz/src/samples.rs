//! Small seed files of every format: generated pixels, encoded by the engine itself.

use filepress::image::process;
use filepress_wire::MediaType;
use serde_json::{Value, json};

use crate::check_conversion::plan;
use crate::fuzz_call::{MAX_MEMORY, TYPES};

/// Quality, effort and `lossless` of the encodings of a format.
const SETTINGS: [(&str, u8, bool); 6] =
    [("", 0, false), ("", 9, false), ("", 4, true), ("20", 4, false), ("75", 0, false), ("100", 9, false)];

/// All samples, with their formats.
pub fn all() -> Vec<(MediaType, Vec<u8>)> {
    let mut all = Vec::new();
    for source in [opaque(), gray(), translucent(), deep(), bilevel()] {
        for media in TYPES {
            all.extend(encodings(&source, media).into_iter().map(|file| (media, file)));
        }
    }
    let animated_gif = animated_gif();
    all.extend(encodings(&animated_gif, MediaType::Webp).into_iter().map(|file| (MediaType::Webp, file)));
    all.push((MediaType::Gif, animated_gif));
    let still = encode(&translucent(), json!({ "to": "png" })).expect("a PNG");
    all.push((MediaType::Png, apng(&still)));
    let upright = encode(&opaque(), json!({ "to": "jpeg" })).expect("a JPEG");
    all.push((MediaType::Jpeg, rotated(&upright)));
    all.extend(SVGS.iter().map(|text| (MediaType::Svg, text.as_bytes().to_vec())));
    all
}

/// The different encodings of an image in a format.
fn encodings(source: &[u8], media: MediaType) -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = Vec::new();
    for (quality, effort, lossless) in SETTINGS {
        let quality = quality.parse::<u8>().ok();
        let options = json!({
            "to": media.as_str(),
            "quality": quality,
            "effort": effort,
            "lossless": lossless.then_some(true),
            "metadata": "keep",
        });
        files.extend(encode(source, options).filter(|file| !files.contains(file)));
    }
    files
}

/// The engine's output for a file, if there is one.
fn encode(file: &[u8], mut options: Value) -> Option<Vec<u8>> {
    options["limits"] = json!({ "maxMemoryBytes": MAX_MEMORY });
    let job = plan(file, None, options)?;
    process(file, &job, &mut |_| {}).ok()?.bytes
}

/// Samples with smooth and textured parts.
fn samples(width: usize, height: usize, channels: usize) -> Vec<u8> {
    let sample = |at: usize| {
        let (pixel, channel) = (at / channels, at % channels);
        let (x, y) = (pixel % width, pixel / width);
        let noise = if y > height / 2 { at.wrapping_mul(2_654_435_761) >> 7 & 63 } else { 0 };
        (x * (9 + channel) + y * (5 - channel.min(4)) + noise) as u8
    };
    (0..width * height * channels).map(sample).collect()
}

fn opaque() -> Vec<u8> {
    [b"P6 41 27 255\n".as_slice(), &samples(41, 27, 3)].concat()
}

fn gray() -> Vec<u8> {
    [b"P5 17 9 255\n".as_slice(), &samples(17, 9, 1)].concat()
}

fn deep() -> Vec<u8> {
    [b"P6 12 10 65535\n".as_slice(), &samples(12, 10, 6)].concat()
}

fn bilevel() -> Vec<u8> {
    [b"P4 19 8\n".as_slice(), &samples(3, 8, 1)].concat()
}

fn translucent() -> Vec<u8> {
    let header = b"P7\nWIDTH 32\nHEIGHT 20\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    [header.as_slice(), &samples(32, 20, 4)].concat()
}

/// A GIF of three frames, one of which covers a part of the canvas.
fn animated_gif() -> Vec<u8> {
    let palette = [0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 255];
    let mut encoder = gif::Encoder::new(Vec::new(), 12, 10, &palette).expect("a header");
    encoder.set_repeat(gif::Repeat::Infinite).expect("a number of rounds");
    for step in 0..3_u16 {
        let (width, height) = (12 - 3 * step, 10 - 2 * step);
        let indices = (0..width * height).map(|at| ((at + step) % 7 % 4) as u8).collect::<Vec<_>>();
        let mut frame = gif::Frame::from_indexed_pixels(width, height, indices, (step == 1).then_some(2));
        (frame.left, frame.top, frame.delay) = (step, step, 5 + step);
        frame.dispose =
            [gif::DisposalMethod::Keep, gif::DisposalMethod::Background, gif::DisposalMethod::Previous]
                [usize::from(step)];
        encoder.write_frame(&frame).expect("a frame");
    }
    encoder.into_inner().expect("a file")
}

/// An APNG whose two frames are the picture of a PNG.
fn apng(still: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let sum = crc32fast::hash(&[kind, data].concat());
        [&(data.len() as u32).to_be_bytes(), kind.as_slice(), data, &sum.to_be_bytes()].concat()
    };
    let number = |at: usize| u32::from_be_bytes([still[at], still[at + 1], still[at + 2], still[at + 3]]);
    let control = |sequence: u32| {
        let sides = [number(16), number(20)].map(u32::to_be_bytes).concat();
        chunk(b"fcTL", &[&sequence.to_be_bytes()[..], &sides, &[0; 8], &[0, 1, 0, 10, 1, 1]].concat())
    };
    let mut animated_gif = still[..33].to_vec();
    animated_gif.extend([chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]), control(0)].concat());
    let (mut at, mut data) = (33, Vec::new());
    while at + 12 <= still.len() {
        let (kind, length) = (&still[at + 4..at + 8], number(at) as usize);
        if kind == b"IEND" {
            animated_gif
                .extend([control(1), chunk(b"fdAT", &[&[0, 0, 0, 2], data.as_slice()].concat())].concat());
        }
        animated_gif.extend(&still[at..at + 12 + length]);
        if kind == b"IDAT" {
            data.extend(&still[at + 8..at + 8 + length]);
        }
        at += 12 + length;
    }
    animated_gif
}

/// A JPEG with an EXIF orientation.
fn rotated(upright: &[u8]) -> Vec<u8> {
    let exif = b"\xFF\xE1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    [&upright[..2], exif, &upright[2..]].concat()
}

/// SVGs, each with other elements.
const SVGS: [&str; 4] = [
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><!-- a --><defs><linearGradient id="g">
<stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f" stop-opacity=".5"/></linearGradient></defs>
<rect x="1" y="2" width="20" height="10" rx="2" fill="url(#g)" stroke="black" stroke-dasharray="3 1"/>
<path d="M1 1h10v10l-5 3q4 4 9 0t3-2c1 1 2 2 3 1s1-2 3-4a5 3 20 0 1 4 4z" transform="rotate(9) scale(1.2)"/></svg>"##,
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50"><style>.a{fill:#123456;opacity:.7} #b>circle{stroke:lime}</style>
<g id="b" class="a"><circle cx="9" cy="9" r="8"/><text x="5" y="30" font-size="12">Afi<tspan dy="2">&#xE9;</tspan></text></g>
<use href="#b" x="20" y="10"/></svg>"##,
    r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="30" height="30"><filter id="f">
<feGaussianBlur stdDeviation="1"/><feOffset dx="1"/></filter><mask id="m"><rect width="20" height="30" fill="white"/></mask>
<clipPath id="c"><ellipse cx="15" cy="15" rx="9" ry="7"/></clipPath><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse">
<line x2="4" y2="4" stroke="teal"/></pattern><rect width="30" height="30" fill="url(#p)" filter="url(#f)" mask="url(#m)"/>
<polygon points="1,1 20,5 9,20" clip-path="url(#c)"/></svg>"##,
    r##"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><image width="16" height="16"
href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=="/>
<switch><text systemLanguage="en" textLength="9">a</text></switch><symbol id="s"><path d="M0 0L9 9"/></symbol></svg>"##,
];
