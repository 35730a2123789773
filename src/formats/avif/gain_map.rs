//! Adds an HDR gain map to an AVIF: the map as a hidden item, and a tone-mapped picture (`tmap`) that is derived from the primary item
//! and the map, with the parameters of ISO 21496-1 (AV1 Image File Format, 4.2.2; ISO/IEC 23008-12, 6.6.2.4).

use std::borrow::Cow;

use crate::containers::isobmff::{CodePoints, Items, Parts, Property, Writer, part};
use crate::formats::avif::metadata::{copied, read};
use crate::metadata::gain_map_parameters::Parameters;
use crate::metadata::{has_p3_primaries, is_srgb};

/// Code points of ITU-T H.273: unspecified, the primaries of Display P3, and the transfer function PQ.
const UNSPECIFIED: u16 = 2;
const P3: u16 = 12;
const PQ: u16 = 16;

/// The properties that a map needs from the file that it comes in, and the tone-mapped picture from the primary item.
const OF_MAP: [&[u8; 4]; 3] = [b"ispe", b"av1C", b"pixi"];
const OF_PICTURE: [&[u8; 4]; 1] = [b"ispe"];

/// `picture`, a file with its final metadata, with the map that is the primary item of another file. `None` if one of them is malformed.
pub(crate) fn add(picture: &[u8], map: &[u8], parameters: &Parameters) -> Option<Vec<u8>> {
    let (items, maps) = (Items::read(picture)?, Items::read(map)?);
    let metadata = read(picture);
    let mut file = copied(picture, &items, &metadata)?;
    let map_id = file.last_id()?.checked_add(1)?;
    let tone_map = map_id.checked_add(1)?;

    let own = maps.item(maps.primary)?;
    file.add(map_id, *b"av01", Cow::Owned(maps.bytes(own)?.into_owned()))?;
    file.hide(map_id);
    copy_properties(&maps, maps.primary, &OF_MAP, (&mut file, map_id))?;
    let coded = code_points(&maps, maps.primary);
    let neutral = CodePoints { primaries: UNSPECIFIED, transfer: UNSPECIFIED, ..coded };
    file.property(map_id, neutral.written()?, false)?;

    file.add(tone_map, *b"tmap", Cow::Owned([&[0], parameters.to_iso().as_slice()].concat()))?;
    copy_properties(&items, items.primary, &OF_PICTURE, (&mut file, tone_map))?;
    file.property(tone_map, part(b"pixi", &[&[0; 4], &[3, 10, 10, 10]])?, false)?;
    // It has the color space of the picture, but no profile says PQ.
    let coded = code_points(&items, items.primary);
    let primaries = match &metadata.icc {
        Some(icc) if is_srgb(icc) => coded.primaries,
        Some(icc) if has_p3_primaries(icc) => P3,
        Some(_) => UNSPECIFIED,
        None => coded.primaries,
    };
    file.property(tone_map, CodePoints { primaries, transfer: PQ, ..coded }.written()?, false)?;
    file.reference(*b"dimg", tone_map, vec![items.primary, map_id]);
    // The alternatives, the preferred one first.
    let ids = [tone_map.checked_add(1)?, 2, tone_map, items.primary].map(u32::to_be_bytes).concat();
    file.group(&part(b"altr", &[&[0; 4], &ids])?);

    let brands = Parts(picture).payload(b"ftyp")?;
    file.finish(&part(b"ftyp", &[brands, b"tmap"])?, items.primary)
}

fn copy_properties(
    items: &Items<'_>,
    id: u32,
    kinds: &[&[u8; 4]],
    (file, to): (&mut Writer<'_>, u32),
) -> Option<()> {
    for &(index, essential) in &items.item(id)?.properties {
        let (found, _) = items.properties.get(index)?;
        if kinds.contains(&&found.kind) {
            file.property(to, found.whole.to_vec(), essential)?;
        }
    }
    Some(())
}

/// The code points of an item, without those of a profile.
fn code_points(items: &Items<'_>, id: u32) -> CodePoints {
    let properties = items.item(id).map(|item| items.properties(item)).into_iter().flatten();
    let mut found = properties.filter_map(|(property, _)| match property {
        Property::CodePoints(points) => Some(points),
        _ => None,
    });
    found.next().unwrap_or_default()
}
