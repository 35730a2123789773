//! The sequence header (AV1 specification, section 5.5).

use super::bit_reader::BitReader;
use super::color::ColorConfig;
use crate::error::Error;

/// The value of seq_force_screen_content_tools and seq_force_integer_mv that leaves the choice to each frame.
const CHOSEN_BY_FRAME: u8 = 2;

/// What frame headers need of the sequence header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SequenceHeader {
    pub(crate) profile: u8,
    pub(crate) still_picture: bool,
    pub(crate) reduced: bool,
    /// operating_point_idc of each operating point.
    pub(crate) operating_points: Vec<u16>,
    pub(crate) timing: Timing,
    /// Bits of frame_width_minus_1 and frame_height_minus_1.
    pub(crate) size_bits: (u32, u32),
    pub(crate) max_size: (u32, u32),
    /// Bits of frame ids, and of their differences. None without frame ids.
    pub(crate) frame_id_bits: Option<u32>,
    pub(crate) superblocks_of_128: bool,
    pub(crate) enable_filter_intra: bool,
    pub(crate) enable_intra_edge_filter: bool,
    pub(crate) order_hint_bits: u32,
    /// Whether screen content tools are on; None: each frame tells.
    pub(crate) screen_content_tools: Option<bool>,
    /// Whether motion vectors are whole; None: each frame tells.
    pub(crate) integer_mv: Option<bool>,
    pub(crate) enable_superres: bool,
    pub(crate) enable_cdef: bool,
    pub(crate) enable_restoration: bool,
    pub(crate) color: ColorConfig,
    pub(crate) film_grain_params_present: bool,
}

/// What tells which times a frame header carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timing {
    equal_picture_interval: bool,
    model: Option<DecoderModel>,
    /// decoder_model_present_for_this_op.
    pub(crate) model_of_point: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecoderModel {
    delay_bits: u32,
    removal_bits: u32,
    presentation_bits: u32,
}

impl Timing {
    /// The bits of buffer_removal_time. None if frames have no decoder model.
    pub(crate) fn removal_bits(&self) -> Option<u32> {
        self.model.map(|model| model.removal_bits)
    }

    /// The bits of frame_presentation_time; 0 if there is none.
    pub(crate) fn presentation_bits(&self) -> u32 {
        self.model.filter(|_| !self.equal_picture_interval).map_or(0, |model| model.presentation_bits)
    }
}

impl SequenceHeader {
    /// The reduced header of a still picture of this size, with every tool that intra frames have but superres, in superblocks of 64.
    pub(crate) fn of_still(max_size: (u32, u32), color: ColorConfig) -> Self {
        let bits = |side: u32| (32 - (side - 1).leading_zeros()).max(1);
        let profile = match (color.bit_depth, color.monochrome, color.subsampling_x, color.subsampling_y) {
            (12, ..) | (_, false, true, false) => 2,
            (_, false, false, _) => 1,
            _ => 0,
        };
        Self {
            profile,
            still_picture: true,
            reduced: true,
            operating_points: vec![0],
            timing: Timing::default(),
            size_bits: (bits(max_size.0), bits(max_size.1)),
            max_size,
            frame_id_bits: None,
            superblocks_of_128: false,
            enable_filter_intra: true,
            enable_intra_edge_filter: true,
            order_hint_bits: 0,
            screen_content_tools: None,
            integer_mv: None,
            enable_superres: false,
            enable_cdef: true,
            enable_restoration: false,
            color,
            film_grain_params_present: false,
        }
    }

    pub(crate) fn read(payload: &[u8]) -> Result<Self, Error> {
        let reader = &mut BitReader::new(payload);
        let profile = reader.byte(3)?;
        if profile > 2 {
            return Err(Error::Unsupported("an AV1 profile above 2"));
        }
        let still_picture = reader.flag()?;
        let reduced = reader.flag()?;
        let mut timing = Timing::default();
        let mut operating_points = vec![0];
        if reduced {
            reader.bits(5)?;
        } else {
            operating_points = read_operating_points(reader, &mut timing)?;
        }
        let size_bits = (reader.bits(4)? + 1, reader.bits(4)? + 1);
        let max_size = (reader.bits(size_bits.0)? + 1, reader.bits(size_bits.1)? + 1);
        let mut frame_id_bits = None;
        if !reduced && reader.flag()? {
            let delta = reader.bits(4)? + 2;
            frame_id_bits = Some(reader.bits(3)? + delta + 1);
        }
        let superblocks_of_128 = reader.flag()?;
        let enable_filter_intra = reader.flag()?;
        let enable_intra_edge_filter = reader.flag()?;
        let tools = if reduced { InterTools::default() } else { InterTools::read(reader)? };
        Ok(Self {
            profile,
            still_picture,
            reduced,
            operating_points,
            timing,
            size_bits,
            max_size,
            frame_id_bits,
            superblocks_of_128,
            enable_filter_intra,
            enable_intra_edge_filter,
            order_hint_bits: tools.order_hint_bits,
            screen_content_tools: tools.screen_content_tools,
            integer_mv: tools.integer_mv,
            enable_superres: reader.flag()?,
            enable_cdef: reader.flag()?,
            enable_restoration: reader.flag()?,
            color: ColorConfig::read(reader, profile)?,
            film_grain_params_present: reader.flag()?,
        })
    }
}

fn read_operating_points(reader: &mut BitReader<'_>, timing: &mut Timing) -> Result<Vec<u16>, Error> {
    if reader.flag()? {
        reader.bits(32)?;
        reader.bits(32)?;
        timing.equal_picture_interval = reader.flag()?;
        if timing.equal_picture_interval {
            reader.skip_variable_length()?;
        }
        if reader.flag()? {
            let delay_bits = reader.bits(5)? + 1;
            reader.bits(32)?;
            timing.model = Some(DecoderModel {
                delay_bits,
                removal_bits: reader.bits(5)? + 1,
                presentation_bits: reader.bits(5)? + 1,
            });
        }
    }
    let has_display_delay = reader.flag()?;
    let count = reader.bits(5)? + 1;
    let mut points = Vec::new();
    for _ in 0..count {
        points.push(reader.bits(12)? as u16);
        if reader.bits(5)? > 7 {
            reader.flag()?;
        }
        let mut has_model = false;
        if let Some(model) = timing.model {
            has_model = reader.flag()?;
            if has_model {
                reader.bits(model.delay_bits)?;
                reader.bits(model.delay_bits)?;
                reader.flag()?;
            }
        }
        timing.model_of_point.push(has_model);
        if has_display_delay && reader.flag()? {
            reader.bits(4)?;
        }
    }
    Ok(points)
}

/// What only sequences with inter frames need to tell.
#[derive(Default)]
struct InterTools {
    order_hint_bits: u32,
    screen_content_tools: Option<bool>,
    integer_mv: Option<bool>,
}

impl InterTools {
    fn read(reader: &mut BitReader<'_>) -> Result<Self, Error> {
        // enable_interintra_compound, enable_masked_compound, enable_warped_motion, enable_dual_filter.
        reader.bits(4)?;
        let has_order_hints = reader.flag()?;
        if has_order_hints {
            // enable_jnt_comp, enable_ref_frame_mvs.
            reader.bits(2)?;
        }
        let choice = |reader: &mut BitReader<'_>| match reader.flag()? {
            true => Ok(CHOSEN_BY_FRAME),
            false => reader.byte(1),
        };
        let screen_content_tools = choice(reader)?;
        let integer_mv = if screen_content_tools > 0 { choice(reader)? } else { CHOSEN_BY_FRAME };
        let order_hint_bits = if has_order_hints { reader.bits(3)? + 1 } else { 0 };
        let known = |value: u8| (value != CHOSEN_BY_FRAME).then_some(value != 0);
        Ok(Self {
            order_hint_bits,
            screen_content_tools: known(screen_content_tools),
            integer_mv: known(integer_mv),
        })
    }
}
