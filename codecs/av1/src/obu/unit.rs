//! Open bitstream units: their headers and sizes (AV1 specification, sections 5.3.1 to 5.3.3).

use crate::error::Error;

/// The types of units that matter to decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitKind {
    SequenceHeader,
    TemporalDelimiter,
    FrameHeader,
    TileGroup,
    Frame,
    TileList,
    /// Metadata, padding, redundant headers and what is reserved.
    Other,
}

/// One unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) kind: UnitKind,
    /// temporal_id and spatial_id, if the unit has an extension header.
    pub(crate) layer: Option<(u8, u8)>,
    pub(crate) payload: &'a [u8],
}

impl Unit<'_> {
    /// Whether the unit is part of the operating point.
    pub(crate) fn is_in(&self, operating_point_idc: u16) -> bool {
        let Some((temporal, spatial)) = self.layer else { return true };
        let is_layered = !matches!(self.kind, UnitKind::SequenceHeader | UnitKind::TemporalDelimiter);
        let selected =
            operating_point_idc >> temporal & 1 != 0 && operating_point_idc >> (spatial + 8) & 1 != 0;
        !is_layered || operating_point_idc == 0 || selected
    }
}

/// The units of a bitstream in the low-overhead format; the last may lack its size.
pub(crate) struct Units<'a> {
    rest: &'a [u8],
}

impl<'a> Units<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    fn read(&mut self, head: u8) -> Result<Unit<'a>, Error> {
        let cut = Error::Corrupt("an open bitstream unit ends too soon");
        if head & 0x80 != 0 {
            return Err(Error::Corrupt("the forbidden bit of an open bitstream unit is set"));
        }
        let mut rest = self.rest.get(1..).ok_or(cut)?;
        let mut layer = None;
        if head & 4 != 0 {
            let (extension, after) = rest.split_first().ok_or(cut)?;
            layer = Some((extension >> 5, extension >> 3 & 3));
            rest = after;
        }
        let size = if head & 2 != 0 { leb128(&mut rest).ok_or(cut)? } else { rest.len() };
        let (payload, after) = rest.split_at_checked(size).ok_or(cut)?;
        self.rest = after;
        let kind = match head >> 3 & 15 {
            1 => UnitKind::SequenceHeader,
            2 => UnitKind::TemporalDelimiter,
            3 => UnitKind::FrameHeader,
            4 => UnitKind::TileGroup,
            6 => UnitKind::Frame,
            8 => UnitKind::TileList,
            _ => UnitKind::Other,
        };
        Ok(Unit { kind, layer, payload })
    }
}

impl<'a> Iterator for Units<'a> {
    type Item = Result<Unit<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let head = *self.rest.first()?;
        let unit = self.read(head);
        if unit.is_err() {
            self.rest = &[];
        }
        Some(unit)
    }
}

fn leb128(data: &mut &[u8]) -> Option<usize> {
    let mut value = 0u64;
    for at in 0..8 {
        let (byte, rest) = data.split_first()?;
        *data = rest;
        value |= u64::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return u32::try_from(value).ok().map(|value| value as usize);
        }
    }
    None
}
