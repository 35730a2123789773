//! The media types of the API: the 39 of its document, and HEIC, which this service adds.

/// The class of a media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaClass {
    /// Still and animated images, SVG included.
    Image,
    /// Video, with or without audio.
    Video,
    /// Audio only.
    Audio,
    /// Paged documents.
    Document,
}

impl MediaClass {
    /// The class in lower case: `image`, `video`, `audio` or `document`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Document => "document",
        }
    }
}

/// A media type of the API.
///
/// [`as_str`](Self::as_str) returns the MIME type, which is also the serde form. Deserializing accepts exactly these strings;
/// [`from_mime`](Self::from_mime) and `FromStr` accept aliases as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MediaType {
    /// PNG, animated or not (W3C PNG, third edition).
    Png,
    /// JPEG (ITU-T T.81) in JFIF, Exif or bare.
    Jpeg,
    /// WebP, lossy, lossless or animated (RFC 9649).
    Webp,
    /// GIF 87a and 89a.
    Gif,
    /// Windows and OS/2 bitmaps.
    Bmp,
    /// TIFF 6.0 and BigTIFF.
    Tiff,
    /// Windows icons, without cursors.
    Ico,
    /// AVIF (AV1 Image File Format 1.1), still or a sequence.
    Avif,
    /// The Netpbm family: PBM, PGM, PPM, PAM.
    Pnm,
    /// Truevision TGA 2.0.
    Tga,
    /// DirectDraw surfaces.
    Dds,
    /// Radiance RGBE.
    Hdr,
    /// OpenEXR.
    Exr,
    /// farbfeld.
    Farbfeld,
    /// QOI 1.0.
    Qoi,
    /// SVG, not compressed.
    Svg,
    /// HEIC, an image or a sequence (ISO/IEC 23008-12) in HEVC. The document of the API does not list it. Only servers read it, and nothing
    /// writes it.
    Heic,
    /// MPEG-4 (ISO/IEC 14496-12 and -14).
    Mp4,
    /// WebM.
    Webm,
    /// AVI.
    Avi,
    /// QuickTime.
    QuickTime,
    /// Windows Media Video (ASF).
    Wmv,
    /// Flash Video.
    Flv,
    /// Matroska (RFC 9559).
    Matroska,
    /// 3GPP and 3GPP2 (TS 26.244), which differ in their brand alone.
    ThreeGpp,
    /// MPEG-1 and MPEG-2 program streams (ISO/IEC 13818-1) and bare MPEG video.
    Mpeg,
    /// Ogg with video (RFC 5334).
    OggVideo,
    /// MPEG-2 transport streams (ISO/IEC 13818-1), also with the time stamps of Blu-ray.
    MpegTs,
    /// Apple's MPEG-4.
    M4v,
    /// DVD-Video program streams (VOB).
    Dvd,
    /// Flash's MPEG-4.
    F4v,
    /// MPEG audio, layers I to III (ISO/IEC 11172-3).
    Mp3,
    /// WAVE.
    Wav,
    /// AAC in ADTS (ISO/IEC 13818-7).
    Aac,
    /// Ogg with audio only (RFC 5334).
    OggAudio,
    /// Opus in Ogg (RFC 7845).
    Opus,
    /// FLAC (RFC 9639).
    Flac,
    /// MPEG-4 with audio only.
    M4a,
    /// Windows Media Audio (ASF).
    Wma,
    /// PDF (ISO 32000).
    Pdf,
}
