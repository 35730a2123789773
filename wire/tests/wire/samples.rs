//! The least heads that are recognized, put together by hand after the format's specification.

use filepress_wire::MediaType::*;
use filepress_wire::Sniffed::{self, Known, OneOf};

/// Heads of our types, at least one a type, with what they are.
pub(crate) fn samples() -> Vec<(&'static str, Vec<u8>, Sniffed)> {
    let mut samples = images();
    samples.extend(containers());
    samples.extend(streams());
    samples
}

fn images() -> Vec<(&'static str, Vec<u8>, Sniffed)> {
    vec![
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Known(Png)),
        ("jfif", b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec(), Known(Jpeg)),
        ("bare jpeg", b"\xff\xd8\xff\xdb\0\x43".to_vec(), Known(Jpeg)),
        ("webp", b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), Known(Webp)),
        ("gif 87a", b"GIF87a\x01\0\x01\0".to_vec(), Known(Gif)),
        ("gif 89a", b"GIF89a\x01\0\x01\0".to_vec(), Known(Gif)),
        ("bmp", join(&[b"BM", &[0; 12], &[40, 0, 0, 0], &[0; 8]]), Known(Bmp)),
        ("bmp of os/2", join(&[b"BM", &[0; 12], &[12, 0, 0, 0], &[0; 8]]), Known(Bmp)),
        ("tiff", b"II\x2a\0\x08\0\0\0\0\0".to_vec(), Known(Tiff)),
        ("tiff, big endian", b"MM\0\x2a\0\0\0\x08\0\0".to_vec(), Known(Tiff)),
        ("bigtiff", b"II\x2b\0\x08\0\0\0".to_vec(), Known(Tiff)),
        ("ico", icon(1, 0), Known(Ico)),
        ("ico by .net", icon(1, 255), Known(Ico)),
        ("avif", ftyp(b"avif", &[b"avif", b"mif1", b"miaf"]), Known(Avif)),
        ("avif by its second brand", ftyp(b"mif1", &[b"mif1", b"avif"]), Known(Avif)),
        ("heic", ftyp(b"heic", &[b"mif1", b"heic"]), Known(Heic)),
        ("heic by its second brand", ftyp(b"mif1", &[b"mif1", b"heix"]), Known(Heic)),
        ("heic sequence", ftyp(b"msf1", &[b"hevc", b"msf1", b"iso8"]), Known(Heic)),
        ("avif sequence", ftyp(b"avis", &[b"msf1", b"iso8"]), Known(Avif)),
        ("pbm", b"P1\n2 2\n0 1 1 0".to_vec(), Known(Pnm)),
        ("ppm with a comment", b"P6 # made by hand\n2 2\n255\n".to_vec(), Known(Pnm)),
        ("pam", b"P7\nWIDTH 2\n".to_vec(), Known(Pnm)),
        ("tga", tga(0, 2, [0; 5], 24, 0), Known(Tga)),
        ("tga with alpha, run-length coded", tga(0, 10, [0; 5], 32, 0x28), Known(Tga)),
        ("tga with a color map", tga(1, 9, [0, 0, 0, 1, 24], 8, 0x20), Known(Tga)),
        ("tga in gray", tga(0, 3, [0; 5], 8, 0), Known(Tga)),
        ("dds", b"DDS \x7c\0\0\0\x07\x10\0\0".to_vec(), Known(Dds)),
        ("hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n".to_vec(), Known(Hdr)),
        ("hdr, other name", b"#?RGBE\n".to_vec(), Known(Hdr)),
        ("exr", b"\x76\x2f\x31\x01\x02\0\0\0".to_vec(), Known(Exr)),
        ("farbfeld", b"farbfeld\0\0\0\x01\0\0\0\x01".to_vec(), Known(Farbfeld)),
        ("qoi", b"qoif\0\0\0\x01\0\0\0\x01\x04\0".to_vec(), Known(Qoi)),
        ("svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), Known(Svg)),
        ("svg with a prologue", SVG_WITH_PROLOGUE.as_bytes().to_vec(), Known(Svg)),
        ("svg with a prefix", b"<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"/>".to_vec(), Known(Svg)),
        ("pdf", b"%PDF-1.7\n%".to_vec(), Known(Pdf)),
        ("pdf behind blanks", b"\xef\xbb\xbf\r\n\r\n%PDF-1.4\n".to_vec(), Known(Pdf)),
    ]
}

const SVG_WITH_PROLOGUE: &str = "\u{feff}<?xml version=\"1.0\"?>\n<!-- <html> -->\n\
    <!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"a>b\" [\n<!ENTITY ns \"<svg>\">\n]>\n\
    <?xml-stylesheet href=\"a.css\"?>\n<svg>";

fn containers() -> Vec<(&'static str, Vec<u8>, Sniffed)> {
    let generic = OneOf(&[Mp4, M4v, F4v, M4a]);
    vec![
        ("mp4", ftyp(b"isom", &[b"isom", b"iso2", b"avc1", b"mp41"]), generic),
        ("mp4, version 2", ftyp(b"mp42", &[]), generic),
        ("mp4 of a camera", ftyp(b"CAEP", &[b"CAEP", b"mp42"]), generic),
        ("m4v", ftyp(b"M4V ", &[b"mp42", b"isom"]), OneOf(&[M4v, Mp4])),
        ("f4v", ftyp(b"f4v ", &[b"isom"]), OneOf(&[F4v, Mp4])),
        ("3gp", ftyp(b"3gp4", &[b"isom"]), OneOf(&[ThreeGpp, Mp4])),
        ("3g2", ftyp(b"3g2b", &[b"isom"]), OneOf(&[ThreeGpp, Mp4])),
        ("m4a", ftyp(b"M4A ", &[b"mp42", b"isom"]), Known(M4a)),
        ("mov", ftyp(b"qt  ", &[b"qt  "]), Known(QuickTime)),
        ("mov before ftyp", b"\0\0\x02\0moov\0\0\0\x6cmvhd".to_vec(), Known(QuickTime)),
        ("mov, data first", b"\0\0\0\x08wide\0\x12\x34\x56mdat".to_vec(), Known(QuickTime)),
        ("avi", b"RIFF\0\x10\0\0AVI LIST".to_vec(), Known(Avi)),
        ("wav", b"RIFF\x24\0\0\0WAVEfmt ".to_vec(), Known(Wav)),
        ("wav beyond 4 GiB", b"RF64\xff\xff\xff\xffWAVEds64".to_vec(), Known(Wav)),
        ("webm", ebml(b"webm"), Known(Webm)),
        ("webm, padded", ebml(b"webm\0\0"), Known(Webm)),
        ("mkv", ebml(b"matroska"), Known(Matroska)),
        ("mkv without a type", b"\x1a\x45\xdf\xa3\x80".to_vec(), OneOf(&[Matroska, Webm])),
        ("wmv", asf(b"AV"), Known(Wmv)),
        ("wma", asf(b"A"), Known(Wma)),
        ("asf with its streams out of sight", asf(b"?"), OneOf(&[Wmv, Wma])),
        ("flv", b"FLV\x01\x05\0\0\0\x09\0\0\0\0".to_vec(), Known(Flv)),
        ("ogv", join(&[&ogg(b"fishead\0"), &ogg(b"\x80theora"), &ogg(b"\x01vorbis")]), Known(OggVideo)),
        ("ogg", ogg(b"\x01vorbis"), Known(OggAudio)),
        ("flac in ogg", ogg(b"\x7fFLAC\x01"), Known(OggAudio)),
        ("opus", ogg(b"OpusHead\x01"), OneOf(&[Opus, OggAudio])),
    ]
}

fn streams() -> Vec<(&'static str, Vec<u8>, Sniffed)> {
    let mp3 = frame(b"\xff\xfb\x90\0", 417);
    let aac = frame(b"\xff\xf1\x50\x80\x04\x1f\xfc", 32);
    let pack = b"\0\0\x01\xba\x44\0\x04\0\x04\x01\0\0\x03\xf8".to_vec();
    let navigation = join(&[b"\0\0\x01\xbf\x03\xd4", &[0; 0x3d4]]);
    let video = b"\0\0\x01\xe0\0\x03\x80\0\0".to_vec();
    let ac3 = b"\0\0\x01\xbd\0\x04\x80\0\0\x80".to_vec();
    vec![
        ("mpg", join(&[&pack, &video]), OneOf(&[Mpeg, Dvd])),
        (
            "mpg of version 1",
            b"\0\0\x01\xba\x21\0\x01\0\x01\x80\x1b\x91\0\0\x01\xe0".to_vec(),
            OneOf(&[Mpeg, Dvd]),
        ),
        ("bare mpeg video", b"\0\0\x01\xb3\x0b\0\x90\x13".to_vec(), Known(Mpeg)),
        ("vob", join(&[&pack, &navigation, &video]), Known(Dvd)),
        ("part of a vob", join(&[&pack, &video, &ac3]), OneOf(&[Dvd, Mpeg])),
        ("ts", frame(b"\x47\x40\0\x10", 188).repeat(4), Known(MpegTs)),
        ("m2ts", frame(b"\0\0\0\0\x47\x40\0\x10", 192).repeat(4), Known(MpegTs)),
        ("mp3", mp3.repeat(2), Known(Mp3)),
        ("mp3 with a tag", join(&[&id3(20), &[0; 100], &mp3.repeat(2)]), Known(Mp3)),
        ("mp2", frame(b"\xff\xfd\x84\0", 384).repeat(2), Known(Mp3)),
        ("mp3 of version 2", frame(b"\xff\xf3\x40\0", 104).repeat(2), Known(Mp3)),
        ("sound behind a large tag", id3(100_000)[..20].to_vec(), OneOf(&[Mp3, Aac, Flac])),
        ("aac", aac.repeat(2), Known(Aac)),
        ("aac with a tag", join(&[&id3(20), &aac.repeat(2)]), Known(Aac)),
        ("flac", b"fLaC\0\0\0\x22".to_vec(), Known(Flac)),
        ("flac with a tag", join(&[&id3(20), b"fLaC\0\0\0\x22"]), Known(Flac)),
    ]
}

pub(crate) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

pub(crate) fn ftyp(major: &[u8; 4], compatible: &[&[u8; 4]]) -> Vec<u8> {
    let size = 16 + 4 * compatible.len() as u32;
    let brands = compatible.iter().flat_map(|brand| brand.iter().copied());
    join(&[&size.to_be_bytes(), b"ftyp", major, &[0; 4]]).into_iter().chain(brands).collect()
}

pub(crate) fn icon(kind: u8, reserved: u8) -> Vec<u8> {
    join(&[&[0, 0, kind, 0, 1, 0], &[16, 16, 0, reserved, 1, 0, 32, 0], &[40, 0, 0, 0], &[22, 0, 0, 0]])
}

pub(crate) fn tga(color_map: u8, image_type: u8, map: [u8; 5], depth: u8, descriptor: u8) -> Vec<u8> {
    join(&[&[0, color_map, image_type], &map, &[0; 4], &[2, 0, 2, 0, depth, descriptor], &[7; 12]])
}

fn ebml(doc_type: &[u8]) -> Vec<u8> {
    let element = join(&[b"\x42\x86\x81\x01\x42\x82", &[0x80 | doc_type.len() as u8], doc_type]);
    join(&[b"\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0", &[element.len() as u8], &element])
}

/// The first page of a stream.
pub(crate) fn ogg(packet: &[u8]) -> Vec<u8> {
    join(&[b"OggS\0\x02", &[0; 20], &[1, packet.len() as u8], packet])
}

/// A header with one object a letter: `A` sound, `V` video, `?` longer than any head.
fn asf(streams: &[u8]) -> Vec<u8> {
    const HEADER: &[u8] = b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c";
    const STREAM: &[u8] = b"\x91\x07\xdc\xb7\xb7\xa9\xcf\x11\x8e\xe6\x00\xc0\x0c\x20\x53\x65";
    const TYPE_END: &[u8] = b"\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b";
    let objects: Vec<u8> = streams
        .iter()
        .flat_map(|stream| match stream {
            b'A' => join(&[STREAM, &40_u64.to_le_bytes(), b"\x40\x9e\x69\xf8", TYPE_END]),
            b'V' => join(&[STREAM, &40_u64.to_le_bytes(), b"\xc0\xef\x19\xbc", TYPE_END]),
            _ => join(&[&[0; 16], &u64::MAX.to_le_bytes()]),
        })
        .collect();
    let length = if streams == b"?" { u64::MAX } else { 30 + objects.len() as u64 };
    join(&[HEADER, &length.to_le_bytes(), &[1, 0, 0, 0, 1, 2], &objects])
}

fn id3(size: u32) -> Vec<u8> {
    let coded = [21, 14, 7, 0].map(|shift| (size >> shift & 0x7f) as u8);
    join(&[b"ID3\x04\0\0", &coded, &vec![0; size as usize]])
}

fn frame(header: &[u8], length: usize) -> Vec<u8> {
    let mut frame = header.to_vec();
    frame.resize(length, 0);
    frame
}
