//! Unsupported types, recognized so that an error can name them. Ambiguous signatures are left out: a wrong name is worse than
//! none.

use super::bytes::{array, be32, has, le16, le32};
use super::{Sniffed, text, unsupported, zip};

pub(super) fn parse(head: &[u8]) -> Option<Sniffed> {
    by_magic(head)
        .or_else(|| zip::zip(head))
        .or_else(|| zip::gzip(head))
        .or_else(|| program(head))
        .or_else(|| font(head))
        .or_else(|| interchange_file(head))
        .or_else(|| metafile(head))
        .or_else(|| text::parse(head))
}

fn by_magic(head: &[u8]) -> Option<Sniffed> {
    let row = MAGIC.iter().find(|(offset, magic, ..)| has(head, *offset, magic))?;
    Some(unsupported(row.2, row.3))
}

/// Offset, bytes, name, MIME type.
#[rustfmt::skip] // reads as a table
const MAGIC: [(usize, &[u8], &str, &str); 69] = [
    // Images
    (0, b"\xff\x0a", "JPEG XL", "image/jxl"),
    (0, b"\xff\x4f\xff\x51", "JPEG 2000 codestream", "image/j2c"),
    (0, b"8BPS", "Photoshop document (PSD)", "image/vnd.adobe.photoshop"),
    (0, b"gimp xcf", "GIMP image (XCF)", "image/x-xcf"),
    (0, b"FLIF", "FLIF", "image/flif"),
    (0, b"BPG\xfb", "BPG", "image/bpg"),
    (0, b"icns", "Apple icon (ICNS)", "image/icns"),
    (0, b"\x8aMNG\r\n\x1a\n", "MNG", "video/x-mng"),
    (0, b"\x8bJNG\r\n\x1a\n", "JNG", "image/x-jng"),
    (0, b"\xabKTX ", "KTX texture", "image/ktx"),
    (0, b"\x13\xab\xa1\x5c", "ASTC texture", "image/astc"),
    (0, b"\x97JB2\r\n\x1a\n", "JBIG2", "image/x-jbig2"),
    (0, b"SDPX", "DPX", "image/x-dpx"),
    (0, b"XPDS", "DPX", "image/x-dpx"),
    (0, b"AT&TFORM", "DjVu", "image/vnd.djvu"),
    (0, b"SIMPLE  =", "FITS", "image/fits"),
    (128, b"DICM", "DICOM", "application/dicom"),
    (0, b"/* XPM */", "XPM", "image/x-xpixmap"),
    (0, b"FUJIFILMCCD-RAW", "Fujifilm RAF raw", "image/x-fuji-raf"),
    (0, b"FOVb", "Sigma X3F raw", "image/x-sigma-x3f"),
    (0, b"\0MRM", "Minolta MRW raw", "image/x-minolta-mrw"),
    // Sound and video
    (0, b"MThd", "MIDI", "audio/midi"),
    (0, b"#!AMR", "AMR", "audio/amr"),
    (0, b".snd", "AU", "audio/basic"),
    (0, b".RMF", "RealMedia", "application/vnd.rn-realmedia"),
    (0, b".ra\xfd", "RealAudio", "audio/x-pn-realaudio"),
    (0, b"caff", "Apple CAF", "audio/x-caf"),
    (0, b"wvpk", "WavPack", "audio/x-wavpack"),
    (0, b"MAC ", "Monkey's Audio", "audio/x-ape"),
    (0, b"MPCK", "Musepack", "audio/x-musepack"),
    (0, b"DSD ", "DSF", "audio/x-dsf"),
    (0, b"riff\x2e\x91\xcf\x11", "Wave64", "audio/x-w64"),
    (0, b"TTA1", "True Audio", "audio/x-tta"),
    // Documents
    (0, b"{\\rtf", "RTF", "application/rtf"),
    (0, b"%!PS", "PostScript", "application/postscript"),
    (0, b"\xc5\xd0\xd3\xc6", "EPS", "image/x-eps"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Microsoft Office 97 document or other OLE file", "application/x-ole-storage"),
    (0, b"SQLite format 3\0", "SQLite database", "application/vnd.sqlite3"),
    (0, b"glTF", "glTF", "model/gltf-binary"),
    (0, b"BLENDER", "Blender file", "application/x-blender"),
    // Archives
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "RAR archive", "application/vnd.rar"),
    (0, b"\xfd7zXZ\0", "XZ archive", "application/x-xz"),
    (4, b"1AY&SY", "bzip2 archive", "application/x-bzip2"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard archive", "application/zstd"),
    (0, b"\x04\x22\x4d\x18", "LZ4 archive", "application/x-lz4"),
    (0, b"LZIP\x01", "lzip archive", "application/x-lzip"),
    (0, b"MSCF\0\0\0\0", "Windows cabinet", "application/vnd.ms-cab-compressed"),
    (0, b"!<arch>\n", "ar archive or Debian package", "application/x-archive"),
    (0, b"\xed\xab\xee\xdb", "RPM package", "application/x-rpm"),
    (257, b"ustar", "TAR archive", "application/x-tar"),
    (32_769, b"CD001", "CD image (ISO 9660)", "application/x-iso9660-image"),
    // Programs
    (0, b"\x7fELF", "ELF program", "application/x-elf"),
    (0, b"\0asm", "WebAssembly", "application/wasm"),
    (0, b"dex\n", "Android program", "application/x-dex"),
    (0, b"\xfe\xed\xfa\xce", "Mach-O program", MACH_O),
    (0, b"\xfe\xed\xfa\xcf", "Mach-O program", MACH_O),
    (0, b"\xce\xfa\xed\xfe", "Mach-O program", MACH_O),
    (0, b"\xcf\xfa\xed\xfe", "Mach-O program", MACH_O),
    // Fonts
    (0, b"wOFF", "WOFF font", "font/woff"),
    (0, b"wOF2", "WOFF2 font", "font/woff2"),
    (0, b"OTTO\0", "OpenType font", "font/otf"),
    (0, b"ttcf\0", "font collection", "font/collection"),
    // Keys and disks
    (0, b"-----BEGIN PGP", "PGP message or key", "application/pgp-encrypted"),
    (0, b"-----BEGIN ", "PEM certificate or key", "application/x-pem-file"),
    (0, b"QFI\xfb", "QEMU disk image", "application/x-qemu-disk"),
    (0, b"bplist00", "Apple property list", "application/x-bplist"),
    (0, b"PAR1", "Parquet table", "application/vnd.apache.parquet"),
    (0, b"\xd7\xcd\xc6\x9a", "Windows metafile (WMF)", "image/wmf"),
];

const MACH_O: &str = "application/x-mach-binary";

/// Windows programs, and the four bytes that Java classes and Mach-O programs for several processors have in common: what
/// follows is the version of the class, 45 at least, or the number of processors.
fn program(head: &[u8]) -> Option<Sniffed> {
    if head.starts_with(b"\xca\xfe\xba\xbe") {
        return Some(match be32(head, 4)? {
            1..=44 => unsupported("Mach-O program", MACH_O),
            _ => unsupported("Java class", "application/java-vm"),
        });
    }
    let windows = head.starts_with(b"MZ") && {
        let header = usize::try_from(le32(head, 60)?).ok()?;
        has(head, header, b"PE\0\0")
    };
    windows.then_some(unsupported("Windows program", "application/vnd.microsoft.portable-executable"))
}

/// TrueType (OpenType 1.9, table directory): a version and a sane number of tables, the search fields of which agree.
fn font(head: &[u8]) -> Option<Sniffed> {
    let version: [u8; 4] = array(head, 0)?;
    if !matches!(&version, b"\0\x01\0\0" | b"true") {
        return None;
    }
    let tables = u16::from_be_bytes(array(head, 4)?);
    let search_range = u16::from_be_bytes(array(head, 6)?);
    let agrees = (1..=64).contains(&tables) && search_range == 16 << tables.ilog2();
    agrees.then_some(unsupported("TrueType font", "font/ttf"))
}

/// EA IFF 85: a form and its kind.
fn interchange_file(head: &[u8]) -> Option<Sniffed> {
    if !head.starts_with(b"FORM") {
        return None;
    }
    match &array(head, 8)? {
        b"AIFF" | b"AIFC" => Some(unsupported("AIFF", "audio/aiff")),
        b"ILBM" | b"PBM " => Some(unsupported("IFF image", "image/x-ilbm")),
        b"8SVX" => Some(unsupported("IFF sound", "audio/x-8svx")),
        _ => None,
    }
}

/// Windows metafiles without the placeable header (MS-WMF §2.3.2.2), and enhanced ones (MS-EMF §2.3.4.2).
fn metafile(head: &[u8]) -> Option<Sniffed> {
    if has(head, 0, b"\x01\0\0\0") && has(head, 40, b" EMF") {
        return Some(unsupported("Windows enhanced metafile (EMF)", "image/emf"));
    }
    let plain =
        matches!(le16(head, 0)?, 1 | 2) && le16(head, 2)? == 9 && matches!(le16(head, 4)?, 0x100 | 0x300);
    plain.then_some(unsupported("Windows metafile (WMF)", "image/wmf"))
}
