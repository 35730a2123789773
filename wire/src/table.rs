//! The table of media types, in the order of the API, and what [`MediaType`] says from it.

use crate::media_type::MediaClass::{self, Audio, Document, Image, Video};
use crate::media_type::MediaType::{self, *};
use crate::sniff::Signature::{self, Last, Parsed, Prefix};
use crate::sniff::{asf, ebml, flash, isobmff, mpeg, mpeg_audio, ogg, pdf, raster, riff, svg, tga, tiff};

/// The properties of a media type.
pub(crate) struct Row {
    pub(crate) media_type: MediaType,
    pub(crate) mime: &'static str,
    pub(crate) name: &'static str,
    pub(crate) class: MediaClass,
    /// In lower case, the preferred one first. Each extension occurs in one row only.
    pub(crate) extensions: &'static [&'static str],
    /// Other MIME types of the same format.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) signature: Signature,
}

const fn row(
    media_type: MediaType,
    (mime, name, class): (&'static str, &'static str, MediaClass),
    extensions: &'static [&'static str],
    aliases: &'static [&'static str],
    signature: Signature,
) -> Row {
    Row { media_type, mime, name, class, extensions, aliases, signature }
}

/// The number of rows.
const COUNT: usize = Pdf as usize + 1;

#[rustfmt::skip] // two lines a type can be read as a table, ten cannot
static TABLE: [Row; COUNT] = [
    row(Png, ("image/png", "PNG", Image), &["png", "apng"],
        &["image/x-png", "image/apng", "image/vnd.mozilla.apng"], Prefix(&[b"\x89PNG\r\n\x1a\n"])),
    row(Jpeg, ("image/jpeg", "JPEG", Image), &["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"],
        &["image/jpg", "image/pjpeg"], Parsed(raster::jpeg)),
    row(Webp, ("image/webp", "WebP", Image), &["webp"],
        &["image/x-webp"], Parsed(riff::parse)),
    row(Gif, ("image/gif", "GIF", Image), &["gif"],
        &[], Prefix(&[b"GIF87a", b"GIF89a"])),
    row(Bmp, ("image/bmp", "BMP", Image), &["bmp", "dib"],
        &["image/x-bmp", "image/x-ms-bmp", "image/x-windows-bmp"], Parsed(raster::bmp)),
    row(Tiff, ("image/tiff", "TIFF", Image), &["tiff", "tif"],
        &["image/tif", "image/x-tiff"], Parsed(tiff::parse)),
    row(Ico, ("image/x-icon", "ICO", Image), &["ico"],
        &["image/vnd.microsoft.icon", "image/ico", "image/icon"], Parsed(raster::ico)),
    row(Avif, ("image/avif", "AVIF", Image), &["avif", "avifs"],
        &["image/avif-sequence"], Parsed(isobmff::parse)),
    row(Pnm, ("image/x-portable-anymap", "PNM", Image), &["pnm", "pbm", "pgm", "ppm", "pam"],
        &["image/x-portable-bitmap", "image/x-portable-graymap", "image/x-portable-greymap",
            "image/x-portable-pixmap", "image/x-portable-arbitrarymap"], Parsed(raster::pnm)),
    row(Tga, ("image/x-tga", "TGA", Image), &["tga", "targa", "icb", "vda", "vst"],
        &["image/tga", "image/targa", "image/x-targa"], Last(tga::parse)),
    row(Dds, ("image/vnd.ms-dds", "DDS", Image), &["dds"],
        &["image/dds", "image/x-dds"], Prefix(&[b"DDS \x7c\0\0\0"])),
    row(Hdr, ("image/vnd.radiance", "Radiance HDR", Image), &["hdr", "rgbe"],
        &["image/hdr", "image/x-hdr"], Prefix(&[b"#?RADIANCE", b"#?RGBE"])),
    row(Exr, ("image/x-exr", "OpenEXR", Image), &["exr"],
        &["image/exr", "image/aces"], Prefix(&[b"\x76\x2f\x31\x01"])),
    row(Farbfeld, ("image/x-farbfeld", "farbfeld", Image), &["ff", "farbfeld"],
        &["image/farbfeld"], Prefix(&[b"farbfeld"])),
    row(Qoi, ("image/qoi", "QOI", Image), &["qoi"],
        &["image/x-qoi"], Prefix(&[b"qoif"])),
    row(Svg, ("image/svg+xml", "SVG", Image), &["svg"],
        &["image/svg"], Parsed(svg::parse)),
    row(Heic, ("image/heic", "HEIC", Image), &["heic", "heics"],
        &["image/heic-sequence"], Parsed(isobmff::parse)),

    row(Mp4, ("video/mp4", "MPEG-4", Video), &["mp4", "mp4v", "mpg4"],
        &["application/mp4"], Parsed(isobmff::parse)),
    row(Webm, ("video/webm", "WebM", Video), &["webm"],
        &[], Parsed(ebml::parse)),
    row(Avi, ("video/x-msvideo", "AVI", Video), &["avi"],
        &["video/avi", "video/msvideo", "video/vnd.avi"], Parsed(riff::parse)),
    row(QuickTime, ("video/quicktime", "QuickTime", Video), &["mov", "qt"],
        &[], Parsed(isobmff::parse)),
    row(Wmv, ("video/x-ms-wmv", "Windows Media Video", Video), &["wmv", "asf"],
        &["video/x-ms-asf", "application/vnd.ms-asf"], Parsed(asf::parse)),
    row(Flv, ("video/x-flv", "Flash Video", Video), &["flv"],
        &["video/flv"], Parsed(flash::parse)),
    row(Matroska, ("video/x-matroska", "Matroska", Video), &["mkv", "mk3d"],
        &["video/matroska", "video/matroska-3d"], Parsed(ebml::parse)),
    row(ThreeGpp, ("video/3gpp", "3GPP", Video), &["3gp", "3gpp", "3g2", "3gpp2"],
        &["video/3gp", "video/3gpp2"], Parsed(isobmff::parse)),
    row(Mpeg, ("video/mpeg", "MPEG", Video), &["mpg", "mpeg", "mpe", "m1v", "m2v"],
        &["video/mpg", "video/x-mpeg", "video/mp2p"], Parsed(mpeg::program_stream)),
    row(OggVideo, ("video/ogg", "Ogg video", Video), &["ogv"],
        &["video/x-theora+ogg"], Parsed(ogg::parse)),
    row(MpegTs, ("video/mp2t", "MPEG transport stream", Video), &["ts", "mts", "m2ts", "m2t"],
        &["video/vnd.dlna.mpeg-tts"], Parsed(mpeg::transport_stream)),
    row(M4v, ("video/x-m4v", "M4V", Video), &["m4v"],
        &["video/m4v"], Parsed(isobmff::parse)),
    row(Dvd, ("video/dvd", "DVD video", Video), &["vob"],
        &["video/x-dvd", "video/x-ms-vob"], Parsed(mpeg::program_stream)),
    row(F4v, ("video/x-f4v", "F4V", Video), &["f4v", "f4p"],
        &["video/f4v"], Parsed(isobmff::parse)),

    row(Mp3, ("audio/mpeg", "MP3", Audio), &["mp3", "mp2", "mpga", "m2a"],
        &["audio/mp3", "audio/x-mp3", "audio/x-mpeg", "audio/mpeg3", "audio/x-mpeg-3"], Parsed(mpeg_audio::parse)),
    row(Wav, ("audio/wav", "WAV", Audio), &["wav", "wave"],
        &["audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"], Parsed(riff::parse)),
    row(Aac, ("audio/aac", "AAC", Audio), &["aac", "adts"],
        &["audio/x-aac", "audio/aacp", "audio/vnd.dlna.adts"], Parsed(mpeg_audio::parse)),
    row(OggAudio, ("audio/ogg", "Ogg audio", Audio), &["ogg", "oga", "spx"],
        &["audio/vorbis", "audio/x-vorbis+ogg"], Parsed(ogg::parse)),
    row(Opus, ("audio/opus", "Opus", Audio), &["opus"],
        &["audio/x-opus+ogg"], Parsed(ogg::parse)),
    row(Flac, ("audio/flac", "FLAC", Audio), &["flac"],
        &["audio/x-flac"], Prefix(&[b"fLaC"])),
    row(M4a, ("audio/mp4", "MPEG-4 audio", Audio), &["m4a", "m4b", "m4r", "f4a", "f4b"],
        &["audio/m4a", "audio/x-m4a", "audio/x-m4b"], Parsed(isobmff::parse)),
    row(Wma, ("audio/x-ms-wma", "Windows Media Audio", Audio), &["wma"],
        &["audio/wma"], Parsed(asf::parse)),

    row(Pdf, ("application/pdf", "PDF", Document), &["pdf"],
        &["application/x-pdf"], Parsed(pdf::parse)),
];

// Rows are indexed by the discriminant of their type.
const _: () = {
    let mut index = 0;
    while index < TABLE.len() {
        assert!(TABLE[index].media_type as usize == index);
        index += 1;
    }
};

impl MediaType {
    /// Every type, in the order of the API: 17 image (the last one is HEIC), 14 video, 8 audio types and PDF.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::Png; COUNT];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].media_type;
            index += 1;
        }
        all
    };

    /// The MIME type, for example `image/jpeg`.
    pub const fn as_str(self) -> &'static str {
        self.row().mime
    }

    /// The display name, for example `JPEG`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The file extensions, in lower case and without a dot; the first is the one to give a new file.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// The class.
    pub const fn class(self) -> MediaClass {
        self.row().class
    }

    pub(crate) const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
