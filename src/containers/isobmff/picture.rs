//! Finds the picture of a file: the items of its color and alpha, their layout, and the transformations for display
//! (AV1 Image File Format, 2 and 4; MIAF, ISO/IEC 23000-22, 7.3).

use image::metadata::Orientation;

use crate::containers::isobmff::av1::Code;
use crate::containers::isobmff::properties::{CodePoints, Fraction, MirrorAxis, Property};
use crate::containers::isobmff::sequence::{Coding, Sequence};
use crate::containers::isobmff::{Item, Items, Parts, Reader, damaged, unsupported};
use crate::error::Result;

/// The items to decode and how to display them.
#[derive(Debug, Clone)]
pub(crate) struct Picture<'a> {
    pub(crate) color: Tiles,
    pub(crate) alpha: Option<Tiles>,
    /// Whether colors are premultiplied by alpha.
    pub(crate) premultiplied: bool,
    /// The clean aperture: the part of the canvas that is shown.
    pub(crate) crop: Crop,
    /// The orientation that turns the shown part upright.
    pub(crate) orientation: Orientation,
    pub(crate) colors: CodePoints,
    pub(crate) profile: Option<&'a [u8]>,
    /// The number of pictures in the image sequence of the same file; 1 if there is none.
    pub(crate) frames: u32,
}

/// Coded pictures of the same size, row by row, that form one picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tiles {
    /// The items.
    pub(crate) items: Vec<u32>,
    pub(crate) columns: u32,
    /// Width and height of one coded picture.
    pub(crate) tile: (u32, u32),
    /// Width and height of the whole; tiles are cropped to it.
    pub(crate) size: (u32, u32),
    pub(crate) coding: Coding,
    /// The operating point to decode of a scalable picture.
    pub(crate) operating_point: u8,
    /// The spatial layer to show; `None`: the highest.
    pub(crate) layer: Option<u8>,
    /// The sequence header of the first item.
    pub(crate) colors: CodePoints,
}

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crop {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The properties of an item.
#[derive(Default)]
struct Described<'a> {
    size: Option<(u32, u32)>,
    code: Option<Code<'a>>,
    colors: Option<CodePoints>,
    profile: Option<&'a [u8]>,
    is_alpha: bool,
    rotation: Option<u8>,
    mirror: Option<MirrorAxis>,
    aperture: Option<[Fraction; 4]>,
    operating_point: u8,
    layer: Option<u8>,
}

impl<'a> Picture<'a> {
    /// Finds the primary picture.
    ///
    /// # Errors
    /// [`crate::ErrorCode::Corrupt`], [`crate::ErrorCode::UnsupportedType`].
    pub(crate) fn read(file: &'a [u8], items: &Items<'a>) -> Result<Self> {
        let primary = items.item(items.primary).ok_or_else(|| damaged("its picture is missing"))?;
        let described = describe(items, primary)?;
        let color = tiles(items, primary)?;
        let alpha_item = items
            .sources(b"auxl", primary.id)
            .find(|item| describe(items, item).is_ok_and(|described| described.is_alpha));
        let alpha = alpha_item.map(|item| tiles(items, item)).transpose()?;
        if alpha.as_ref().is_some_and(|alpha| alpha.size != color.size) {
            return Err(damaged("its alpha channel has another size than its colors"));
        }
        let (width, height) = color.size;
        let whole = Crop { x: 0, y: 0, width, height };
        let crop = described.aperture.and_then(|aperture| crop(aperture, color.size));
        // The color properties of a grid may be stored with its tiles.
        let tile = color.items.first().and_then(|id| items.item(*id));
        let of_tile = tile.map(|tile| describe(items, tile)).transpose()?.unwrap_or_default();
        Ok(Self {
            premultiplied: alpha_item
                .is_some_and(|alpha| items.targets(b"prem", primary.id).contains(&alpha.id)),
            crop: crop.unwrap_or(whole),
            orientation: orientation(described.rotation.unwrap_or(0), described.mirror),
            colors: described.colors.or(of_tile.colors).unwrap_or(color.colors),
            profile: described.profile.or(of_tile.profile),
            frames: frames(file).unwrap_or(1).max(1),
            color,
            alpha,
        })
    }
}

/// # Errors
/// [`crate::ErrorCode::UnsupportedType`] for an essential property that is not supported.
fn describe<'a>(items: &Items<'a>, item: &Item<'a>) -> Result<Described<'a>> {
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

/// The coded pictures of an item.
fn tiles(items: &Items<'_>, item: &Item<'_>) -> Result<Tiles> {
    match &item.kind {
        b"av01" => coded(items, item),
        b"grid" => grid(items, item),
        kind => Err(unsupported(&format!("its picture is of the kind \"{}\"", kind.escape_ascii()))),
    }
}

fn coded(items: &Items<'_>, item: &Item<'_>) -> Result<Tiles> {
    if item.foreign {
        return Err(unsupported("its picture is encrypted or in another file"));
    }
    let described = describe(items, item)?;
    // The header is readable even if the file is truncated after it. Decoders go by it where `av1C` says otherwise.
    let sequence =
        Sequence::find(items.start(item)).or_else(|| described.code.and_then(|code| code.sequence()));
    let size = described.size.or(sequence.map(|sequence| sequence.size));
    let coding = sequence.map(|sequence| sequence.coding).or(described.code.map(|code| code.coding));
    let (Some(size), Some(coding)) = (size, coding) else {
        return Err(damaged("it does not say how its picture is coded"));
    };
    if size.0 == 0 || size.1 == 0 {
        return Err(damaged("it has no pixels"));
    }
    Ok(Tiles {
        items: vec![item.id],
        columns: 1,
        tile: size,
        size,
        coding,
        operating_point: described.operating_point,
        layer: described.layer,
        colors: sequence.map_or(CodePoints::default(), |sequence| sequence.colors),
    })
}

/// A grid of equal tiles (ISO/IEC 23008-12, 6.6.2.3).
fn grid(items: &Items<'_>, item: &Item<'_>) -> Result<Tiles> {
    let shape = items.bytes(item).filter(|_| !item.foreign).ok_or_else(|| damaged("it ends too soon"))?;
    let (rows, columns, width, height) =
        shape_of(Reader(&shape)).ok_or_else(|| damaged("its grid has no shape"))?;
    let ids = items.targets(b"dimg", item.id);
    let tiles: Vec<&Item<'_>> = ids.iter().filter_map(|id| items.item(*id)).collect();
    let Some((first, others)) = tiles.split_first() else { return Err(damaged("its grid has no tiles")) };
    if tiles.len() as u64 != u64::from(rows) * u64::from(columns) || tiles.len() != ids.len() {
        return Err(damaged("its grid lacks tiles"));
    }
    if tiles.iter().any(|tile| &tile.kind != b"av01") {
        return Err(unsupported("its grid is made of other things than coded pictures"));
    }
    let mut made = coded(items, first)?;
    for tile in others {
        let other = coded(items, tile)?;
        let same = |tiles: &Tiles| (tiles.tile, tiles.coding, tiles.operating_point, tiles.layer);
        if same(&other) != same(&made) {
            return Err(damaged("the tiles of its grid differ"));
        }
    }
    for tile in &tiles {
        let described = describe(items, tile)?;
        if described.rotation.or(described.mirror.map(|_| 0)).is_some() || described.aperture.is_some() {
            return Err(unsupported("the tiles of its grid are turned or cut"));
        }
    }
    let (tile_width, tile_height) = made.tile;
    let fits = |tile: u32, count: u32, side: u32| {
        let (tile, count, side) = (u64::from(tile), u64::from(count), u64::from(side));
        tile * count >= side && tile * (count - 1) < side
    };
    if !fits(tile_width, columns, width) || !fits(tile_height, rows, height) {
        return Err(damaged("its grid and its tiles differ in size"));
    }
    // A tile boundary cannot split a chroma sample.
    let splits = |half: bool, count: u32, tile: u32| half && count > 1 && tile % 2 == 1;
    if !made.coding.gray
        && (splits(made.coding.half_width, columns, tile_width)
            || splits(made.coding.half_height, rows, tile_height))
    {
        return Err(damaged("the tiles of its grid have an odd size"));
    }
    made.items = ids;
    made.columns = columns;
    made.size = (width, height);
    Ok(made)
}

/// Rows, columns, width and height.
fn shape_of(mut reader: Reader<'_>) -> Option<(u32, u32, u32, u32)> {
    let [0, flags, rows, columns] = reader.array()? else { return None };
    let long = flags & 1 == 1;
    Some((u32::from(rows) + 1, u32::from(columns) + 1, reader.id(long)?, reader.id(long)?))
        .filter(|shape| shape.2 > 0 && shape.3 > 0)
}

/// The clean aperture (ISO/IEC 14496-12, 12.1.4). `None` if it is not in whole pixels or not within the canvas: then it
/// is ignored, as browsers do.
fn crop([width, height, right, down]: [Fraction; 4], canvas: (u32, u32)) -> Option<Crop> {
    let side = |(numerator, denominator): Fraction| {
        let (numerator, denominator) = (i64::from(numerator), i64::from(denominator));
        (denominator > 0 && numerator > 0 && numerator % denominator == 0).then(|| numerator / denominator)
    };
    let start = |(numerator, denominator): Fraction, canvas: u32, side: i64| {
        let (numerator, denominator) = (i64::from(numerator), i64::from(denominator));
        if denominator <= 0 {
            return None;
        }
        // The fraction gives the distance between the centers of the canvas and of the aperture.
        let (free, twice) = (i64::from(canvas) - side, 2 * denominator);
        let offset = free.checked_mul(denominator)?.checked_add(2 * numerator)?;
        let start = (offset % twice == 0).then_some(offset / twice)?;
        (0..=free).contains(&start).then_some(start)
    };
    let (width, height) = (side(width)?, side(height)?);
    Some(Crop {
        x: u32::try_from(start(right, canvas.0, width)?).ok()?,
        y: u32::try_from(start(down, canvas.1, height)?).ok()?,
        width: u32::try_from(width).ok()?,
        height: u32::try_from(height).ok()?,
    })
}

/// Quarter turns counterclockwise, then a mirror.
fn orientation(quarters: u8, mirror: Option<MirrorAxis>) -> Orientation {
    use MirrorAxis::{Horizontal, Vertical};
    match (quarters, mirror) {
        (0, None) => Orientation::NoTransforms,
        (1, None) => Orientation::Rotate270,
        (2, None) => Orientation::Rotate180,
        (_, None) => Orientation::Rotate90,
        (0, Some(Horizontal)) | (2, Some(Vertical)) => Orientation::FlipHorizontal,
        (2, Some(Horizontal)) | (0, Some(Vertical)) => Orientation::FlipVertical,
        (1, Some(Vertical)) => Orientation::Rotate90FlipH,
        (_, Some(Vertical)) | (1, Some(Horizontal)) => Orientation::Rotate270FlipH,
        (_, Some(Horizontal)) => Orientation::Rotate90FlipH,
    }
}

/// The number of samples in the longest track of an image sequence (`stsz`, ISO/IEC 14496-12, 8.7.3).
fn frames(file: &[u8]) -> Option<u32> {
    let mut brands = Parts(file).payload(b"ftyp")?.as_chunks::<4>().0.iter();
    if !brands.any(|brand| brand == b"avis") {
        return None;
    }
    let tracks = Parts(Parts(file).payload(b"moov")?).filter(|part| &part.kind == b"trak");
    let samples = |track: &[u8]| {
        let media = Parts(track).payload(b"mdia")?;
        let table = Parts(Parts(media).payload(b"minf")?).payload(b"stbl")?;
        let mut sizes = Reader(Parts(table).payload(b"stsz")?);
        sizes.version()?;
        sizes.u32()?;
        sizes.u32()
    };
    tracks.filter_map(|track| samples(track.payload)).max()
}
