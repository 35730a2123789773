//! Metadata in the directories of a TIFF (TIFF 6.0; EXIF 3.0, 4.6; XMP part 3, 1.1.4; ICC.1:2022, B.4).
//!
//! A directory mixes fields that describe the picture with fields that describe its encoding. Reading extracts the
//! former as a separate EXIF structure. Writing makes a new file from the encoding fields, the compressed chunks and
//! the metadata to keep, so that nothing else can remain hidden in the file.
//!
//! Limits: reduced copies and masks of a picture are dropped; old-style JPEG in TIFF is not written.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::containers::tiff_ifd::{Directory, Endian, Entry, Field, File, Value, Writer, kind};
use crate::containers::tiff_tags as tag;
use crate::metadata::{Metadata, iptc};

const OLD_JPEG: u64 = 6;

/// The fields with the offsets and lengths of strips, and of tiles.
const CHUNKS: [(u16, u16); 2] =
    [(tag::STRIP_OFFSETS, tag::STRIP_BYTE_COUNTS), (tag::TILE_OFFSETS, tag::TILE_BYTE_COUNTS)];

/// The maximum size of one kind of metadata.
pub(crate) const MAX_DATA: usize = i32::MAX as usize;

/// The fields that describe the encoding and the meaning of samples, in ascending order.
const ENCODING_FIELDS: [u16; 47] = [
    tag::NEW_SUBFILE_TYPE,
    tag::SUBFILE_TYPE,
    tag::IMAGE_WIDTH,
    tag::IMAGE_LENGTH,
    tag::BITS_PER_SAMPLE,
    tag::COMPRESSION,
    tag::PHOTOMETRIC_INTERPRETATION,
    tag::THRESHOLDING,
    tag::CELL_WIDTH,
    tag::CELL_LENGTH,
    tag::FILL_ORDER,
    tag::SAMPLES_PER_PIXEL,
    tag::ROWS_PER_STRIP,
    tag::MIN_SAMPLE_VALUE,
    tag::MAX_SAMPLE_VALUE,
    tag::X_RESOLUTION,
    tag::Y_RESOLUTION,
    tag::PLANAR_CONFIGURATION,
    tag::X_POSITION,
    tag::Y_POSITION,
    tag::GRAY_RESPONSE_UNIT,
    tag::GRAY_RESPONSE_CURVE,
    tag::T4_OPTIONS,
    tag::T6_OPTIONS,
    tag::RESOLUTION_UNIT,
    tag::PAGE_NUMBER,
    tag::TRANSFER_FUNCTION,
    tag::PREDICTOR,
    tag::WHITE_POINT,
    tag::PRIMARY_CHROMATICITIES,
    tag::COLOR_MAP,
    tag::HALFTONE_HINTS,
    tag::TILE_WIDTH,
    tag::TILE_LENGTH,
    tag::INK_SET,
    tag::NUMBER_OF_INKS,
    tag::DOT_RANGE,
    tag::EXTRA_SAMPLES,
    tag::SAMPLE_FORMAT,
    tag::S_MIN_SAMPLE_VALUE,
    tag::S_MAX_SAMPLE_VALUE,
    tag::JPEG_TABLES,
    tag::DECODE,
    tag::YCBCR_COEFFICIENTS,
    tag::YCBCR_SUBSAMPLING,
    tag::YCBCR_POSITIONING,
    tag::REFERENCE_BLACK_WHITE,
];

/// Fields that point to other structures, and those of old-style JPEG.
const POINTERS: [u16; 16] = [
    tag::STRIP_OFFSETS,
    tag::STRIP_BYTE_COUNTS,
    tag::FREE_OFFSETS,
    tag::FREE_BYTE_COUNTS,
    tag::TILE_OFFSETS,
    tag::TILE_BYTE_COUNTS,
    tag::SUB_IFDS,
    tag::JPEG_PROC,
    tag::JPEG_INTERCHANGE_FORMAT,
    tag::JPEG_INTERCHANGE_FORMAT_LENGTH,
    tag::JPEG_RESTART_INTERVAL,
    tag::JPEG_LOSSLESS_PREDICTORS,
    tag::JPEG_POINT_TRANSFORMS,
    tag::JPEG_Q_TABLES,
    tag::JPEG_DC_TABLES,
    tag::JPEG_AC_TABLES,
];

fn describes_coding(tag: u16) -> bool {
    ENCODING_FIELDS.contains(&tag)
}

/// Whether a field belongs into an EXIF structure, even if no EXIF standard defines it.
fn describes_picture(tag: u16) -> bool {
    !describes_coding(tag)
        && !POINTERS.contains(&tag)
        && ![tag::XMP, tag::IPTC, tag::PHOTOSHOP, tag::ICC_PROFILE].contains(&tag)
}

/// The metadata of the first page.
pub(crate) fn read(tiff: &[u8]) -> Metadata {
    let Some(pages) = File::open(tiff).and_then(|file| file.pages()) else { return Metadata::default() };
    let Some((first, others)) = pages.split_first() else { return Metadata::default() };
    let resources = first.bytes(tag::PHOTOSHOP);
    Metadata {
        icc: profile(first),
        exif: exif(first),
        xmp: first.bytes(tag::XMP).map(<[u8]>::to_vec),
        iptc: first.bytes(tag::IPTC).map(<[u8]>::to_vec).or_else(|| resources.and_then(iptc::find)),
        other: resources.is_some() || others.iter().any(|page| has_metadata(page)),
        ..Metadata::default()
    }
}

/// The color profile of a page.
pub(crate) fn profile(page: &Directory) -> Option<Vec<u8>> {
    page.bytes(tag::ICC_PROFILE).map(<[u8]>::to_vec)
}

/// The orientation of a page, as in EXIF. 1 is upright.
pub(crate) fn orientation(page: &Directory) -> u8 {
    page.number(tag::ORIENTATION).filter(|number| (1..=8).contains(number)).map_or(1, |number| number as u8)
}

/// Whether a page has metadata.
fn has_metadata(page: &Directory) -> bool {
    page.fields.iter().any(|field| {
        [tag::XMP, tag::IPTC, tag::PHOTOSHOP].contains(&field.tag)
            || (describes_picture(field.tag) && field.tag != tag::ORIENTATION)
    })
}

/// The descriptive fields as a separate structure. `None` if there are none.
fn exif(page: &Directory) -> Option<Vec<u8>> {
    let endian = page.file.endian;
    let keeps = |tag| describes_picture(tag) && tag != tag::ORIENTATION;
    let mut entries = entries_in(page, endian, &keeps, 0, &mut page.file.bytes().len())?;
    if orientation(page) != 1 {
        entries.push(Entry::short(tag::ORIENTATION, orientation(page).into()));
    }
    if entries.is_empty() {
        return None;
    }
    let mut writer = Writer::new(endian);
    writer.page(entries)?;
    writer.finish()
}

/// The fields for which `keeps` is true, in the other byte order, with the EXIF structures that they point to. `None`
/// if they exceed `budget` bytes.
fn entries_in<'a>(
    directory: &Directory<'a>,
    endian: Endian,
    keeps: &dyn Fn(u16) -> bool,
    depth: u8,
    budget: &mut usize,
) -> Option<Vec<Entry<'a>>> {
    let mut entries = Vec::new();
    for field in directory.fields.iter().filter(|field| keeps(field.tag)) {
        *budget = budget.checked_sub(field.value.len().max(4))?;
        let part = || directory.number(field.tag).and_then(|at| directory.file.directory(at));
        let value = match (field.tag, depth) {
            (tag::EXIF_IFD | tag::GPS_IFD, 0) | (tag::INTEROPERABILITY_IFD, 1) => {
                let Some(part) = part() else { continue };
                Value::Directory(entries_in(&part, endian, &|_| true, depth + 1, budget)?)
            }
            // Other pointers could form a cycle.
            (tag::EXIF_IFD | tag::GPS_IFD | tag::INTEROPERABILITY_IFD, _) => continue,
            _ => {
                let Some((kind, value)) = classic(field, directory.file.endian, endian) else { continue };
                Value::Bytes(kind, value)
            }
        };
        entries.push(Entry { tag: field.tag, value });
    }
    Some(entries)
}

/// Converts the types that only BigTIFF has to those of TIFF. `None` if a value does not fit.
fn classic<'a>(field: &Field<'a>, from: Endian, to: Endian) -> Option<(u16, Cow<'a, [u8]>)> {
    let short = match field.kind {
        kind::LONG8 | kind::IFD8 => kind::LONG,
        kind::SIGNED_LONG8 => return None,
        same if from == to => return Some((same, field.value.into())),
        same => return Some((same, field.in_order(from, to).into())),
    };
    let numbers = field.in_order(from, Endian::Big);
    let mut value = Vec::with_capacity(numbers.len() / 2);
    for number in numbers.chunks_exact(8) {
        let (&[0, 0, 0, 0], low) = number.split_first_chunk()? else { return None };
        value.extend_from_slice(low);
    }
    if to == Endian::Little {
        value.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    }
    Some((short, value.into()))
}

/// The compressed chunks with exactly this metadata, which is written to the first page. A profile is written to every
/// page. `None` if the file is malformed.
pub(crate) fn write(tiff: &[u8], metadata: &Metadata) -> Option<Vec<u8>> {
    let file = File::open(tiff)?;
    let pages = file.pages()?;
    let first = profile(pages.first()?);
    // If the profile is unchanged, every page keeps its own.
    let recolored = first != metadata.icc;
    if recolored && pages.iter().any(|page| profile(page) != first) {
        return None;
    }
    let mut chunks = Chunks { writer: Writer::new(file.endian), places: BTreeMap::new(), budget: tiff.len() };
    for (index, page) in pages.iter().enumerate() {
        let mut entries = coding(page, &mut chunks)?;
        let own = profile(page);
        if let Some(icc) = if recolored { metadata.icc.clone() } else { own } {
            entries.push(Entry::bytes(tag::ICC_PROFILE, kind::UNDEFINED, icc));
        }
        match index {
            0 => entries.extend(described(metadata, file.endian)?),
            _ if orientation(page) != 1 => {
                entries.push(Entry::short(tag::ORIENTATION, orientation(page).into()))
            }
            _ => {}
        }
        chunks.writer.page(entries)?;
    }
    chunks.writer.finish()
}

/// Copies compressed chunks to another file.
struct Chunks {
    writer: Writer,
    /// The new offset by the old offset and length, because pages may share chunks.
    places: BTreeMap<(usize, usize), u32>,
    /// The remaining number of bytes that may be copied. Overlapping chunks could expand to a multiple of the file.
    budget: usize,
}

impl Chunks {
    fn moved(&mut self, file: &[u8], start: usize, size: usize) -> Option<u32> {
        if let Some(place) = self.places.get(&(start, size)) {
            return Some(*place);
        }
        self.budget = self.budget.checked_sub(size)?;
        let place = self.writer.chunk(file.get(start..start.checked_add(size)?)?)?;
        self.places.insert((start, size), place);
        Some(place)
    }
}

/// The encoding fields of a page, with the new offsets of its chunks.
fn coding<'a>(page: &Directory<'a>, chunks: &mut Chunks) -> Option<Vec<Entry<'a>>> {
    if page.number(tag::COMPRESSION) == Some(OLD_JPEG) {
        return None;
    }
    let endian = page.file.endian;
    let mut entries = Vec::new();
    for field in page.fields.iter().filter(|field| describes_coding(field.tag)) {
        let (kind, value) = classic(field, endian, endian)?;
        entries.push(Entry { tag: field.tag, value: Value::Bytes(kind, value) });
    }
    for (offsets, lengths) in CHUNKS {
        let (Some(starts), Some(sizes)) = (page.numbers(offsets), page.numbers(lengths)) else { continue };
        if starts.len() != sizes.len() {
            return None;
        }
        let mut moved = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
        for (start, size) in starts.zip(sizes) {
            let (start, size) = (usize::try_from(start).ok()?, usize::try_from(size).ok()?);
            moved.0.push(chunks.moved(page.file.bytes(), start, size)?);
            moved.1.push(u32::try_from(size).ok()?);
        }
        entries.push(Entry { tag: offsets, value: Value::Longs(moved.0) });
        entries.push(Entry { tag: lengths, value: Value::Longs(moved.1) });
    }
    Some(entries)
}

/// The fields of all metadata except the profile.
fn described(metadata: &Metadata, endian: Endian) -> Option<Vec<Entry<'_>>> {
    let mut entries = Vec::new();
    if let Some(exif) = metadata.exif.as_deref().and_then(File::open).and_then(|exif| exif.first()) {
        entries = entries_in(&exif, endian, &describes_picture, 0, &mut exif.file.bytes().len())?;
    }
    if let Some(xmp) = &metadata.xmp {
        entries.push(Entry::bytes(tag::XMP, kind::BYTE, xmp.as_slice()));
    }
    if let Some(iptc) = &metadata.iptc {
        entries.push(Entry::bytes(tag::IPTC, kind::UNDEFINED, iptc.as_slice()));
    }
    Some(entries)
}
