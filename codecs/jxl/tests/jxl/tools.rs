//! Pictures, the tools of libjxl, and PNG files as pixels.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use filepress_jxl::{Error, Outcome, Reader};
use png::{BitDepth, ColorType};

/// More than any test writes.
pub(crate) const MOST: u64 = 1 << 30;

/// Samples in rows, big-endian if there are two bytes of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: ColorType,
    pub(crate) depth: BitDepth,
    pub(crate) samples: Vec<u8>,
}

impl Picture {
    /// Soft colors with edges and grain, and if there is alpha a hole.
    pub(crate) fn new(width: u32, height: u32, color: ColorType, depth: BitDepth) -> Self {
        let mut samples = Vec::new();
        let mut grain = 1_u32;
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            for channel in 0..color.samples() as u32 {
                let soft = 20_000 + 150 * x + 90 * y * (channel + 1);
                let edge = if (x / 24 + y / 16) % 2 == 0 { 9_000 } else { 0 };
                let mut value = (soft + edge + (grain >> 20)) % 65_536;
                let is_alpha = matches!(color, ColorType::Rgba | ColorType::GrayscaleAlpha)
                    && channel + 1 == color.samples() as u32;
                if is_alpha {
                    // cjxl 0.7 keeps 8 bits of alpha.
                    value = (x * 255 / width).max(if y > height / 2 { 255 } else { 0 }) * 257;
                }
                let bytes = (value as u16).to_be_bytes();
                samples.extend_from_slice(if depth == BitDepth::Sixteen { &bytes } else { &bytes[..1] });
            }
        }
        Self { width, height, color, depth, samples }
    }

    /// As a PNG. `change` may add to what the encoder writes.
    pub(crate) fn png_with(&self, change: impl FnOnce(&mut png::Info<'static>)) -> Vec<u8> {
        let mut out = Vec::new();
        let mut info = png::Info::with_size(self.width, self.height);
        (info.color_type, info.bit_depth) = (self.color, self.depth);
        change(&mut info);
        let mut writer = png::Encoder::with_info(&mut out, info).unwrap().write_header().unwrap();
        writer.write_image_data(&self.samples).unwrap();
        writer.finish().unwrap();
        out
    }

    pub(crate) fn png(&self) -> Vec<u8> {
        self.png_with(|_| {})
    }

    /// The largest difference of two samples, and their mean difference, in steps of 8 bits.
    pub(crate) fn difference(&self, other: &Self) -> (f64, f64) {
        assert_eq!((self.width, self.height, self.color), (other.width, other.height, other.color));
        let values = |picture: &Self| -> Vec<f64> {
            match picture.depth {
                BitDepth::Sixteen => {
                    let pairs = picture.samples.as_chunks::<2>().0.iter();
                    pairs.map(|pair| f64::from(u16::from_be_bytes(*pair)) / 257.0).collect()
                }
                _ => picture.samples.iter().map(|&byte| f64::from(byte)).collect(),
            }
        };
        let (ours, theirs) = (values(self), values(other));
        let differences: Vec<f64> =
            ours.iter().zip(&theirs).map(|(one, other)| (one - other).abs()).collect();
        (
            differences.iter().fold(0.0, |most, &one| f64::max(most, one)),
            differences.iter().sum::<f64>() / differences.len() as f64,
        )
    }
}

/// Reads a PNG: its first picture, and what is beside the pixels.
pub(crate) fn read(png: &[u8]) -> (Picture, png::Info<'static>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut samples).unwrap();
    if reader.info().animation_control.is_none() {
        reader.finish().unwrap();
    }
    let info = reader.info().clone();
    let picture = Picture {
        width: frame.width,
        height: frame.height,
        color: frame.color_type,
        depth: frame.bit_depth,
        samples,
    };
    (picture, info)
}

/// A file in the folder of temporary files, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(extension: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("filepress-jxl-{}-{number}.{extension}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn run(program: &str, bytes: &[u8], from: &str, to: &str, arguments: &[&str]) -> Vec<u8> {
    let (input, output) = (Scratch::new(from), Scratch::new(to));
    std::fs::write(&input.0, bytes).unwrap();
    let done = Command::new(program).args([&input.0, &output.0]).args(arguments).output();
    let done = done.unwrap_or_else(|error| panic!("{program} (Debian's libjxl-tools): {error}"));
    assert!(done.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(&output.0).unwrap()
}

/// The JPEG XL file that cjxl makes of a PNG, APNG or JPEG file.
pub(crate) fn cjxl(bytes: &[u8], arguments: &[&str]) -> Vec<u8> {
    let extension = if bytes.starts_with(b"\xff\xd8") { "jpg" } else { "png" };
    run("cjxl", bytes, extension, "jxl", &[arguments, &["--quiet", "--num_threads=0"]].concat())
}

/// The PNG that djxl makes of a file.
pub(crate) fn djxl(bytes: &[u8], arguments: &[&str]) -> Vec<u8> {
    run("djxl", bytes, "jxl", "png", &[arguments, &["--quiet", "--num_threads=0"]].concat())
}

/// What filepress makes of a file.
pub(crate) fn ours(bytes: &[u8]) -> Result<(Vec<u8>, Outcome), Error> {
    let mut png = Vec::new();
    let picture = Reader::open(bytes)?.scan(MOST)?;
    let outcome = picture.write(MOST, &mut |part| png.extend_from_slice(part), &mut |_| {})?;
    Ok((png, outcome))
}

/// A file with boxes around a bare codestream (ISO/IEC 18181-2).
pub(crate) fn container(codestream: &[u8], boxes: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut out = b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl ".to_vec();
    for (kind, data) in [(b"jxlc", codestream)].iter().chain(boxes) {
        out.extend((data.len() as u32 + 8).to_be_bytes());
        out.extend_from_slice(*kind);
        out.extend_from_slice(data);
    }
    out
}
