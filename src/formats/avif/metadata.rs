//! Metadata in the items and properties of an AVIF (ISO/IEC 23008-12, 6.5.5 for color, annex A for EXIF and XMP).
//!
//! Writing makes a new file from what the picture needs: the primary item, the items that it is derived from, alpha and
//! other auxiliary items, and the properties that affect display. Thumbnails, descriptions and text are dropped.
//! Rotation is a property of the picture; the orientation in EXIF and XMP has no meaning and is set to 1.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "full")]
use crate::containers::isobmff::Picture;
use crate::containers::isobmff::{Item, Items, Part, Parts, Property, Reader, Writer, part};
#[cfg(feature = "full")]
use crate::formats::png::color_chunks as png_color;
use crate::metadata::{Metadata, exif, xmp};
use image::metadata::Orientation;

/// The maximum size of an item, with room for the rest in a file with 32-bit offsets.
pub(crate) const MAX_DATA: usize = i32::MAX as usize;

const XMP_TYPE: &[u8] = b"application/rdf+xml";

/// Reads the metadata items.
pub(crate) fn read(avif: &[u8]) -> Metadata {
    let Some(items) = Items::read(avif) else { return Metadata::default() };
    let gain_map = tone_maps(&items).next().is_some();
    let mut found = Metadata { icc: profile(avif, &items), gain_map, ..Metadata::default() };
    for item in items.items.iter().filter(|item| !item.foreign) {
        let bytes = || items.bytes(item);
        match &item.kind {
            b"Exif" if found.exif.is_none() => found.exif = bytes().and_then(|bytes| unwrap_exif(&bytes)),
            b"mime" if item.content_type == XMP_TYPE && found.xmp.is_none() => {
                found.xmp = bytes().map(|bytes| bytes.into_owned());
            }
            b"mime" | b"uri " => found.other = true,
            _ => {}
        }
    }
    if let Some(exif) = &mut found.exif {
        exif::set_orientation(exif, Orientation::NoTransforms);
    }
    if let Some(xmp) = &mut found.xmp {
        xmp::set_orientation(xmp, Orientation::NoTransforms);
    }
    found
}

/// The profile in the file: none in those that `encode` makes, and there are no others here.
#[cfg(not(feature = "full"))]
fn profile(_: &[u8], _: &Items<'_>) -> Option<Vec<u8>> {
    None
}

/// The profile in the file, or one for its code points.
#[cfg(feature = "full")]
fn profile(avif: &[u8], items: &Items<'_>) -> Option<Vec<u8>> {
    let picture = Picture::read(avif, items).ok()?;
    if let Some(profile) = picture.profile {
        return Some(profile.to_vec());
    }
    // Unspecified means sRGB.
    let or = |number: u16, default: u8| if number == 2 { Some(default) } else { u8::try_from(number).ok() };
    let (primaries, transfer) = (or(picture.colors.primaries, 1)?, or(picture.colors.transfer, 13)?);
    png_color::profile_of(primaries, transfer, picture.color.coding.gray)
}

/// The TIFF structure of an `Exif` item, which begins with the offset to it (annex A.2.1).
fn unwrap_exif(item: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader(item);
    let skipped = reader.u32()? as usize;
    exif::unprefixed(reader.0.get(skipped..)?.to_vec())
}

/// The encoded pixels with exactly this metadata. `None` if the file is malformed.
///
/// A sequence is returned unchanged if it has no other metadata, and refused otherwise: its samples are located by file
/// offsets.
pub(crate) fn write(avif: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    let items = Items::read(avif)?;
    if Parts(avif).payload(b"moov").is_some() {
        let unchanged = read(avif) == *metadata && is_bare(avif, &items, &kept(&items, true));
        return unchanged.then(|| avif.to_vec());
    }
    let file_type = Parts(avif).first(b"ftyp")?;
    let written = copied(avif, &items, metadata)?;
    if metadata.gain_map {
        return written.finish(file_type.whole, items.primary);
    }
    // Behind the major brand and its version.
    let (head, brands) = file_type.payload.split_at_checked(8)?;
    let others: Vec<u8> = brands.chunks(4).filter(|brand| *brand != b"tmap").flatten().copied().collect();
    written.finish(&part(b"ftyp", &[head, &others])?, items.primary)
}

/// What [`write`] writes of the items of a file, for more items to be added.
pub(super) fn copied<'a>(avif: &[u8], items: &Items<'a>, metadata: &Metadata) -> Option<Writer<'a>> {
    let kept = kept(items, metadata.gain_map);
    let recolored = profile(avif, items) != metadata.icc;

    let mut writer = Writer::default();
    for item in kept.iter().filter_map(|id| items.item(*id)) {
        copy(avif, items, item, recolored, &mut writer)?;
    }
    for reference in items.references.iter().filter(|reference| kept.contains(&reference.from)) {
        if matches!(&reference.kind, b"dimg" | b"auxl" | b"prem") {
            let to = reference.to.iter().copied().filter(|to| kept.contains(to)).collect();
            writer.reference(reference.kind, reference.from, to);
        }
    }
    for group in items.groups.iter().filter(|group| members(group).is_some_and(|ids| ids.is_subset(&kept))) {
        writer.group(group.whole);
    }
    if let Some(profile) = metadata.icc.as_deref().filter(|_| recolored) {
        writer.property(items.primary, part(b"colr", &[b"prof", profile])?, false)?;
    }
    if let Some(exif) = &metadata.exif {
        writer.describe(items.primary, *b"Exif", &[], [&[0; 4], exif.as_slice()].concat())?;
    }
    if let Some(xmp) = &metadata.xmp {
        writer.describe(items.primary, *b"mime", XMP_TYPE, xmp.clone())?;
    }
    Some(writer)
}

/// The pictures that a gain map makes of the primary item (ISO/IEC 23008-12, 6.6.2.4): the IDs of their items.
fn tone_maps(items: &Items<'_>) -> impl Iterator<Item = u32> {
    let is_tone_map = |id| items.item(id).is_some_and(|item| &item.kind == b"tmap");
    let derived = items.references.iter().filter(|reference| &reference.kind == b"dimg");
    derived
        .filter(move |reference| is_tone_map(reference.from) && reference.to.first() == Some(&items.primary))
        .map(|reference| reference.from)
}

/// Copies an item with the properties that affect display.
fn copy<'a>(
    avif: &[u8],
    items: &Items<'a>,
    item: &Item<'a>,
    recolored: bool,
    writer: &mut Writer<'a>,
) -> Option<()> {
    let data = items.bytes(item).filter(|_| !item.foreign)?;
    match item.is_inline() {
        true => writer.add_inline(item.id, item.kind, &data)?,
        false => writer.add(item.id, item.kind, data)?,
    }
    // Overlapping items could expand a small file to any size.
    if writer.data_length() > avif.len() {
        return None;
    }
    if item.hidden {
        writer.hide(item.id);
    }
    for &(index, essential) in &item.properties {
        let (part, property) = items.properties.get(index)?;
        match property {
            Property::Profile(_) if recolored => {}
            Property::Unknown if essential => return None,
            Property::Unknown => {}
            _ => writer.copy_property(item.id, (index, part.whole), essential)?,
        }
    }
    Some(())
}

/// The items of a group of alternatives, or of a pair (ISO/IEC 14496-12, 8.15.3).
fn members(group: &Part<'_>) -> Option<BTreeSet<u32>> {
    let mut reader = Reader(group.payload);
    reader.version()?;
    reader.u32()?;
    (0..reader.u32()?).map(|_| reader.u32()).collect()
}

/// The items that the picture needs: the primary item, the items that it is derived from, and the auxiliary items of
/// all these. With `gain_map`, also what makes an HDR picture of it.
fn kept(items: &Items<'_>, gain_map: bool) -> BTreeSet<u32> {
    let mut needs: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for reference in &items.references {
        for to in &reference.to {
            match &reference.kind {
                b"dimg" => needs.entry(reference.from).or_default().push(*to),
                b"auxl" => needs.entry(*to).or_default().push(reference.from),
                _ => {}
            }
        }
    }
    let mut kept = BTreeSet::new();
    let mut open = vec![items.primary];
    open.extend(tone_maps(items).filter(|_| gain_map));
    while let Some(id) = open.pop() {
        if items.item(id).is_some() && kept.insert(id) {
            open.extend(needs.get(&id).into_iter().flatten());
        }
    }
    kept
}

/// Whether a sequence contains nothing but pictures and the metadata that [`read`] finds.
fn is_bare(avif: &[u8], items: &Items<'_>, kept: &BTreeSet<u32>) -> bool {
    let only = |bytes: &[u8], known: &[&[u8; 4]]| Parts(bytes).all(|part| known.contains(&&part.kind));
    let is_known = |item: &Item<'_>| {
        let described = kept.contains(&item.id) || matches!(&item.kind, b"Exif" | b"mime");
        described && items.properties(item).all(|(property, _)| property != Property::Unknown)
    };
    let tracks = Parts(Parts(avif).payload(b"moov").unwrap_or_default());
    only(avif, &[b"ftyp", b"meta", b"moov", b"mdat"])
        && items.items.iter().all(is_known)
        && tracks.clone().all(|part| matches!(&part.kind, b"mvhd" | b"trak"))
        && tracks
            .filter(|part| &part.kind == b"trak")
            .all(|part| only(part.payload, &[b"tkhd", b"edts", b"tref", b"mdia"]))
}
