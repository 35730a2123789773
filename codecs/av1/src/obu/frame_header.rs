//! The frame header of intra frames (AV1 specification, section 5.9).

use super::bit_reader::BitReader;
use super::film_grain::read_film_grain;
use super::frame_size::FrameSize;
use super::loop_filters::{CdefParams, LoopFilterParams, RestorationParams};
use super::quantizer::QuantizerParams;
use super::segmentation::{Feature, Segmentation};
use super::sequence::SequenceHeader;
use super::tile_info::TileInfo;
use crate::error::Error;
use crate::film_grain::FilmGrain;

const KEY_FRAME: u32 = 0;
const INTRA_ONLY_FRAME: u32 = 2;
/// The level of quantizer matrices that means none.
const NO_MATRIX: u8 = 15;

/// What a frame header unit holds.
pub(crate) enum Header {
    /// show_existing_frame: the number of the stored frame.
    ShowExisting(usize),
    /// A frame that is coded in this unit and the tile groups that follow.
    Frame(Box<FrameHeader>),
}

/// What a frame header depends on beside its own bits.
pub(crate) struct HeaderContext<'a> {
    pub(crate) sequence: &'a SequenceHeader,
    /// temporal_id and spatial_id.
    pub(crate) layer: (u8, u8),
}

/// The header of an intra frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    pub(crate) is_key: bool,
    pub(crate) show_frame: bool,
    /// showable_frame: whether it may be shown later, or again.
    pub(crate) is_showable: bool,
    /// The stored frames that this one replaces, a bit for each.
    pub(crate) refresh_frame_flags: u8,
    pub(crate) disable_cdf_update: bool,
    pub(crate) allow_screen_content_tools: bool,
    pub(crate) allow_intrabc: bool,
    pub(crate) size: FrameSize,
    pub(crate) tiles: TileInfo,
    pub(crate) quantizer: QuantizerParams,
    pub(crate) segmentation: Segmentation,
    /// LosslessArray.
    pub(crate) lossless: [bool; 8],
    /// CodedLossless: all segments are lossless.
    pub(crate) coded_lossless: bool,
    pub(crate) loop_filter: LoopFilterParams,
    /// None if it is not enabled.
    pub(crate) cdef: Option<CdefParams>,
    pub(crate) restoration: RestorationParams,
    /// Whether TxMode is TX_MODE_SELECT.
    pub(crate) tx_mode_select: bool,
    pub(crate) reduced_tx_set: bool,
    pub(crate) film_grain: Option<FilmGrain>,
}

/// What comes before the size of the frame.
struct Start {
    is_key: bool,
    show_frame: bool,
    is_showable: bool,
    error_resilient: bool,
}

impl Header {
    /// Reads a header, and returns what follows it, from the next whole byte on.
    pub(crate) fn read<'a>(
        payload: &'a [u8],
        context: &HeaderContext<'_>,
    ) -> Result<(Self, &'a [u8]), Error> {
        let mut reader = BitReader::new(payload);
        let sequence = context.sequence;
        if !sequence.reduced && reader.flag()? {
            return Ok((Self::ShowExisting(reader.bits(3)? as usize), &[]));
        }
        let start = Start::read(&mut reader, sequence)?;
        let frame = FrameHeader::read(&mut reader, context, &start)?;
        Ok((Self::Frame(Box::new(frame)), reader.rest()))
    }
}

impl Start {
    fn read(reader: &mut BitReader<'_>, sequence: &SequenceHeader) -> Result<Self, Error> {
        if sequence.reduced {
            return Ok(Self { is_key: true, show_frame: true, is_showable: false, error_resilient: true });
        }
        let frame_type = reader.bits(2)?;
        if !matches!(frame_type, KEY_FRAME | INTRA_ONLY_FRAME) {
            return Err(Error::Unsupported("an inter frame"));
        }
        let is_key = frame_type == KEY_FRAME;
        let show_frame = reader.flag()?;
        if show_frame {
            reader.bits(sequence.timing.presentation_bits())?;
        }
        let is_showable = if show_frame { !is_key } else { reader.flag()? };
        let error_resilient = is_key && show_frame || reader.flag()?;
        Ok(Self { is_key, show_frame, is_showable, error_resilient })
    }

    /// refresh_frame_flags, and the order hints that follow it.
    fn read_refresh_flags(&self, reader: &mut BitReader<'_>, sequence: &SequenceHeader) -> Result<u8, Error> {
        if self.is_key && self.show_frame {
            return Ok(u8::MAX);
        }
        let flags = reader.byte(8)?;
        if flags == u8::MAX && !self.is_key {
            return Err(Error::Corrupt("an intra-only frame replaces all stored frames"));
        }
        if flags != u8::MAX && self.error_resilient && sequence.order_hint_bits > 0 {
            for _ in 0..8 {
                reader.bits(sequence.order_hint_bits)?;
            }
        }
        Ok(flags)
    }
}

impl FrameHeader {
    /// The header of a still picture without segments, with filters off.
    pub(crate) fn of_still(size: FrameSize, tiles: TileInfo, quantizer: QuantizerParams) -> Self {
        Self {
            is_key: true,
            show_frame: true,
            is_showable: false,
            refresh_frame_flags: u8::MAX,
            disable_cdf_update: false,
            allow_screen_content_tools: false,
            allow_intrabc: false,
            size,
            tiles,
            quantizer,
            segmentation: Segmentation::default(),
            lossless: [false; 8],
            coded_lossless: false,
            loop_filter: LoopFilterParams::OFF,
            cdef: None,
            restoration: RestorationParams::OFF,
            tx_mode_select: true,
            reduced_tx_set: false,
            film_grain: None,
        }
    }

    fn read(reader: &mut BitReader<'_>, context: &HeaderContext<'_>, start: &Start) -> Result<Self, Error> {
        let sequence = context.sequence;
        let disable_cdf_update = reader.flag()?;
        let allow_screen_content_tools = match sequence.screen_content_tools {
            Some(allow) => allow,
            None => reader.flag()?,
        };
        if allow_screen_content_tools && sequence.integer_mv.is_none() {
            // force_integer_mv, which is 1 in intra frames.
            reader.flag()?;
        }
        reader.bits(sequence.frame_id_bits.unwrap_or(0))?;
        let overrides_size = !sequence.reduced && reader.flag()?;
        reader.bits(sequence.order_hint_bits)?;
        skip_removal_times(reader, context)?;
        let refresh_frame_flags = start.read_refresh_flags(reader, sequence)?;
        let size = FrameSize::read(reader, sequence, overrides_size)?;
        let allow_intrabc = allow_screen_content_tools && !size.uses_superres() && reader.flag()?;
        if !sequence.reduced && !disable_cdf_update {
            // disable_frame_end_update_cdf.
            reader.flag()?;
        }
        let tiles = TileInfo::read(reader, &size, sequence.superblocks_of_128)?;
        let mut quantizer = QuantizerParams::read(reader, &sequence.color)?;
        let segmentation = Segmentation::read(reader)?;
        quantizer.read_deltas(reader, allow_intrabc)?;
        let mut frame = Self {
            is_key: start.is_key,
            show_frame: start.show_frame,
            is_showable: start.is_showable,
            refresh_frame_flags,
            disable_cdf_update,
            allow_screen_content_tools,
            allow_intrabc,
            size,
            tiles,
            quantizer,
            segmentation,
            lossless: [false; 8],
            coded_lossless: false,
            loop_filter: LoopFilterParams::OFF,
            cdef: None,
            restoration: RestorationParams::OFF,
            tx_mode_select: false,
            reduced_tx_set: false,
            film_grain: None,
        };
        frame.lossless = std::array::from_fn(|segment| {
            quantizer.has_no_deltas() && frame.base_q_idx_of(segment as u8) == 0
        });
        frame.coded_lossless = frame.lossless == [true; 8];
        frame.read_filters(reader, sequence)?;
        frame.tx_mode_select = !frame.coded_lossless && reader.flag()?;
        frame.reduced_tx_set = reader.flag()?;
        if sequence.film_grain_params_present && (start.show_frame || start.is_showable) {
            frame.film_grain = read_film_grain(reader, &sequence.color)?;
        }
        Ok(frame)
    }

    fn read_filters(&mut self, reader: &mut BitReader<'_>, sequence: &SequenceHeader) -> Result<(), Error> {
        let planes = sequence.color.planes();
        let is_filtered = !self.coded_lossless && !self.allow_intrabc;
        if is_filtered {
            self.loop_filter = LoopFilterParams::read(reader, planes)?;
        }
        if is_filtered && sequence.enable_cdef {
            self.cdef = Some(CdefParams::read(reader, planes)?);
        }
        let all_lossless = self.coded_lossless && !self.size.uses_superres();
        if !all_lossless && !self.allow_intrabc && sequence.enable_restoration {
            let is_420 = sequence.color.subsampling_x && sequence.color.subsampling_y;
            self.restoration = RestorationParams::read(reader, planes, sequence.superblocks_of_128, is_420)?;
        }
        Ok(())
    }

    /// get_qindex( 1, segment ): the quantizer index without the changes by blocks.
    pub(crate) fn base_q_idx_of(&self, segment: u8) -> u8 {
        self.q_idx_of(segment, self.quantizer.base_q_idx)
    }

    /// get_qindex( 0, segment ), where `current` is CurrentQIndex.
    pub(crate) fn q_idx_of(&self, segment: u8, current: u8) -> u8 {
        let change = self.segmentation.feature(segment, Feature::Quantizer).unwrap_or(0);
        (i32::from(current) + change).clamp(0, 255) as u8
    }

    /// SegQMLevel of a plane, if its coefficients are weighted.
    pub(crate) fn matrix_level(&self, segment: u8, plane: usize) -> Option<usize> {
        let level = self.quantizer.matrix_level?[plane];
        let is_weighted = level < NO_MATRIX && !self.lossless[usize::from(segment)];
        is_weighted.then_some(usize::from(level))
    }
}

/// Skips buffer_removal_time of the operating points that the frame belongs to.
fn skip_removal_times(reader: &mut BitReader<'_>, context: &HeaderContext<'_>) -> Result<(), Error> {
    let sequence = context.sequence;
    let Some(bits) = sequence.timing.removal_bits() else { return Ok(()) };
    if !reader.flag()? {
        return Ok(());
    }
    let (temporal, spatial) = context.layer;
    for (idc, has_model) in sequence.operating_points.iter().zip(&sequence.timing.model_of_point) {
        let is_in = *idc == 0 || idc >> temporal & 1 != 0 && idc >> (spatial + 8) & 1 != 0;
        if *has_model && is_in {
            reader.bits(bits)?;
        }
    }
    Ok(())
}
