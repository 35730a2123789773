//! Types that are not ours are named, and not taken for one of ours.

use filepress_wire::{Sniffed, sniff};

use crate::samples::{ftyp, icon, join};

fn name(head: &[u8]) -> &'static str {
    match sniff(head) {
        Sniffed::Unsupported(recognized) => recognized.name,
        _ => "",
    }
}

#[test]
fn what_people_drop_on_an_image_tool_is_named() {
    for (head, expected) in [
        (ftyp(b"mif1", &[b"miaf"]), "HEIF"),
        (ftyp(b"crx ", &[b"crx ", b"isom"]), "Canon CR3 raw"),
        (ftyp(b"zzzz", &[b"zzzz"]), "ISO media file of an unknown brand"),
        (b"\0\0\0\x0cJXL \r\n\x87\n".to_vec(), "JPEG XL"),
        (b"\xff\x0a\xfa\x7f".to_vec(), "JPEG XL"),
        (b"\0\0\0\x0cjP  \r\n\x87\n".to_vec(), "JPEG 2000"),
        (b"\xff\x4f\xff\x51\0\x2f".to_vec(), "JPEG 2000 codestream"),
        (b"\xff\xd8\xff\xf7\0\x0b".to_vec(), "JPEG-LS"),
        (b"II\xbc\x01\x20\0\0\0".to_vec(), "JPEG XR"),
        (b"8BPS\0\x01".to_vec(), "Photoshop document (PSD)"),
        (b"gimp xcf v011\0".to_vec(), "GIMP image (XCF)"),
        (b"icns\0\0\0\x20".to_vec(), "Apple icon (ICNS)"),
        (b"FLIF1".to_vec(), "FLIF"),
        (b"BPG\xfb\0".to_vec(), "BPG"),
        (icon(2, 0), "Windows cursor"),
        (b"RIFF\x24\0\0\0ACONLIST".to_vec(), "Windows animated cursor"),
        (join(&[b"\x01\0\0\0", &[0; 36], b" EMF"]), "Windows enhanced metafile (EMF)"),
        (b"\xd7\xcd\xc6\x9a\0\0".to_vec(), "Windows metafile (WMF)"),
        (b"\x01\0\x09\0\0\x03\x17\0".to_vec(), "Windows metafile (WMF)"),
    ] {
        assert_eq!(name(&head), expected);
    }
}

#[test]
fn camera_raws_are_not_taken_for_their_thumbnail() {
    let entry = |tag: u16, value: u32| join(&[&tag.to_le_bytes(), &[4, 0, 1, 0, 0, 0], &value.to_le_bytes()]);
    let tiff = |entries: &[Vec<u8>]| {
        join(&[b"II\x2a\0\x08\0\0\0", &(entries.len() as u16).to_le_bytes(), &entries.concat(), &[0; 4]])
    };
    assert_eq!(name(&tiff(&[entry(254, 1), entry(330, 512)])), "camera raw based on TIFF");
    assert_eq!(name(&tiff(&[entry(254, 1), entry(330, 512), entry(50_706, 0x401)])), "DNG raw");
    assert_eq!(name(&tiff(&[entry(254, 0), entry(330, 512)])), "", "a pyramid whose first picture is whole");
    assert_eq!(name(b"II\x2a\0\x10\0\0\0CR\x02\0"), "Canon CR2 raw");
    assert_eq!(name(b"IIU\0\x18\0\0\0"), "Panasonic RW2 raw");
    assert_eq!(name(b"IIRO\x08\0\0\0"), "Olympus ORF raw");
    assert_eq!(name(b"FUJIFILMCCD-RAW 0201"), "Fujifilm RAF raw");
}

#[test]
fn archives_are_named_by_what_is_inside() {
    let entry = |file: &[u8], content: &[u8]| {
        join(&[b"PK\x03\x04", &[0; 22], &(file.len() as u16).to_le_bytes(), &[0, 0], file, content])
    };
    let types = entry(b"[Content_Types].xml", b"<Types/>");
    for (head, expected) in [
        (entry(b"photo.jpg", b"\xff\xd8\xff"), "ZIP archive"),
        (b"PK\x05\x06\0\0".to_vec(), "ZIP archive"),
        (join(&[&types, &entry(b"word/document.xml", b"")]), "Word document (DOCX)"),
        (join(&[&types, &entry(b"xl/workbook.xml", b"")]), "Excel workbook (XLSX)"),
        (join(&[&types, &entry(b"ppt/presentation.xml", b"")]), "PowerPoint file (PPTX)"),
        (entry(b"META-INF/MANIFEST.MF", b""), "Java archive"),
        (entry(b"mimetype", b"application/epub+zip"), "EPUB"),
        (entry(b"mimetype", b"application/vnd.oasis.opendocument.text"), "OpenDocument text"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec(), "gzip archive"),
        (b"\x1f\x8b\x08\x08\0\0\0\0\0\x03logo.svg\0".to_vec(), "SVGZ (SVG compressed with gzip)"),
        (b"7z\xbc\xaf\x27\x1c".to_vec(), "7z archive"),
        (b"Rar!\x1a\x07\x01\0".to_vec(), "RAR archive"),
        (b"\xfd7zXZ\0".to_vec(), "XZ archive"),
        (b"BZh91AY&SY".to_vec(), "bzip2 archive"),
        (b"\x28\xb5\x2f\xfd".to_vec(), "Zstandard archive"),
        (join(&[b"a.txt", &[0; 252], b"ustar\x0000"]), "TAR archive"),
    ] {
        assert_eq!(name(&head), expected);
    }
}

#[test]
fn programs_fonts_and_sound_are_named() {
    let windows = join(&[b"MZ", &[0; 58], &[64, 0, 0, 0], b"PE\0\0"]);
    for (head, expected) in [
        (b"\x7fELF\x02\x01".to_vec(), "ELF program"),
        (windows, "Windows program"),
        (b"\xcf\xfa\xed\xfe\x07\0\0\x01".to_vec(), "Mach-O program"),
        (b"\xca\xfe\xba\xbe\0\0\0\x02".to_vec(), "Mach-O program"),
        (b"\xca\xfe\xba\xbe\0\0\0\x41".to_vec(), "Java class"),
        (b"\0asm\x01\0\0\0".to_vec(), "WebAssembly"),
        (b"\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40".to_vec(), "TrueType font"),
        (b"OTTO\0\x0c".to_vec(), "OpenType font"),
        (b"wOFF\0\x01\0\0".to_vec(), "WOFF font"),
        (b"wOF2\0\x01\0\0".to_vec(), "WOFF2 font"),
        (b"SQLite format 3\0".to_vec(), "SQLite database"),
        (b"MThd\0\0\0\x06".to_vec(), "MIDI"),
        (b"#!AMR\n".to_vec(), "AMR"),
        (b"FORM\0\0\0\x20AIFFCOMM".to_vec(), "AIFF"),
        (b".snd\0\0\0\x18".to_vec(), "AU"),
        (b".RMF\0\0\0\x12".to_vec(), "RealMedia"),
    ] {
        assert_eq!(name(&head), expected);
    }
}

#[test]
fn text_is_named_by_what_it_is() {
    for (text, expected) in [
        ("<!DOCTYPE html><svg></svg>", "HTML"),
        ("  <HTML lang=en>", "HTML"),
        ("<?xml version=\"1.0\"?><kml/>", "XML"),
        ("<!-- <svg> --><rss>", "XML"),
        ("<svgfont>", "XML"),
        ("{\"a\": 1}", "JSON"),
        ("[{}]", "JSON"),
        ("{\\rtf1\\ansi", "RTF"),
        ("%!PS-Adobe-3.0 EPSF-3.0\n", "PostScript"),
        ("The free lunch", "plain text"),
        ("BMW, RIFF and GIF are words", "plain text"),
        ("P6", "plain text"),
        ("über\n", "plain text"),
        ("a < b", "plain text"),
    ] {
        assert_eq!(name(text.as_bytes()), expected, "{text}");
    }
    assert_eq!(name(&"ü".as_bytes()[..1]), "", "half a character");
    assert_eq!(name(b"gr\xc3\xbc\xc3"), "plain text", "cut within a character");
    assert_eq!(name(b"\xff\xfea\0b\0"), "plain text");
    assert_eq!(name(b"text with a \x01"), "");
}
