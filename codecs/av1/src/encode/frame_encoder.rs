//! A picture as a bitstream: headers, tiles, and the filters of the frame.

use super::activity::Activity;
use super::copy_index::CopyIndex;
use super::delta_q;
use super::filter_sample::FilterSample;
use super::filter_search::{choose_cdef, choose_deblocking};
use super::options::EncodeOptions;
use super::palette_search::suits_palettes;
use super::settings::Settings;
use super::tile_encoder::TileEncoder;
use super::{headers, units};
use crate::decoder::post_filters;
use crate::error::Error;
use crate::frame::FrameState;
use crate::obu::{
    CdefParams, ColorConfig, FrameHeader, FrameSize, QuantizerParams, SequenceHeader, TileInfo,
};
use crate::picture::Picture;
use crate::plane::Plane;
use crate::postfilter;
use crate::tile::{TileBounds, TileState, Workspace};

/// MatrixCoefficients of ITU-T H.273 for red, green and blue, which are never subsampled.
const IDENTITY: u8 = 0;
/// The color description that implies the full range (AV1 specification, section 5.5.2).
const SRGB: [u8; 3] = [1, 13, IDENTITY];
/// How many levels steeper the quantizer matrices of textured pictures are.
const STEEPER_BY_TEXTURE: f32 = 4.0;
/// The quantizer indices that make up for one of these levels.
const INDICES_FOR_LEVEL: u8 = 3;
/// The largest side of a picture.
const MAX_SIDE: usize = 65_536;

/// A picture that was encoded.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Open bitstream units in the low-overhead format, as an AVIF item has them: a sequence header and a frame.
    pub obus: Vec<u8>,
    /// The first four bytes of an `av1C` box (AV1 in ISOBMFF, 2.3.3), which may end there.
    pub configuration: [u8; 4],
}

/// Encodes a still picture.
///
/// # Errors
/// [`Error::Unsupported`] for 12 bits, 4:2:2 and 4:4:0, and for pictures wider or higher than 65,536 pixels;
/// [`Error::OutOfMemory`].
pub fn encode(picture: &Picture, options: &EncodeOptions) -> Result<Encoded, Error> {
    Ok(Coded::new(picture, options)?.encoded())
}

/// As [`encode`], with the picture that decoders make of it.
///
/// # Errors
/// As [`encode`].
pub fn encode_with_reconstruction(
    picture: &Picture,
    options: &EncodeOptions,
) -> Result<(Encoded, Picture), Error> {
    let mut coded = Coded::new(picture, options)?;
    let mut planes = std::mem::take(&mut coded.frame.planes);
    postfilter::apply(&mut planes, &post_filters(&coded.sequence, &coded.header, &coded.frame))?;
    Ok((coded.encoded(), Picture::new(planes, *picture.color())))
}

/// A frame whose tiles are encoded and whose filters are chosen.
struct Coded {
    sequence: SequenceHeader,
    header: FrameHeader,
    frame: FrameState,
    tiles: Vec<Vec<u8>>,
}

impl Coded {
    fn new(picture: &Picture, options: &EncodeOptions) -> Result<Self, Error> {
        check(picture)?;
        if !is_padded(picture) {
            return Self::new(&padded(picture)?, options);
        }
        let source = picture.planes();
        let color = *picture.color();
        let (width, height) = (picture.width(), picture.height());
        let sequence = SequenceHeader::of_still((width as u32, height as u32), color);
        let activity = Activity::new(&source[0], color.bit_depth)?;
        let size = FrameSize { upscaled_width: width, width, height, superres_denom: 8 };
        let tiles = TileInfo::fewest(&size, sequence.superblocks_of_128);
        let mut header = FrameHeader::of_still(size, tiles, quantizer(options, activity.texture()));
        let is_drawn = suits_palettes(&source[0], color.bit_depth);
        header.allow_screen_content_tools = is_drawn;
        let copies = if is_drawn { CopyIndex::new(&source[0], color.bit_depth)? } else { None };
        header.allow_intrabc = copies.is_some();
        prepare_filters(&mut header, options.lossless);
        let settings = match options.lossless {
            true => Settings::lossless(options.effort, is_drawn),
            false => Settings::new(options.effort, is_drawn),
        };
        let mut frame = FrameState::new(&sequence, &header)?;
        let mut tiles = Vec::with_capacity(header.tiles.count());
        {
            let mut workspace = Workspace::new(&frame, header.allow_screen_content_tools)?;
            for number in 0..header.tiles.count() {
                let bounds = bounds(&header.tiles, number);
                let tile = TileState::new(&sequence, &header, &mut frame, &mut workspace, bounds);
                tiles.push(TileEncoder::new(tile, source, &settings, &activity, copies.as_ref())?.encode());
            }
        }
        if !header.coded_lossless && !header.allow_intrabc {
            let sample =
                FilterSample::new(source, &frame.planes, color.subsampling(1).1, settings.filter_sample)?;
            choose_deblocking(&sequence, &mut header, &mut frame, &sample)?;
            if settings.cdef {
                choose_cdef(&sequence, &mut header, &frame, &sample)?;
            }
        }
        Ok(Self { sequence, header, frame, tiles })
    }

    fn encoded(&self) -> Encoded {
        let Self { sequence, header, tiles, .. } = self;
        let mut obus = Vec::new();
        units::append(&mut obus, units::SEQUENCE_HEADER, &headers::sequence(sequence));
        let payload = units::frame(&headers::frame(header, sequence), tiles, &header.tiles);
        units::append(&mut obus, units::FRAME, &payload);
        Encoded { obus, configuration: headers::configuration(sequence) }
    }
}

fn check(picture: &Picture) -> Result<(), Error> {
    let color @ ColorConfig { bit_depth, monochrome, subsampling_x, subsampling_y, .. } = *picture.color();
    if !matches!(bit_depth, 8 | 10) {
        return Err(Error::Unsupported("encoding of this bit depth"));
    }
    if !monochrome && subsampling_x != subsampling_y {
        return Err(Error::Unsupported("encoding of this chroma format"));
    }
    let codes = [color.color_primaries, color.transfer_characteristics, color.matrix_coefficients];
    if codes[2] == IDENTITY && (color.monochrome || color.subsampling_x) || codes == SRGB && !color.full_range
    {
        return Err(Error::Unsupported("encoding of this color description"));
    }
    match picture.width().max(picture.height()) <= MAX_SIDE {
        true => Ok(()),
        false => Err(Error::Unsupported("a picture of more than 65,536 pixels a side")),
    }
}

/// The quantizer of a picture, by how textured it is. The matrices are steeper then, and the steps less, for about the same quality.
fn quantizer(options: &EncodeOptions, texture: f32) -> QuantizerParams {
    let index = options.base_q_idx();
    let is_lossy = !options.lossless;
    let smooth = matrix_level_of_smooth(index);
    let level = smooth.saturating_sub((STEEPER_BY_TEXTURE * texture + 0.5) as u8);
    let finer = index.saturating_sub(INDICES_FOR_LEVEL * (smooth - level)).max(1);
    QuantizerParams {
        base_q_idx: if is_lossy { finer } else { index },
        delta_dc: [0; 3],
        delta_ac: [0; 3],
        matrix_level: is_lossy.then_some([level; 3]),
        delta_q_res: is_lossy.then_some(delta_q::RESOLUTION),
        delta_lf: None,
    }
}

/// The filters while tiles are encoded: on, so that what they need is recorded. Lossless pictures, and those with copies, have none.
fn prepare_filters(header: &mut FrameHeader, lossless: bool) {
    if lossless {
        header.lossless = [true; 8];
        header.coded_lossless = true;
        header.tx_mode_select = false;
        return;
    }
    if header.allow_intrabc {
        return;
    }
    header.loop_filter.level = [1; 4];
    header.cdef = Some(CdefParams { damping: 3, bits: 0, y: [[0; 2]; 8], uv: [[0; 2]; 8] });
}

/// The quantizer matrices of smooth pictures for a quantizer index: 0 is the steepest, from 15 on there are none. The coarser the picture
/// is, the more of its fine detail is given up first.
fn matrix_level_of_smooth(base_q_idx: u8) -> u8 {
    match base_q_idx {
        0..=100 => 6,
        101..=165 => 4,
        _ => 2,
    }
}

fn bounds(tiles: &TileInfo, number: usize) -> TileBounds {
    let (row, col) = (number / tiles.cols(), number % tiles.cols());
    TileBounds {
        row_start: tiles.row_starts[row],
        row_end: tiles.row_starts[row + 1],
        col_start: tiles.col_starts[col],
        col_end: tiles.col_starts[col + 1],
    }
}

/// Whether the planes have the padding of a frame: those of an upscaled frame may have less.
fn is_padded(picture: &Picture) -> bool {
    let enough = |(plane, samples): (usize, &Plane)| {
        let (ss_x, ss_y) = picture.color().subsampling(plane);
        samples.stride << ss_x >= picture.width().next_multiple_of(64)
            && samples.padded_height() << ss_y >= picture.height().next_multiple_of(64)
    };
    picture.planes().iter().enumerate().all(enough)
}

fn padded(picture: &Picture) -> Result<Picture, Error> {
    Picture::filled((picture.width(), picture.height()), *picture.color(), |planes| {
        for (plane, rows) in planes.into_iter().enumerate() {
            rows.enumerate().for_each(|(y, row)| row.copy_from_slice(picture.row(plane, y)));
        }
    })
}
