//! An input file after its header was read: its properties, and the decisions that follow from them and from the
//! request before a pixel is decoded.

use filepress_wire::MediaType;
use image::DynamicImage;

use crate::error::{Error, ErrorCode, Result};
#[cfg(feature = "full")]
use crate::formats::codec::Drawing;
use crate::formats::codec_of;
use crate::formats::decode::{self, ColorModel, Header};
#[cfg(feature = "pictures")]
use crate::formats::header_probe;
use crate::formats::{self, Build, Traits, metadata};
use crate::image::color_profile::{self, Additions, ProfileAction};
#[cfg(feature = "full")]
use crate::image::embedded;
use crate::image::geometry::{Geometry, Sides};
use crate::image::memory::Cost;
use crate::image::overlay::Mark;
use crate::image::pad::Padding;
use crate::image::pipeline::{Decoded, Stages};
use crate::image::progress::Reporter;
use crate::image::resize::Target;
use crate::image::resized_rows;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::options::{Background, Edit, Resize};
use crate::warning::Warning;

/// What is requested of a file.
pub(crate) struct DecodeRequest<'a> {
    /// The type of the file.
    pub(crate) media: MediaType,
    /// The part and how it is turned, and the size; `None` keeps that of the part.
    pub(crate) shape: (Edit, Option<Resize>),
    /// The longest sides of the output.
    pub(crate) sides: Sides,
    /// What the output can store, and the background that the call names.
    pub(crate) output: (Traits, Option<Background>),
    /// The color model of what is laid over the output.
    pub(crate) overlay: Option<ColorModel>,
    /// Font files for an SVG.
    pub(crate) fonts: &'a [Vec<u8>],
    pub(crate) limits: Limits,
    /// The memory that the job needs.
    pub(crate) cost: Cost,
}

/// A file that has passed the limits.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) media: MediaType,
    pub(crate) header: Header,
    pub(crate) geometry: Geometry,
    pub(crate) metadata: Metadata,
    pub(crate) profile: ProfileAction,
    /// Whether the picture passes from its decoder to its encoder in bands of rows.
    pub(crate) in_bands: bool,
    /// Whether the picture passes from its decoder to the resize stage in bands, and is whole after it.
    resizes_in_bands: bool,
    /// The estimated peak memory of the whole request in bytes.
    pub(crate) memory: u64,
    /// The same if the whole picture is decoded, because it is shared with other requests.
    pub(crate) memory_of_whole: u64,
    /// The color model of what is laid over the output.
    pub(crate) overlay: Option<ColorModel>,
    output: (Traits, Option<Background>),
    #[cfg_attr(not(feature = "full"), allow(dead_code))]
    fonts: &'a [Vec<u8>],
    pub(crate) limits: Limits,
}

impl<'a> Source<'a> {
    /// Reads the header and checks the limits; nothing that grows with the image is allocated here.
    pub(crate) fn open(bytes: &'a [u8], request: DecodeRequest<'a>) -> Result<Self> {
        let DecodeRequest { media, shape, sides, output, overlay, fonts, limits, cost } = request;
        let header = checked_header(bytes, media, &limits)?;
        let metadata = metadata::read(bytes, media);
        let geometry = Geometry::plan(&header, metadata.orientation(), shape, sides)?;
        limits.check_pixels("output", geometry.width, geometry.height)?;
        let padding = Padding::of(&geometry, output);
        let is_gray = header.color_model == ColorModel::Gray;
        let is_recolored = overlay.is_some_and(|model| model != ColorModel::Gray) && is_gray;
        let cost = Cost { is_recolored, ..cost };
        let added = Additions::of(padding, overlay.is_some(), is_recolored);
        let profile = color_profile::profile_action(&metadata, &header, output.0, added);
        let header = profile.header_of(header);
        let row_memory = row_memory(bytes, media, &header).filter(|_| !profile.converts());
        // No encoder takes rows of more than 8 bits, or with alpha.
        let is_plain = !header.has_alpha && header.decoded_depth() <= 8;
        let in_bands = cost.takes_rows && is_plain && geometry.takes_rows() && !is_recolored;
        // The frames of an animation are decoded whole.
        let is_animated = header.frames > 1 && cost.animation.is_some();
        let resizes_in_bands = !in_bands && !is_animated && geometry.resizes() && !geometry.crops();
        let searching = geometry.searching_estimate(bytes.len(), &header);
        let memory_of_whole = geometry.memory_estimate(bytes.len(), &header, &cost).max(searching);
        let memory = match row_memory {
            Some(kept) if in_bands => geometry.memory_estimate_in_bands(bytes.len(), &header, kept, &cost),
            Some(kept) if resizes_in_bands => {
                geometry.memory_estimate_of_bands(bytes.len(), &header, kept, &cost)
            }
            _ => memory_of_whole,
        };
        let memory = memory.max(searching);
        limits.check_memory(memory)?;
        if profile.converts() {
            check_build(Build::Full)?;
        }
        Ok(Self {
            bytes,
            media,
            header,
            geometry,
            metadata,
            profile,
            in_bands: in_bands && row_memory.is_some(),
            resizes_in_bands: resizes_in_bands && row_memory.is_some(),
            memory,
            memory_of_whole,
            overlay,
            output,
            fonts,
            limits,
        })
    }

    /// The same source, as a strategy looks at it: whatever the output can store.
    #[cfg(feature = "pictures")]
    pub(crate) fn overview(&self) -> Self {
        Self {
            header: self.header,
            geometry: self.geometry.overview(),
            metadata: self.metadata.clone(),
            overlay: None,
            output: (Traits::ALPHA, None),
            in_bands: false,
            resizes_in_bands: false,
            ..*self
        }
    }

    /// A file of the same format that belongs to this picture. It is not a picture that is looked at, so that its profile and its
    /// orientation have no effect. Its limits are for the caller to check.
    #[cfg(feature = "core")]
    pub(crate) fn beside(&self, bytes: &'a [u8], header: Header, geometry: Geometry, cost: &Cost) -> Self {
        let row_memory = row_memory(bytes, self.media, &header)
            .filter(|_| cost.takes_rows && header.decoded_depth() <= 8 && geometry.takes_rows());
        let memory_of_whole = geometry.memory_estimate(bytes.len(), &header, cost);
        Self {
            bytes,
            media: self.media,
            header,
            geometry,
            metadata: Metadata::default(),
            profile: ProfileAction::Carried,
            in_bands: row_memory.is_some(),
            resizes_in_bands: false,
            memory: match row_memory {
                Some(decoder) => geometry.memory_estimate_in_bands(bytes.len(), &header, decoder, cost),
                None => memory_of_whole,
            },
            memory_of_whole,
            overlay: None,
            output: self.output,
            fonts: &[],
            limits: self.limits,
        }
    }

    /// The same source with other limits for decoding.
    #[cfg(feature = "core")]
    pub(crate) fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Whether the output of this type is of the type of the file, and shows all of its pixels as they are stored.
    pub(crate) fn keeps_pixels(&self, output: MediaType) -> bool {
        output == self.media
            && self.overlay.is_none()
            && self.geometry.keeps_rows()
            && !self.geometry.crops()
            && !self.profile.converts()
    }

    /// Width and height of the output in pixels, upright.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.geometry.width, self.geometry.height)
    }

    /// Whether the output shows something else than the upright picture in its size.
    pub(crate) fn changes(&self) -> bool {
        self.geometry.changes() || self.overlay.is_some()
    }

    /// What is added around the picture.
    pub(crate) fn padding(&self) -> Option<Padding> {
        Padding::of(&self.geometry, self.output)
    }

    /// Whether the file is an animation. Of an animated AVIF only the first frame can be read.
    pub(crate) fn is_animated(&self) -> bool {
        self.header.frames > 1 && formats::of(self.media).is_some_and(|format| format.has(Traits::MOVES))
    }

    /// Decodes the first picture and runs all stages: upright, in the output's size and pixel type, with what is laid over it. The stages
    /// are reported to `progress`.
    pub(crate) fn picture(
        &self,
        overlay: Option<&Mark>,
        progress: Option<&mut Reporter<'_>>,
        warnings: &mut Vec<Warning>,
    ) -> Result<DynamicImage> {
        #[cfg(feature = "full")]
        if let (true, Some(draw)) = (self.header.scalable, codec_of(self.media).draw) {
            let Geometry { part, position, orientation, .. } = self.geometry;
            let (size, fonts, limits) = (self.geometry.stored_target(), self.fonts, &self.limits);
            let share = part.share_of((self.header.width, self.header.height));
            let embedded = embedded::decode;
            let drawn = draw(self.bytes, &Drawing { size, share, position, fonts, limits, embedded })?;
            let (output, padding) = (Some(self.output), self.padding());
            let stages = Stages { orientation, output, padding, overlay, ..Stages::KEPT };
            return stages.run(Decoded::Pixels(drawn), progress, warnings);
        }
        let stages = Stages { overlay, ..self.stages() };
        if let (true, Some(read)) = (self.resizes_in_bands, codec_of(self.media).read_rows) {
            let rows = read(self.bytes, self.geometry.reduction(&self.header), &self.limits)?;
            let mut progress = progress;
            let begin = &mut || {
                if let Some(progress) = progress.as_deref_mut() {
                    progress.resize();
                }
            };
            let (size, name) = (self.geometry.stored_target(), self.media.name());
            let resized = resized_rows::whole(rows, size, self.row_target(), name, begin)?;
            return Stages { resize: None, ..stages }.run(Decoded::Pixels(resized), None, warnings);
        }
        stages.run(self.decoded()?, progress, warnings)
    }

    /// Decodes the first picture, at the reduction of the geometry.
    pub(crate) fn decoded(&self) -> Result<Decoded> {
        Ok(match (self.header.color_model, self.profile) {
            #[cfg(feature = "full")]
            (ColorModel::Cmyk, ProfileAction::Applied) => {
                Decoded::Cmyk(decode::cmyk(self.bytes, self.media)?)
            }
            _ => {
                let reduction = self.geometry.reduction(&self.header);
                Decoded::Pixels(decode::reduced_pixels(self.bytes, self.media, &self.limits, reduction)?)
            }
        })
    }

    /// What the rows of the picture become that a decoder reads at the reduction of the geometry.
    pub(crate) fn row_target(&self) -> Target {
        let extent = self.geometry.reduced_part(&self.header);
        Target::new(extent, self.geometry.stored_target(), self.geometry.position)
    }

    /// The stages for what [`decoded`](Self::decoded) gives.
    pub(crate) fn stages(&self) -> Stages<'_> {
        let extent = self.geometry.reduced_part(&self.header);
        Stages {
            profile: (self.profile, self.metadata.icc.as_deref()),
            output: Some(self.output),
            padding: self.padding(),
            ..Stages::of(&self.geometry, extent, self.geometry.stored_target())
        }
    }
}

/// The bytes that a decoder keeps which reads the rows of a picture one after another. `None` if there is no such decoder.
fn row_memory(bytes: &[u8], media: MediaType, header: &Header) -> Option<u64> {
    let codec = codec_of(media);
    codec.read_rows.and_then(|_| (codec.row_memory)(bytes, header))
}

/// Reads the header of a file that is within the limits.
pub(crate) fn checked_header(bytes: &[u8], media: MediaType, limits: &Limits) -> Result<Header> {
    limits.check_input(bytes.len() as u64)?;
    #[cfg(feature = "pictures")]
    if let Some((width, height)) = header_probe::claimed_size(bytes, media) {
        limits.check_pixels("input", width, height)?;
    }
    let header = decode::header(bytes, media)?;
    if !header.scalable {
        limits.check_pixels("input", header.width, header.height)?;
    }
    Ok(header)
}

/// Refuses a job that needs another build than this one.
pub(crate) fn check_build(least: Build) -> Result<()> {
    if least.is_here() {
        return Ok(());
    }
    let message = format!("The call needs the `{}` build.", least.as_str());
    Err(Error::new(ErrorCode::NotInBuild, message).with_detail("build", least.as_str()))
}
