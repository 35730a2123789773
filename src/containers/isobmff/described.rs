//! The properties of an item that affect how its picture is decoded and displayed.

use crate::containers::isobmff::av1::Code;
use crate::containers::isobmff::properties::{CodePoints, Fraction, MirrorAxis, Property};
use crate::containers::isobmff::{Item, Items, unsupported};
use crate::error::Result;

/// The properties of an item.
#[derive(Default)]
pub(super) struct Described<'a> {
    pub(super) size: Option<(u32, u32)>,
    pub(super) code: Option<Code<'a>>,
    pub(super) colors: Option<CodePoints>,
    pub(super) profile: Option<&'a [u8]>,
    pub(super) is_alpha: bool,
    pub(super) rotation: Option<u8>,
    pub(super) mirror: Option<MirrorAxis>,
    pub(super) aperture: Option<[Fraction; 4]>,
    pub(super) operating_point: u8,
    pub(super) layer: Option<u8>,
}

/// # Errors
/// [`crate::ErrorCode::UnsupportedType`] for an essential property that is not supported.
pub(super) fn describe<'a>(items: &Items<'a>, item: &Item<'a>) -> Result<Described<'a>> {
    let mut described = Described::default();
    for (property, essential) in items.properties(item) {
        match property {
            Property::Size(width, height) => described.size = Some((width, height)),
            Property::Code(code) => described.code = Some(code),
            Property::CodePoints(colors) => described.colors = Some(colors),
            Property::Profile(profile) => described.profile = Some(profile),
            Property::Alpha => described.is_alpha = true,
            Property::Rotation(quarters) => described.rotation = Some(quarters),
            Property::Mirror(axis) => described.mirror = Some(axis),
            Property::Aperture(aperture) => described.aperture = Some(aperture),
            // There are 32 operating points (AV1 specification, 5.5.1).
            Property::OperatingPoint(point @ 0..=31) => described.operating_point = point,
            // There are four spatial layers (AV1 specification, 5.3.3).
            Property::Layer(layer @ 0..=3) => described.layer = Some(layer as u8),
            // Any layer; the highest is shown.
            Property::Layer(u16::MAX) | Property::Passive => {}
            Property::Layer(_) | Property::OperatingPoint(_) | Property::Unknown => {
                if essential {
                    return Err(unsupported("it asks for a property that is not known"));
                }
            }
        }
    }
    Ok(described)
}
