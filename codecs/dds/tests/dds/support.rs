//! Random bytes, files, and what the crate `dds` makes of them.

use std::io::Cursor;

use dds::header::{Header, ParseOptions};
use dds::{Channels, ColorFormat, Decoder, Format, ImageViewMut, PixelInfo, Precision, Size};
use filepress_dds::{File, Samples};

/// Numbers without a pattern, the same in every run (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 56) as u8).collect()
    }
}

/// A file of one surface, whose pixels `fill` gives for their number of bytes.
pub(crate) fn file(format: Format, size: Size, fill: impl FnOnce(usize) -> Vec<u8>) -> Vec<u8> {
    let header = Header::new_image(size.width, size.height, format);
    let mut file = Vec::new();
    header.write(&mut file).expect("a header");
    let bytes = PixelInfo::from(format).surface_bytes(size).expect("a small picture");
    file.extend(fill(bytes as usize));
    file
}

/// The samples that the crate `dds` decodes, with the channels and the depth that this crate has.
pub(crate) fn theirs(file: &[u8]) -> Samples {
    let options = ParseOptions::new_permissive(Some(file.len() as u64));
    let mut decoder = Decoder::new_with_options(Cursor::new(file), &options).expect("a header");
    let ColorFormat { channels, precision } = decoder.native_color();
    let channels = match channels {
        Channels::Alpha => Channels::Rgba,
        Channels::Grayscale if precision == Precision::F32 => Channels::Rgb,
        other => other,
    };
    let color = ColorFormat::new(channels, precision);
    let size = decoder.main_size();
    let mut bytes = vec![0; color.buffer_size(size).expect("a small picture")];
    let view = ImageViewMut::new(&mut bytes, size, color).expect("all pixels");
    decoder.read_surface(view).expect("pixels");
    match precision {
        Precision::U8 => Samples::U8(bytes),
        Precision::U16 => {
            Samples::U16(bytes.as_chunks().0.iter().map(|&two| u16::from_ne_bytes(two)).collect())
        }
        Precision::F32 => {
            Samples::F32(bytes.as_chunks().0.iter().map(|&four| f32::from_ne_bytes(four)).collect())
        }
    }
}

/// The samples that this crate decodes.
pub(crate) fn ours(bytes: &[u8]) -> Samples {
    File::new(bytes).expect("a header").decode(u64::MAX).expect("pixels")
}

/// The largest difference of two samples. Of floating-point numbers it is how many others lie between.
pub(crate) fn difference(ours: &Samples, theirs: &Samples) -> u32 {
    fn most<T: Copy>(ours: &[T], theirs: &[T], apart: impl Fn(T, T) -> u32) -> u32 {
        assert_eq!(ours.len(), theirs.len(), "as many samples");
        ours.iter().zip(theirs).map(|(&ours, &theirs)| apart(ours, theirs)).max().unwrap_or(0)
    }
    match (ours, theirs) {
        (Samples::U8(ours), Samples::U8(theirs)) => most(ours, theirs, |a, b| a.abs_diff(b).into()),
        (Samples::U16(ours), Samples::U16(theirs)) => most(ours, theirs, |a, b| a.abs_diff(b).into()),
        (Samples::F32(ours), Samples::F32(theirs)) => {
            most(ours, theirs, |a, b| match (a.is_nan(), b.is_nan()) {
                (true, true) => 0,
                (false, false) if a == b => 0,
                _ => a.to_bits().abs_diff(b.to_bits()),
            })
        }
        _ => panic!("another depth: {ours:?} and {theirs:?}"),
    }
}
