//! A picture as a bitstream: headers, tiles, and the filters of the frame.

use super::filter_search::{choose_cdef, choose_deblocking};
use super::options::EncodeOptions;
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

/// The largest side of a picture.
const MAX_SIDE: usize = 65_536;

/// A picture that was encoded.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Open bitstream units in the low-overhead format, as an AVIF item has them: a sequence header and a frame.
    pub obus: Vec<u8>,
    /// What decoders make of them.
    pub reconstruction: Picture,
}

/// Encodes a still picture.
///
/// Samples above the largest of the bit depth count as the largest.
///
/// # Errors
/// [`Error::Unsupported`] for 12 bits, 4:2:2 and 4:4:0, and for pictures wider or higher than 65,536 pixels;
/// [`Error::OutOfMemory`].
pub fn encode(picture: &Picture, options: &EncodeOptions) -> Result<Encoded, Error> {
    check(picture)?;
    let color = *picture.color();
    let (width, height) = (picture.width(), picture.height());
    let sequence = SequenceHeader::of_still((width as u32, height as u32), color);
    let mut header = still_header((width, height), options, sequence.superblocks_of_128);
    let settings = Settings::new(options.effort);
    let source = padded(picture)?;
    let mut frame = FrameState::new(&sequence, &header)?;
    let mut tiles = Vec::with_capacity(header.tiles.count());
    {
        let mut workspace = Workspace::new(&frame, header.allow_screen_content_tools)?;
        for number in 0..header.tiles.count() {
            let bounds = bounds(&header.tiles, number);
            let tile = TileState::new(&sequence, &header, &mut frame, &mut workspace, bounds);
            tiles.push(TileEncoder::new(tile, &source, &settings)?.encode());
        }
    }
    if !header.coded_lossless {
        choose_deblocking(&sequence, &mut header, &mut frame, &source)?;
    }
    if settings.cdef && !header.coded_lossless {
        choose_cdef(&sequence, &mut header, &frame, &source)?;
    }
    let mut planes = std::mem::take(&mut frame.planes);
    postfilter::apply(&mut planes, &post_filters(&sequence, &header, &frame))?;
    let mut obus = Vec::new();
    units::append(&mut obus, units::SEQUENCE_HEADER, &headers::sequence(&sequence));
    let payload = units::frame(&headers::frame(&header, &sequence), &tiles, &header.tiles);
    units::append(&mut obus, units::FRAME, &payload);
    Ok(Encoded { obus, reconstruction: Picture::new(planes, color) })
}

fn check(picture: &Picture) -> Result<(), Error> {
    let ColorConfig { bit_depth, monochrome, subsampling_x, subsampling_y, .. } = *picture.color();
    if !matches!(bit_depth, 8 | 10) {
        return Err(Error::Unsupported("encoding of this bit depth"));
    }
    if !monochrome && subsampling_x != subsampling_y {
        return Err(Error::Unsupported("encoding of this chroma format"));
    }
    match picture.width().max(picture.height()) <= MAX_SIDE {
        true => Ok(()),
        false => Err(Error::Unsupported("a picture of more than 65,536 pixels a side")),
    }
}

/// The header while tiles are encoded: filters are on, so that what they need is recorded. Lossless pictures have none.
fn still_header((width, height): (usize, usize), options: &EncodeOptions, is_128: bool) -> FrameHeader {
    let size = FrameSize { upscaled_width: width, width, height, superres_denom: 8 };
    let quantizer = QuantizerParams {
        base_q_idx: options.base_q_idx(),
        delta_dc: [0; 3],
        delta_ac: [0; 3],
        matrix_level: None,
        delta_q_res: None,
        delta_lf: None,
    };
    let mut header = FrameHeader::of_still(size, TileInfo::fewest(&size, is_128), quantizer);
    if options.lossless {
        header.lossless = [true; 8];
        header.coded_lossless = true;
        header.tx_mode_select = false;
        return header;
    }
    header.loop_filter.level = [1; 4];
    header.cdef = Some(CdefParams { damping: 3, bits: 0, y: [[0; 2]; 8], uv: [[0; 2]; 8] });
    header
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

/// The planes with the padding of a frame, which repeats the last samples.
fn padded(picture: &Picture) -> Result<Vec<Plane>, Error> {
    let color = picture.color();
    let largest = (1 << color.bit_depth) - 1;
    let mut planes = Vec::new();
    for plane in 0..picture.plane_count() {
        let (ss_x, ss_y) = color.subsampling(plane);
        let mut to = Plane::padded(picture.width(), picture.height(), ss_x, ss_y)?;
        let height = to.height;
        for (y, row) in to.data.chunks_exact_mut(to.stride).enumerate() {
            let from = picture.row(plane, y.min(height - 1));
            let (inside, beyond) = row.split_at_mut(from.len());
            inside.iter_mut().zip(from).for_each(|(to, from)| *to = (*from).min(largest));
            beyond.fill(inside.last().copied().unwrap_or(0));
        }
        planes.push(to);
    }
    Ok(planes)
}
