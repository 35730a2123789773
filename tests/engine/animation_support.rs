//! Generates animations as GIF, WebP and APNG, computes what a viewer shows of them, and decodes results.

use std::io::Cursor;

use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::{AnimationDecoder, ImageFormat, Rgba, RgbaImage};

use super::seed::seed;
use super::support::{coded, png};

/// What becomes of a part when its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Keep,
    Clear,
    Restore,
}

/// A frame as it is stored.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) at: (u32, u32),
    pub(super) pixels: RgbaImage,
    pub(super) blends: bool,
    pub(super) then: Then,
    /// In units of the type: hundredths of a second in GIF, milliseconds in WebP and APNG.
    pub(super) delay: u32,
}

impl Part {
    pub(super) fn new(at: (u32, u32), pixels: RgbaImage, delay: u32) -> Self {
        Self { at, pixels, blends: true, then: Then::Keep, delay }
    }
}

/// A canvas as it is shown, and for how many milliseconds.
pub(super) type Shown = (RgbaImage, u64);

/// What a viewer shows: written down naively, apart from the engine.
pub(super) fn shown((width, height): (u32, u32), parts: &[Part], delay_unit: u64) -> Vec<Shown> {
    let mut canvas = RgbaImage::new(width, height);
    let mut out = Vec::new();
    for part in parts {
        let before = canvas.clone();
        for (x, y, &above) in part.pixels.enumerate_pixels() {
            let (x, y) = (x + part.at.0, y + part.at.1);
            if x >= width || y >= height {
                continue;
            }
            let below = *canvas.get_pixel(x, y);
            let alpha = [above.0[3], below.0[3]].map(|alpha| f64::from(alpha) / 255.0);
            let sum = alpha[0] + alpha[1] * (1.0 - alpha[0]);
            let mut mixed = [0, 0, 0, (sum * 255.0).round() as u8];
            for (channel, mixed) in mixed.iter_mut().take(3).enumerate() {
                let [a, b] = [above, below].map(|pixel| f64::from(pixel.0[channel]));
                let over = (a * alpha[0] + b * alpha[1] * (1.0 - alpha[0])) / sum.max(1e-9);
                *mixed = over.round() as u8;
            }
            let pixel = if part.blends { Rgba(mixed) } else { above };
            canvas.put_pixel(x, y, if pixel.0[3] == 0 { Rgba([0; 4]) } else { pixel });
        }
        out.push((canvas.clone(), u64::from(part.delay) * delay_unit));
        match part.then {
            Then::Keep => {}
            Then::Restore => canvas = before,
            Then::Clear => {
                for (x, y, pixel) in canvas.enumerate_pixels_mut() {
                    let within = |at: u32, start: u32, length: u32| at >= start && at - start < length;
                    if within(x, part.at.0, part.pixels.width()) && within(y, part.at.1, part.pixels.height())
                    {
                        *pixel = Rgba([0; 4]);
                    }
                }
            }
        }
    }
    out
}

/// The same with equal neighbors as one: how an animation looks, however it is divided.
pub(super) fn timeline(frames: Vec<Shown>) -> Vec<Shown> {
    let mut out: Vec<Shown> = Vec::new();
    for (mut canvas, delay) in frames {
        for pixel in canvas.pixels_mut().filter(|pixel| pixel.0[3] == 0) {
            *pixel = Rgba([0; 4]);
        }
        match out.last_mut() {
            Some((last, sum)) if *last == canvas => *sum += delay,
            _ => out.push((canvas, delay)),
        }
    }
    out
}

/// Pseudorandom numbers.
pub(super) struct Dice(u32);

impl Dice {
    pub(super) fn seeded(own: u32) -> Self {
        Self(seed(own.into()) as u32)
    }

    pub(super) fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % limit
    }

    /// Blotches of a few colors, some clear; with `soft`, some half clear.
    pub(super) fn picture(&mut self, width: u32, height: u32, soft: bool) -> RgbaImage {
        let colors: Vec<_> = (0..6)
            .map(|index| {
                let [r, g, b] = [0; 3].map(|_: u8| self.below(256) as u8);
                let alpha = if soft && index > 2 { 40 * index } else { 255 };
                if index == 1 { Rgba([0; 4]) } else { Rgba([r, g, b, alpha]) }
            })
            .collect();
        let seed = self.below(1000);
        RgbaImage::from_fn(width, height, |x, y| {
            colors[(x / 3 * 7 + y / 4 * 13 + (x * y) / 29 + seed) as usize % colors.len()]
        })
    }

    /// Parts of every disposal; the first covers the canvas.
    pub(super) fn parts(&mut self, (width, height): (u32, u32), count: u32, soft: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for index in 0..count {
            let (w, h) = match index {
                0 => (width, height),
                _ => (1 + self.below(width), 1 + self.below(height)),
            };
            let at = ((self.below(width - w + 1)) & !1, self.below(height - h + 1) & !1);
            let then = [Then::Keep, Then::Clear, Then::Restore][self.below(3) as usize];
            let mut part = Part::new(at, self.picture(w, h, soft), 2 + self.below(20));
            part.then = then;
            part.blends = self.below(3) > 0;
            parts.push(part);
        }
        parts
    }
}

/// A GIF; every frame has its own palette. `repeats` as the file says it.
pub(super) fn gif((width, height): (u32, u32), parts: &[Part], repeats: Option<u16>) -> Vec<u8> {
    let mut out = b"GIF89a".to_vec();
    out.extend((width as u16).to_le_bytes());
    out.extend((height as u16).to_le_bytes());
    out.extend([0; 3]);
    if let Some(repeats) = repeats {
        out.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01");
        out.extend(repeats.to_le_bytes());
        out.push(0);
    }
    for part in parts {
        let file = coded(part.pixels.clone(), ImageFormat::Gif);
        let control = file.windows(3).position(|w| w == [0x21, 0xF9, 4]).expect("a control extension");
        let then = match part.then {
            Then::Keep => 1,
            Then::Clear => 2,
            Then::Restore => 3,
        };
        let [low, high] = (part.delay as u16).to_le_bytes();
        out.extend([0x21, 0xF9, 4, then << 2 | (file[control + 3] & 1), low, high, file[control + 6], 0]);
        out.push(0x2C);
        out.extend((part.at.0 as u16).to_le_bytes());
        out.extend((part.at.1 as u16).to_le_bytes());
        out.extend(&file[control + 8 + 5..file.len() - 1]);
    }
    out.push(0x3B);
    out
}

/// A chunk of a WebP.
pub(super) fn riff(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut out = [kind.as_slice(), &(data.len() as u32).to_le_bytes(), data].concat();
    out.resize(out.len().next_multiple_of(2), 0);
    out
}

fn long(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

/// A lossless animated WebP, with chunks `before` the animation and `behind` it; `flags` say that they are there.
pub(super) fn webp_with(
    (width, height): (u32, u32),
    parts: &[Part],
    plays: u16,
    flags: u8,
    before: &[u8],
    behind: &[u8],
) -> Vec<u8> {
    let extended = [&[flags | 0x12, 0, 0, 0][..], &long(width - 1), &long(height - 1)].concat();
    let mut body = [b"WEBP", riff(b"VP8X", &extended).as_slice(), before].concat();
    body.extend(riff(b"ANIM", &[&[255, 255, 255, 255], plays.to_le_bytes().as_slice()].concat()));
    for part in parts {
        let file = coded(part.pixels.clone(), ImageFormat::WebP);
        let (w, h) = part.pixels.dimensions();
        let numbers = [part.at.0 / 2, part.at.1 / 2, w - 1, h - 1, part.delay].map(long).concat();
        assert_ne!(part.then, Then::Restore, "WebP knows no such disposal");
        let flags = u8::from(!part.blends) << 1 | u8::from(part.then == Then::Clear);
        body.extend(riff(b"ANMF", &[numbers.as_slice(), &[flags], &file[12..]].concat()));
    }
    body.extend(behind);
    riff(b"RIFF", &body)
}

/// A lossless animated WebP.
pub(super) fn webp(size: (u32, u32), parts: &[Part], plays: u16) -> Vec<u8> {
    webp_with(size, parts, plays, 0, &[], &[])
}

/// A chunk of a PNG.
pub(super) fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let checksum = crc32fast::hash(&[kind.as_slice(), data].concat());
    [&(data.len() as u32).to_be_bytes(), kind.as_slice(), data, &checksum.to_be_bytes()].concat()
}

/// The chunks of a PNG: kind and data.
pub(super) fn chunks(png: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
    let mut rest = &png[8..];
    let mut out = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        out.push((behind[..4].try_into().expect("four bytes"), behind[4..4 + length].to_vec()));
        rest = &behind[length + 8..];
    }
    out
}

/// An APNG; `hidden` is a default image that is no frame. Delays are thousandths of a second.
pub(super) fn apng(parts: &[Part], plays: u32, claimed: u32, hidden: Option<&RgbaImage>) -> Vec<u8> {
    let pixels = |image: &RgbaImage| -> Vec<u8> {
        let file = png(image.clone());
        chunks(&file).into_iter().filter(|(kind, _)| kind == b"IDAT").flat_map(|(_, data)| data).collect()
    };
    let first = hidden.unwrap_or(&parts[0].pixels);
    let mut out = png(first.clone())[..33].to_vec();
    out.extend(chunk(b"acTL", &[claimed.to_be_bytes(), plays.to_be_bytes()].concat()));
    if let Some(hidden) = hidden {
        out.extend(chunk(b"IDAT", &pixels(hidden)));
    }
    let mut sequence = 0_u32;
    for (index, part) in parts.iter().enumerate() {
        let numbers = [sequence, part.pixels.width(), part.pixels.height(), part.at.0, part.at.1];
        let mut control: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
        control.extend((part.delay as u16).to_be_bytes());
        control.extend(1000_u16.to_be_bytes());
        control.extend([part.then as u8, u8::from(part.blends)]);
        out.extend(chunk(b"fcTL", &control));
        sequence += 1;
        match index == 0 && hidden.is_none() {
            true => out.extend(chunk(b"IDAT", &pixels(&part.pixels))),
            false => {
                let data = [sequence.to_be_bytes().as_slice(), &pixels(&part.pixels)].concat();
                out.extend(chunk(b"fdAT", &data));
                sequence += 1;
            }
        }
    }
    out.extend(chunk(b"IEND", &[]));
    out
}

/// The frames of a coded animation, by the decoders of the `image` crate.
pub(super) fn frames(bytes: &[u8]) -> Vec<Shown> {
    let reader = Cursor::new(bytes);
    let frames = match &bytes[..4] {
        b"RIFF" => {
            let mut decoder = WebPDecoder::new(reader).expect("a WebP");
            // Without one, it does not clear what is to be cleared.
            decoder.set_background_color(Rgba([0; 4])).expect("an animation");
            decoder.into_frames().collect_frames()
        }
        b"GIF8" => GifDecoder::new(reader).expect("a GIF").into_frames().collect_frames(),
        _ => PngDecoder::new(reader).expect("a PNG").apng().expect("an APNG").into_frames().collect_frames(),
    };
    let frames = frames.expect("readable frames");
    let delay = |frame: &image::Frame| {
        let (numerator, denominator) = frame.delay().numer_denom_ms();
        u64::from(numerator / denominator)
    };
    frames.into_iter().map(|frame| (delay(&frame), frame.into_buffer())).map(|(d, f)| (f, d)).collect()
}

/// How often a coded animation plays; 0 is for ever.
pub(super) fn plays(bytes: &[u8]) -> u32 {
    let behind = |mark: &[u8], skip: usize| {
        let at = bytes.windows(mark.len()).position(|window| window == mark)? + mark.len() + skip;
        Some(u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])))
    };
    match &bytes[..4] {
        b"GIF8" => behind(b"NETSCAPE2.0", 2).map_or(1, |repeats| if repeats == 0 { 0 } else { repeats + 1 }),
        _ => behind(b"ANIM", 8).expect("an animation"),
    }
}

/// The greatest difference of a channel between two timelines of one length, with colors weighted by alpha.
pub(super) fn worst(a: &[Shown], b: &[Shown]) -> u8 {
    assert_eq!(a.len(), b.len(), "as many pictures");
    let pixels = |frames: &[Shown]| -> Vec<[u8; 4]> {
        frames
            .iter()
            .flat_map(|(canvas, _)| canvas.pixels().map(|pixel| pixel.0).collect::<Vec<_>>())
            .collect()
    };
    let weighted = |[r, g, b, a]: [u8; 4]| [r, g, b].map(|c| (u32::from(c) * u32::from(a) / 255) as u8);
    pixels(a)
        .into_iter()
        .zip(pixels(b))
        .flat_map(|(a, b)| {
            let alpha = a[3].abs_diff(b[3]);
            let [a, b] = [weighted(a), weighted(b)];
            [a[0].abs_diff(b[0]), a[1].abs_diff(b[1]), a[2].abs_diff(b[2]), alpha]
        })
        .max()
        .unwrap_or(0)
}
