//! The orientation in the EXIF of a PNG whose pixels are upright already.

use filepress::image;
use flate2::Crc;

/// Of a chunk: its length and its name.
const HEADER: usize = 8;
/// Of a chunk: the CRC of its name and data (PNG, 5.3).
const CHECKSUM: usize = 4;
/// Of a file.
const SIGNATURE: usize = 8;

/// Overwrites the orientation by 1 in all EXIF of a PNG (PNG, 11.3.4.5), if there is one.
pub(super) fn set_upright(png: &mut [u8]) {
    let mut rest = png.get_mut(SIGNATURE..).unwrap_or_default();
    while let Some((header, after)) = rest.split_first_chunk_mut::<HEADER>() {
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Some((data, after)) = after.split_at_mut_checked(length) else { return };
        let Some((checksum, after)) = after.split_first_chunk_mut::<CHECKSUM>() else { return };
        if header.ends_with(b"eXIf") {
            image::set_upright(data);
            let mut crc = Crc::new();
            crc.update(b"eXIf");
            crc.update(data);
            *checksum = crc.sum().to_be_bytes();
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use png::{Decoder, Encoder};

    use super::set_upright;

    /// Orientation 6.
    const EXIF: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

    fn png(exif: &'static [u8]) -> Vec<u8> {
        let mut info = png::Info::with_size(1, 1);
        info.exif_metadata = Some(exif.into());
        let mut png = Vec::new();
        let mut writer = Encoder::with_info(&mut png, info).unwrap().write_header().unwrap();
        writer.write_image_data(&[0]).unwrap();
        writer.finish().unwrap();
        png
    }

    #[test]
    fn the_orientation_becomes_1() {
        let mut turned = png(EXIF);
        set_upright(&mut turned);
        let mut decoder = Decoder::new(Cursor::new(&turned[..]));
        decoder.ignore_checksums(false);
        let reader = decoder.read_info().unwrap();
        let exif = reader.info().exif_metadata.as_deref().unwrap();
        assert_eq!((&exif[..18], &exif[18..20]), (&EXIF[..18], &[0, 1][..]));
    }

    #[test]
    fn what_is_cut_off_is_left_alone() {
        let whole = png(EXIF);
        for length in 0..whole.len() {
            set_upright(&mut whole[..length].to_vec());
        }
        let mut plain = png(b"");
        let before = plain.clone();
        set_upright(&mut plain);
        assert_eq!(plain, before);
    }
}
