//! From open bitstream units to the picture that is shown.

mod frame_decoder;
mod memory;

pub(crate) use frame_decoder::post_filters;

use frame_decoder::FrameDecoder;
use std::rc::Rc;

use crate::error::Error;
use crate::film_grain::{self, FilmGrain};
use crate::limits::{DecodeOptions, Limits};
use crate::obu::{FrameHeader, Header, HeaderContext, SequenceHeader, Unit, UnitKind, Units, tile_group};
use crate::picture::Picture;

/// The number of frames that later ones can show (NUM_REF_FRAMES).
const STORED_FRAMES: usize = 8;
/// The most frames that are decoded for one that is shown. Each may be as large as the limits allow.
const MAX_FRAMES: u32 = 16;

/// Decodes the picture that a bitstream shows first: of its first temporal unit, the highest spatial layer of the operating
/// point, or the layer that is asked for.
///
/// `obus` is in the low-overhead format, as an AVIF item has it.
///
/// # Errors
/// [`Error::Corrupt`] if the bitstream violates the specification, [`Error::Unsupported`] if the picture needs an inter frame,
/// [`Error::Limit`] if a limit would be exceeded, and [`Error::OutOfMemory`].
pub fn decode(obus: &[u8], limits: &Limits, options: &DecodeOptions) -> Result<Picture, Error> {
    let mut decoder = Decoder::new(limits, options);
    for unit in Units::new(obus) {
        if decoder.take(&unit?)? {
            break;
        }
    }
    decoder.finish()
}

/// A frame without film grain, and the grain that it is shown with.
struct Decoded {
    picture: Picture,
    film_grain: Option<FilmGrain>,
    is_key: bool,
    /// Whether show_existing_frame may show it.
    is_showable: bool,
}

struct Decoder<'a> {
    limits: &'a Limits,
    options: &'a DecodeOptions,
    sequence: Option<Rc<SequenceHeader>>,
    /// operating_point_idc of the operating point.
    operating_point_idc: u16,
    /// The frame whose tile groups come next.
    current: Option<Current>,
    stored: [Option<Rc<Decoded>>; STORED_FRAMES],
    /// What is shown, unless a higher layer follows, and its spatial layer.
    shown: Option<(Rc<Decoded>, u8)>,
    /// The frames that were begun.
    frames: u32,
}

/// A frame that is being decoded.
struct Current {
    frame: FrameDecoder,
    header: Rc<FrameHeader>,
    spatial_layer: u8,
}

impl<'a> Decoder<'a> {
    fn new(limits: &'a Limits, options: &'a DecodeOptions) -> Self {
        Self {
            limits,
            options,
            sequence: None,
            operating_point_idc: 0,
            current: None,
            stored: [const { None }; STORED_FRAMES],
            shown: None,
            frames: 0,
        }
    }

    /// Takes a unit. Returns whether the picture is complete.
    fn take(&mut self, unit: &Unit<'_>) -> Result<bool, Error> {
        if !unit.is_in(self.operating_point_idc) {
            return Ok(false);
        }
        match unit.kind {
            UnitKind::SequenceHeader => self.start_sequence(unit.payload).map(|()| false),
            // What is shown comes from one temporal unit.
            UnitKind::TemporalDelimiter => {
                self.current = None;
                Ok(self.shown.is_some())
            }
            UnitKind::FrameHeader if self.current.is_some() => Ok(false),
            UnitKind::Frame if self.current.is_some() => {
                Err(Error::Corrupt("a frame begins before the last has all its tiles"))
            }
            UnitKind::FrameHeader | UnitKind::Frame => {
                let spatial_layer = unit.layer.map_or(0, |(_, spatial)| spatial);
                let (shows, tiles) = self.start_frame(unit)?;
                match shows {
                    Some(frame) => Ok(self.show(frame, spatial_layer)),
                    None if unit.kind == UnitKind::Frame => self.take_tiles(tiles),
                    None => Ok(false),
                }
            }
            UnitKind::TileGroup => self.take_tiles(unit.payload),
            UnitKind::TileList => Err(Error::Unsupported("large scale tile coding")),
            UnitKind::Other => Ok(false),
        }
    }

    fn start_sequence(&mut self, payload: &[u8]) -> Result<(), Error> {
        let sequence = SequenceHeader::read(payload)?;
        let point = usize::from(self.options.operating_point);
        let idc = sequence.operating_points.get(point);
        self.operating_point_idc = *idc.ok_or(Error::Corrupt("there is no such operating point"))?;
        self.sequence = Some(Rc::new(sequence));
        Ok(())
    }

    /// Reads a frame header. Returns the stored frame that it shows, or the tile group that follows it in the unit.
    fn start_frame<'b>(&mut self, unit: &Unit<'b>) -> Result<(Option<Rc<Decoded>>, &'b [u8]), Error> {
        let sequence = self.sequence.clone().ok_or(Error::Corrupt("a frame precedes its sequence header"))?;
        let layer = unit.layer.unwrap_or_default();
        let context = HeaderContext { sequence: &sequence, layer };
        let (header, rest) = Header::read(unit.payload, &context)?;
        let header = match header {
            Header::ShowExisting(number) => {
                let frame = self.stored[number].clone().filter(|frame| frame.is_showable);
                let frame = frame.ok_or(Error::Corrupt("a stored frame is shown that is not there"))?;
                if frame.is_key {
                    self.stored.fill(Some(frame.clone()));
                }
                return Ok((Some(frame), rest));
            }
            Header::Frame(header) => Rc::new(*header),
        };
        self.frames += 1;
        if self.frames > MAX_FRAMES {
            return Err(Error::Unsupported("more frames before the one that is shown than are decoded"));
        }
        let frame = FrameDecoder::new(sequence, header.clone(), self.limits, self.held_bytes())?;
        self.current = Some(Current { frame, header, spatial_layer: layer.1 });
        Ok((None, rest))
    }

    /// The bytes of the frames that are kept.
    fn held_bytes(&self) -> u64 {
        let shown = self.shown.iter().map(|(frame, _)| frame);
        let mut held: Vec<_> = self.stored.iter().flatten().chain(shown).collect();
        held.sort_unstable_by_key(|frame| Rc::as_ptr(frame));
        held.dedup_by_key(|frame| Rc::as_ptr(frame));
        held.into_iter().map(|frame| frame.picture.bytes()).sum()
    }

    /// Decodes a tile group. Returns whether the picture is complete.
    fn take_tiles(&mut self, payload: &[u8]) -> Result<bool, Error> {
        let Some(current) = &mut self.current else {
            return Err(Error::Corrupt("a tile group precedes its frame header"));
        };
        let group = tile_group(payload, &current.header.tiles)?;
        if !current.frame.decode(&group)? {
            return Ok(false);
        }
        let Some(Current { frame, header, spatial_layer }) = self.current.take() else { return Ok(false) };
        let decoded = Rc::new(Decoded {
            picture: frame.finish()?,
            film_grain: header.film_grain.clone(),
            is_key: header.is_key,
            is_showable: header.is_showable,
        });
        for (at, stored) in self.stored.iter_mut().enumerate() {
            if header.refresh_frame_flags >> at & 1 != 0 {
                *stored = Some(decoded.clone());
            }
        }
        Ok(header.show_frame && self.show(decoded, spatial_layer))
    }

    /// Shows a frame. Returns whether no higher layer is wanted.
    fn show(&mut self, frame: Rc<Decoded>, spatial_layer: u8) -> bool {
        self.shown = Some((frame, spatial_layer));
        let layers = self.operating_point_idc >> 8;
        let highest = layers.checked_ilog2().unwrap_or(0) as u8;
        spatial_layer >= self.options.spatial_layer.unwrap_or(highest)
    }

    fn finish(self) -> Result<Picture, Error> {
        drop(self.stored);
        let (shown, layer) = self.shown.ok_or(Error::Corrupt("no frame is shown"))?;
        if self.options.spatial_layer.is_some_and(|wanted| wanted != layer) {
            return Err(Error::Corrupt("the layer that is asked for is not there"));
        }
        let shown = Rc::into_inner(shown).ok_or(Error::Corrupt("no frame is shown"))?;
        let Decoded { mut picture, film_grain, .. } = shown;
        if let Some(grain) = film_grain.filter(|_| self.options.film_grain) {
            let (ss_x, ss_y) = picture.color().subsampling(1);
            let depth = picture.color().bit_depth;
            film_grain::apply(picture.planes_mut(), &grain, ss_x, ss_y, depth)?;
        }
        Ok(picture)
    }
}
