//! The encoded pictures of an AVIF as a file (AV1 Image File Format, 2).

use std::borrow::Cow;

use filepress_av1::{Encoded, Picture};

use crate::containers::isobmff::{CodePoints, Writer, part};

/// The ids of the items.
const COLORS: u32 = 1;
const ALPHA: u32 = 2;

/// What marks alpha (ISO/IEC 23008-12, 6.9.2.2.1).
const IS_ALPHA: &[u8] = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0";

/// A picture, and its bitstream.
pub(crate) struct Coded<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) encoded: Encoded,
}

/// The file. `None` if an item is too long for it.
pub(crate) fn file(colors: Coded<'_>, alpha: Option<Coded<'_>>) -> Option<Vec<u8>> {
    let mut file = Writer::default();
    let config = *colors.picture.color();
    let points = CodePoints {
        primaries: config.color_primaries.into(),
        transfer: config.transfer_characteristics.into(),
        matrix: config.matrix_coefficients.into(),
        full_range: config.full_range,
    };
    add(&mut file, COLORS, colors)?;
    file.property(COLORS, points.written()?, false)?;
    if let Some(alpha) = alpha {
        add(&mut file, ALPHA, alpha)?;
        file.property(ALPHA, part(b"auxC", &[&[0; 4], IS_ALPHA])?, false)?;
        file.reference(*b"auxl", ALPHA, vec![COLORS]);
    }
    file.finish(&part(b"ftyp", &[b"avif\0\0\0\0avifmif1miaf"])?, COLORS)
}

/// Adds a picture, with what it is like.
fn add(file: &mut Writer<'_>, id: u32, Coded { picture, encoded }: Coded<'_>) -> Option<()> {
    let side = |side: usize| u32::try_from(side).map(u32::to_be_bytes).ok();
    let (width, height) = (side(picture.width())?, side(picture.height())?);
    let planes = picture.plane_count();
    let depths = vec![picture.color().bit_depth; planes];
    file.add(id, *b"av01", Cow::Owned(encoded.obus))?;
    file.property(id, part(b"ispe", &[&[0; 4], &width, &height])?, false)?;
    file.property(id, part(b"av1C", &[&encoded.configuration])?, true)?;
    file.property(id, part(b"pixi", &[&[0; 4], &[planes as u8], &depths])?, false)
}
