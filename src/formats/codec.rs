//! What this build does with a format: the functions that read and write it, and what they cost.

use image::DynamicImage;

use crate::error::Result;
use crate::formats::Encoding;
#[cfg(feature = "full")]
use crate::formats::Traits;
use crate::formats::decode::Header;
#[cfg(feature = "core")]
use crate::formats::header_probe::Probe;
use crate::formats::metadata::Carries;
use crate::formats::prepared::PreparedImage;
use crate::limits::Limits;
use crate::metadata::Metadata;
#[cfg(feature = "full")]
use crate::options::MetadataPolicy;
#[cfg(feature = "full")]
use crate::pixels::cmyk::Cmyk;
use crate::warning::Warning;

/// What this build does with a format.
pub(crate) struct Codec {
    /// What is larger than [`Format::max_side`](crate::formats::Format::max_side) is made smaller rather than refused.
    pub(crate) shrinks: bool,
    /// The lowest quality of a picture that still looks decent: from here on down, fewer pixels look better.
    pub(crate) decent_quality: u8,
    /// What files of the type can hold beside their pixels.
    pub(crate) carries: Carries,
    /// Bytes of each pixel that are kept from one encoding to the next, at most, where `prepare` is there.
    pub(crate) prepared_bytes: u64,
    /// Bytes of each pixel that the encoder takes to make pixels of more than 8 bits a channel narrow.
    pub(crate) narrowing_bytes: u64,
    /// Reads the fixed fields of the header by hand; `None` where they are not there, or decoders tell any size.
    #[cfg(feature = "core")]
    pub(crate) probe: fn(&[u8]) -> Option<Probe>,
    /// Reads the header.
    pub(crate) header: Option<ReadHeader>,
    /// Decodes the (first) picture at 1/2, 1/4 or 1/8 of its size where the header is reducible, else at all of it. The header has
    /// passed the limits before.
    pub(crate) pixels: Option<DecodePixels>,
    /// Decodes a picture whose model is CMYK, as inks.
    #[cfg(feature = "full")]
    pub(crate) cmyk: Option<DecodeCmyk>,
    /// Draws a scalable picture.
    #[cfg(feature = "full")]
    pub(crate) draw: Option<Draw>,
    /// Reads metadata. Total: what is damaged is as absent.
    pub(crate) read_metadata: Option<fn(&[u8]) -> Metadata>,
    /// The same coded pixels with exactly this metadata beside them; `None` where the container breaks its rules.
    pub(crate) write_metadata: Option<WriteMetadata>,
    /// Adds the gain map of the source (second) to a file with the same coded pixels and these metadata; `None` without a map.
    #[cfg(feature = "full")]
    pub(crate) carry_gain_map: Option<CarryGainMap>,
    /// Encodes upright pixels of a kind that the format holds.
    pub(crate) encode: Option<Encode>,
    /// Does what does not depend on the quality, for many encodings of one picture; `None` where that is not worth it.
    pub(crate) prepare: Option<Prepare>,
    /// Makes a file of the same type smaller without decoding it to one picture.
    #[cfg(feature = "core")]
    pub(crate) rewrite: Option<RewriteFile>,
    /// Whether a file holds pictures that no lossless encoding of the first would keep.
    #[cfg(feature = "core")]
    pub(crate) is_set: fn(&[u8]) -> bool,
    /// Counts the frames of an animation; 1 for a still picture, and for what cannot be counted.
    #[cfg(feature = "core")]
    pub(crate) frame_count: fn(&[u8]) -> u32,
    /// Reads the frames of an animation one by one.
    #[cfg(feature = "core")]
    pub(crate) read_frames: Option<ReadFrames>,
    /// Writes an animation.
    #[cfg(feature = "core")]
    pub(crate) write_frames: Option<WriteFrames>,
    /// Reads and writes documents of several pages.
    #[cfg(feature = "full")]
    pub(crate) pages: Option<Pages>,
}

pub(crate) type ReadHeader = fn(&[u8]) -> Result<Header>;
/// The file, what its sides are divided by, and the limits.
pub(crate) type DecodePixels = fn(&[u8], u32, &Limits) -> Result<DynamicImage>;
#[cfg(feature = "full")]
pub(crate) type DecodeCmyk = fn(&[u8]) -> Result<Cmyk>;
#[cfg(feature = "full")]
pub(crate) type Draw = fn(&[u8], &Drawing) -> Result<DynamicImage>;
pub(crate) type WriteMetadata = fn(&[u8], &Metadata) -> Option<Vec<u8>>;
#[cfg(feature = "full")]
pub(crate) type CarryGainMap = fn(&[u8], &[u8], &Metadata) -> Option<Vec<u8>>;
/// `None`: the file stays as it is.
#[cfg(feature = "core")]
pub(crate) type RewriteFile = fn(&Rewrite) -> Result<Option<Vec<u8>>>;
#[cfg(feature = "full")]
pub(crate) type ReadPages = for<'a> fn(&'a [u8]) -> Result<Vec<Box<dyn Page + 'a>>>;

/// An upright picture, its encoding, whether a profile goes with it (then gray stays gray and color stays color: a profile for the
/// one says nothing about the other), and what is lost.
pub(crate) type Encode = fn(DynamicImage, Encoding, bool, &mut Vec<Warning>) -> Result<Vec<u8>>;

/// A picture and the quality and effort that it is encoded at first.
pub(crate) type Prepare = fn(&DynamicImage, u8, u8) -> Result<Option<Box<dyn PreparedImage>>>;

/// How a scalable picture is drawn.
#[cfg(feature = "full")]
pub(crate) struct Drawing<'a> {
    /// In pixels.
    pub(crate) size: (u32, u32),
    /// What stands over at two sides is cut off.
    pub(crate) crops: bool,
    /// Fonts of the caller, as files.
    pub(crate) fonts: &'a [Vec<u8>],
    pub(crate) limits: &'a Limits,
    /// Decodes the pictures inside it.
    pub(crate) embedded: DecodeEmbedded,
}

/// Decodes a picture of a type, whose header has passed the limits, to upright sRGB; the traits are those of the drawing.
#[cfg(feature = "full")]
pub(crate) type DecodeEmbedded =
    fn(&[u8], filepress_wire::MediaType, &Header, Traits, &Limits) -> Result<image::RgbaImage>;

/// A file that is made smaller as it is.
#[cfg(feature = "core")]
pub(crate) struct Rewrite<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) encoding: Encoding,
    pub(crate) limits: &'a Limits,
    #[cfg(feature = "full")]
    pub(crate) policy: MetadataPolicy,
    /// What stays beside the pixels, with the orientation of those that are not turned.
    #[cfg(feature = "full")]
    pub(crate) metadata: &'a Metadata,
    /// The most bytes that the file may have.
    #[cfg(feature = "full")]
    pub(crate) target: Option<u64>,
    /// Decodes the pictures inside a drawing.
    #[cfg(feature = "full")]
    pub(crate) embedded: DecodeEmbedded,
}

/// How animations of a format are read.
#[cfg(feature = "core")]
pub(crate) struct ReadFrames {
    /// How often the animation plays; 0 is for ever.
    pub(crate) plays: fn(&[u8]) -> u32,
    /// Hands out every frame.
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
    /// Bytes that the encoder keeps for each pixel beside the frames, the file with it, by quality: measured on frames of noise.
    pub(crate) bytes_per_pixel: fn(Option<u8>) -> u64,
    /// Writes what is shown.
    pub(crate) write: WriteAnimation,
}

/// Writes what `play` shows; it may be called twice, and shows the same each time.
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
    /// The pages of a file, in their order.
    pub(crate) read: ReadPages,
    /// An empty document, by effort and by whether a profile goes with it.
    pub(crate) document: fn(u8, bool) -> Box<dyn Document>,
}

/// One page of a document.
#[cfg(feature = "full")]
pub(crate) trait Page {
    /// The header of this page alone.
    fn header(&self) -> Result<Header>;
    /// Its color profile.
    fn profile(&self) -> Option<Vec<u8>>;
    /// EXIF orientation, 1 to 8.
    fn orientation(&self) -> u8;
    /// The pixels as they are stored. The header has passed the limits before.
    fn pixels(&self, limits: &Limits) -> Result<DynamicImage>;
}

/// A file of several pages, coded one by one so that no more than one has to be held as pixels.
#[cfg(feature = "full")]
pub(crate) trait Document {
    /// Appends a page.
    fn add(&mut self, image: DynamicImage) -> Result<()>;
    /// Bytes of the pages so far.
    fn len(&self) -> usize;
    /// The whole file.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}

impl Codec {
    /// What this build does with a format that it does not have.
    pub(crate) const NONE: Self = Self {
        shrinks: false,
        decent_quality: 40,
        carries: Carries::NOTHING,
        prepared_bytes: 0,
        narrowing_bytes: 0,
        #[cfg(feature = "core")]
        probe: |_| None,
        header: None,
        pixels: None,
        #[cfg(feature = "full")]
        cmyk: None,
        #[cfg(feature = "full")]
        draw: None,
        read_metadata: None,
        write_metadata: None,
        encode: None,
        prepare: None,
        #[cfg(feature = "core")]
        rewrite: None,
        #[cfg(feature = "full")]
        carry_gain_map: None,
        #[cfg(feature = "core")]
        is_set: |_| false,
        #[cfg(feature = "core")]
        frame_count: |_| 1,
        #[cfg(feature = "core")]
        read_frames: None,
        #[cfg(feature = "core")]
        write_frames: None,
        #[cfg(feature = "full")]
        pages: None,
    };
}
