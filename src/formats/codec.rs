//! What this build can do with a format: the functions that read and write it, and what they cost.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::Encoding;
#[cfg(feature = "full")]
use crate::formats::Traits;
use crate::formats::coded::{PrepareFile, Recode, ResizeCoded};
use crate::formats::decode::Header;
#[cfg(feature = "pictures")]
use crate::formats::header_probe::Probe;
use crate::formats::metadata::Carries;
use crate::formats::prepared::PreparedImage;
use crate::formats::rows::{RowWriter, Rows};
use crate::limits::Limits;
use crate::metadata::Metadata;
#[cfg(feature = "full")]
use crate::metadata::gain_map_parameters::Parameters;
#[cfg(feature = "full")]
use crate::options::{MetadataPolicy, Position};
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
#[cfg(feature = "full")]
use crate::pixels::part::View;
use crate::warning::Warning;

/// What this build can do with a format.
pub(crate) struct Codec {
    /// Whether an image larger than [`Format::max_side`](crate::formats::Format::max_side) is made smaller instead of
    /// refused.
    pub(crate) shrinks: bool,
    /// The lowest acceptable quality: below it, fewer pixels look better than a lower quality.
    pub(crate) decent_quality: u8,
    /// Roughly the nanoseconds per pixel that decoding takes, for estimates of progress.
    pub(crate) decode_ns: u32,
    /// Roughly the nanoseconds per pixel that encoding takes with the default effort, for estimates of progress.
    pub(crate) encode_ns: u32,
    /// The metadata that files of the format can carry.
    pub(crate) carries: Carries,
    /// With `prepare`: the maximum bytes per pixel that are kept from one encoding to the next.
    pub(crate) prepared_bytes: u64,
    /// The encoder pads both sides to a multiple of this; 0 and 1: it does not.
    pub(crate) encoder_block: u32,
    /// The bytes per pixel that the encoder needs to convert more than 8 bits per channel to 8.
    pub(crate) narrowing_bytes: u64,
    /// Reads the fixed fields of the header without a decoder. `None` if they are missing, or if decoders report any
    /// size.
    #[cfg(feature = "pictures")]
    pub(crate) probe: fn(&[u8]) -> Option<Probe>,
    /// Reads the header.
    pub(crate) header: Option<ReadHeader>,
    /// Decodes the (first) picture at 1/2, 1/4 or 1/8 of its size if the header is reducible, otherwise at full size.
    /// The limits were checked against the header.
    pub(crate) pixels: Option<DecodePixels>,
    /// Decodes the (first) picture row by row, at 1/2, 1/4 or 1/8 of its size if the header is reducible, otherwise at full size.
    pub(crate) read_rows: Option<ReadRows>,
    /// With `read_rows`: the bytes that this keeps beside the rows, at most. `None` if it cannot read the rows of the file.
    pub(crate) row_memory: fn(&[u8], &Header) -> Option<u64>,
    /// Decodes a CMYK picture without converting its colors.
    #[cfg(feature = "full")]
    pub(crate) cmyk: Option<DecodeCmyk>,
    /// Renders a vector image.
    #[cfg(feature = "full")]
    pub(crate) draw: Option<Draw>,
    /// Fails if coded pixels of a file are missing. Says nothing of formats whose decoders need no such check.
    #[cfg(feature = "full")]
    pub(crate) check_complete: fn(&[u8]) -> Result<()>,
    /// Estimates the quality of the encoding, 1 to 100.
    pub(crate) estimate_quality: fn(&[u8]) -> Option<u8>,
    /// Reads the metadata. Never fails: damaged metadata counts as absent.
    pub(crate) read_metadata: Option<fn(&[u8]) -> Metadata>,
    /// The same encoded pixels with exactly this metadata. `None` if the container is malformed.
    pub(crate) write_metadata: Option<WriteMetadata>,
    /// Finds and writes the HDR gain map beside a picture.
    #[cfg(feature = "core")]
    pub(crate) gain_maps: Option<GainMaps>,
    /// Adds the HDR gain map of another format to a file.
    #[cfg(feature = "full")]
    pub(crate) add_gain_map: Option<AddGainMap>,
    /// Encodes upright pixels of a kind that the format can store.
    pub(crate) encode: Option<Encode>,
    /// Encodes a lossy picture row by row, to the same bytes as `encode`.
    pub(crate) write_rows: Option<WriteRows>,
    /// Does the work that does not depend on the quality, for several encodings of a picture. `None` if that is not
    /// worthwhile.
    pub(crate) prepare: Option<Prepare>,
    /// Encodes the picture of a file of this format again in its size, without decoding it to pixels: the loss is less, and the work.
    /// `None` if it has to be decoded.
    pub(crate) recode: Option<Recode>,
    /// The same as `prepare`, of a file as `recode` takes it.
    pub(crate) prepare_file: Option<PrepareFile>,
    /// Encodes the picture of a file of this format again in other sizes, without decoding it to pixels.
    pub(crate) resize_coded: Option<ResizeCoded>,
    /// Makes a file smaller without decoding it to one picture, in the same format.
    #[cfg(feature = "core")]
    pub(crate) rewrite: Option<RewriteFile>,
    /// Whether a file contains pictures that a lossless encoding of the first would lose.
    #[cfg(feature = "core")]
    pub(crate) is_set: fn(&[u8]) -> bool,
    /// Whether the pixels of a file are palette indices.
    #[cfg(feature = "core")]
    pub(crate) is_indexed: fn(&[u8]) -> bool,
    /// Counts the frames of an animation. 1 for a still picture, and if they cannot be counted.
    #[cfg(feature = "pictures")]
    pub(crate) frame_count: fn(&[u8]) -> u32,
    /// Reads the frames of an animation one by one.
    #[cfg(feature = "core")]
    pub(crate) read_frames: Option<ReadFrames>,
    /// Writes an animation.
    #[cfg(feature = "core")]
    pub(crate) write_frames: Option<WriteFrames>,
    /// Reads and writes documents with several pages.
    #[cfg(feature = "full")]
    pub(crate) pages: Option<Pages>,
}

pub(crate) type ReadHeader = fn(&[u8]) -> Result<Header>;
/// The file, the divisor of its sides, and the limits.
pub(crate) type DecodePixels = fn(&[u8], u32, &Limits) -> Result<DynamicImage>;
/// The file, the divisor of its sides, and the limits.
pub(crate) type ReadRows = for<'a> fn(&'a [u8], u32, &Limits) -> Result<Rows<'a>>;
#[cfg(feature = "full")]
pub(crate) type DecodeCmyk = fn(&[u8]) -> Result<Cmyk>;
#[cfg(feature = "full")]
pub(crate) type Draw = fn(&[u8], &Drawing) -> Result<DynamicImage>;
pub(crate) type WriteMetadata = fn(&[u8], &Metadata) -> Option<Vec<u8>>;
/// `None`: the file is left unchanged.
#[cfg(feature = "core")]
pub(crate) type RewriteFile = fn(&Rewrite) -> Result<Option<Vec<u8>>>;
#[cfg(feature = "full")]
pub(crate) type ReadPages = for<'a> fn(&'a [u8]) -> Result<Vec<Box<dyn Page + 'a>>>;

/// An upright picture, its encoding, whether it has a profile (then gray stays gray and color stays color, because a
/// profile for one is wrong for the other), and the warnings.
pub(crate) type Encode = fn(DynamicImage, Encoding, bool, &mut Vec<Warning>) -> Result<Vec<u8>>;

/// Width and height, whether pixels are RGB rather than gray, and the encoding.
pub(crate) type WriteRows = fn((u32, u32), bool, Encoding) -> Result<Box<dyn RowWriter>>;

/// A picture, and its first encoding.
pub(crate) type Prepare = fn(&DynamicImage, Encoding) -> Result<Option<Box<dyn PreparedImage>>>;

/// How HDR gain maps are stored in a format.
#[cfg(feature = "core")]
pub(crate) struct GainMaps {
    /// The map of a file, a file of the same format itself.
    pub(crate) find: fn(&[u8]) -> Option<&[u8]>,
    /// Adds a map to a file.
    pub(crate) attach: AttachGainMap,
    /// Describes the map of a file for another format. An error is the reason for the warning, after "was dropped".
    #[cfg(feature = "full")]
    pub(crate) describe: fn(&[u8]) -> Result<GainMapDescription, &'static str>,
}

/// A file with its final metadata, the source of the map, the map if it was coded again, and whether it keeps metadata that does not
/// describe how to apply it. `None` if there is no map or if something is damaged.
#[cfg(feature = "core")]
pub(crate) type AttachGainMap = fn(&[u8], &[u8], Option<&[u8]>, bool) -> Option<Vec<u8>>;

/// What another format needs to know about a gain map.
#[cfg(feature = "full")]
pub(crate) struct GainMapDescription {
    pub(crate) parameters: Parameters,
    /// The 16-bit samples that the parameters apply to, for each sample of a gray map. `None`: they apply to the map as it is.
    pub(crate) curve: Option<Box<[u16; 256]>>,
}

/// A file with its final metadata, the map as a file of the same format, and how to apply it. `None` if something is damaged.
#[cfg(feature = "full")]
pub(crate) type AddGainMap = fn(&[u8], &[u8], &Parameters) -> Option<Vec<u8>>;

/// How a vector image is rendered.
#[cfg(feature = "full")]
pub(crate) struct Drawing<'a> {
    /// In pixels.
    pub(crate) size: (u32, u32),
    /// The part to render: left, top, width and height in shares of the drawing's sides.
    pub(crate) share: [f32; 4],
    /// Where a part of another shape is cropped; `None`: it is stretched.
    pub(crate) position: Option<Position>,
    /// Fonts of the caller, as files.
    pub(crate) fonts: &'a [Vec<u8>],
    pub(crate) limits: &'a Limits,
    /// Decodes embedded pictures.
    pub(crate) embedded: DecodeEmbedded,
}

/// Decodes an embedded picture of a format to upright sRGB. The limits were checked against its header; the traits are
/// those of the vector image.
#[cfg(feature = "full")]
pub(crate) type DecodeEmbedded =
    fn(&[u8], filepress_wire::MediaType, &Header, Traits, &Limits) -> Result<image::RgbaImage>;

/// A file that is made smaller without decoding it to one picture.
#[cfg(feature = "core")]
pub(crate) struct Rewrite<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) encoding: Encoding,
    pub(crate) limits: &'a Limits,
    #[cfg(feature = "full")]
    pub(crate) policy: MetadataPolicy,
    /// Whether the output keeps an HDR gain map, if its geometry stays.
    #[cfg(feature = "full")]
    pub(crate) keeps_gain_map: bool,
    /// The metadata to keep, for pixels that are upright.
    #[cfg(feature = "full")]
    pub(crate) metadata: &'a Metadata,
    /// Which stored pixels to keep, and how they are turned.
    #[cfg(feature = "full")]
    pub(crate) view: View,
    /// The maximum size of the output in bytes.
    #[cfg(feature = "full")]
    pub(crate) target: Option<u64>,
    /// Decodes the pictures embedded in a vector image.
    #[cfg(feature = "full")]
    pub(crate) embedded: DecodeEmbedded,
}

/// How animations of a format are read.
#[cfg(feature = "core")]
pub(crate) struct ReadFrames {
    /// How often the animation plays. 0: forever.
    pub(crate) plays: fn(&[u8]) -> u32,
    /// Passes on every frame.
    pub(crate) each: EachFrame,
}

#[cfg(feature = "core")]
pub(crate) type EachFrame = for<'a, 'b> fn(
    &'a mut crate::animation::reader::FrameReader<'b>,
    &'a mut dyn FnMut(&crate::animation::canvas::Piece) -> Result<()>,
) -> Result<()>;

/// How animations of a format are written.
#[cfg(feature = "core")]
pub(crate) struct WriteFrames {
    /// The bytes per pixel that the encoder needs beside the frames, output included, by quality. Measured on frames of
    /// noise.
    pub(crate) bytes_per_pixel: fn(Option<u8>) -> u64,
    /// Whether a file of the format keeps all that it shows if its frames are written again in its geometry.
    pub(crate) rewrites: fn(&[u8]) -> bool,
    /// How often `write` plays the frames.
    pub(crate) passes: u32,
    /// Writes an animation.
    pub(crate) write: WriteAnimation,
}

/// Writes the frames that `play` passes on, the same frames each time.
#[cfg(feature = "core")]
pub(crate) type WriteAnimation = fn(
    crate::animation::Animation,
    Encoding,
    &mut dyn FnMut(&mut crate::animation::Show<'_>) -> Result<()>,
    &mut Vec<Warning>,
) -> Result<Vec<u8>>;

/// How documents of a format are read and written.
#[cfg(feature = "full")]
pub(crate) struct Pages {
    /// The pages of a file in their order.
    pub(crate) read: ReadPages,
    /// An empty document, by effort and whether it has a profile.
    pub(crate) document: fn(u8, bool) -> Box<dyn Document>,
}

/// One page of a document.
#[cfg(feature = "full")]
pub(crate) trait Page {
    /// The header of this page.
    fn header(&self) -> Result<Header>;
    /// The color profile of this page.
    fn profile(&self) -> Option<Vec<u8>>;
    /// The EXIF orientation, 1 to 8.
    fn orientation(&self) -> u8;
    /// The pixels as they are stored. The limits were checked against the header.
    fn pixels(&self, limits: &Limits) -> Result<DynamicImage>;
}

/// A file with several pages. They are encoded one by one, so that only one page is in memory as pixels.
#[cfg(feature = "full")]
pub(crate) trait Document {
    /// Appends a page.
    fn add(&mut self, image: DynamicImage) -> Result<()>;
    /// The size of the pages so far in bytes.
    fn len(&self) -> usize;
    /// The complete file.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}

impl Codec {
    /// The value for a format that this build does not support.
    pub(crate) const NONE: Self = Self {
        shrinks: false,
        decent_quality: 40,
        decode_ns: 10,
        encode_ns: 10,
        carries: Carries::NOTHING,
        prepared_bytes: 0,
        encoder_block: 0,
        narrowing_bytes: 0,
        #[cfg(feature = "pictures")]
        probe: |_| None,
        header: None,
        pixels: None,
        read_rows: None,
        row_memory: |_, header| Some(header.decoder_bytes),
        #[cfg(feature = "full")]
        cmyk: None,
        #[cfg(feature = "full")]
        draw: None,
        #[cfg(feature = "full")]
        check_complete: |_| Ok(()),
        estimate_quality: |_| None,
        read_metadata: None,
        write_metadata: None,
        encode: None,
        write_rows: None,
        prepare: None,
        recode: None,
        prepare_file: None,
        resize_coded: None,
        #[cfg(feature = "core")]
        rewrite: None,
        #[cfg(feature = "core")]
        gain_maps: None,
        #[cfg(feature = "full")]
        add_gain_map: None,
        #[cfg(feature = "core")]
        is_set: |_| false,
        #[cfg(feature = "core")]
        is_indexed: |_| false,
        #[cfg(feature = "pictures")]
        frame_count: |_| 1,
        #[cfg(feature = "core")]
        read_frames: None,
        #[cfg(feature = "core")]
        write_frames: None,
        #[cfg(feature = "full")]
        pages: None,
    };
}
