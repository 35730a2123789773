//! Finds the picture of a file: the items of its color and alpha, their layout, and the transformations for display
//! (AV1 Image File Format, 2 and 4; MIAF, ISO/IEC 23000-22, 7.3).

use std::collections::{BTreeMap, BTreeSet};

use image::metadata::Orientation;

use crate::containers::isobmff::described::describe;
use crate::containers::isobmff::properties::{CodePoints, Fraction, MirrorAxis};
use crate::containers::isobmff::tiles::{Tiles, joined, tiles};
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

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Crop {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
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
        let alpha = Alpha::of(items, primary, &color)?;
        if alpha.as_ref().is_some_and(|alpha| alpha.tiles.size != color.size) {
            return Err(damaged("its alpha channel has another size than its colors"));
        }
        let (width, height) = color.size;
        let whole = Crop { x: 0, y: 0, width, height };
        let crop = described.aperture.and_then(|aperture| crop(aperture, color.size));
        // The color properties of a grid may be stored with its tiles.
        let tile = color.items.first().and_then(|id| items.item(*id));
        let of_tile = tile.map(|tile| describe(items, tile)).transpose()?.unwrap_or_default();
        Ok(Self {
            premultiplied: alpha.as_ref().is_some_and(|alpha| alpha.premultiplied),
            crop: crop.unwrap_or(whole),
            orientation: orientation(described.rotation.unwrap_or(0), described.mirror),
            colors: described.colors.or(of_tile.colors).unwrap_or(color.colors),
            profile: described.profile.or(of_tile.profile),
            frames: frames(file).unwrap_or(1).max(1),
            color,
            alpha: alpha.map(|alpha| alpha.tiles),
        })
    }
}

/// The alpha channel of a picture.
struct Alpha {
    tiles: Tiles,
    premultiplied: bool,
}

impl Alpha {
    /// An auxiliary item of the picture. A grid without one may have one of each of its tiles; if some tiles lack it, there
    /// is no alpha channel, as in libavif.
    fn of(items: &Items<'_>, primary: &Item<'_>, color: &Tiles) -> Result<Option<Self>> {
        let alphas = alphas(items);
        let premultiplied: BTreeSet<(u32, u32)> = items.pairs(b"prem").collect();
        if let Some(id) = alphas.get(&primary.id) {
            let item = items.item(*id).ok_or_else(|| damaged("its alpha channel is missing"))?;
            let premultiplied = premultiplied.contains(&(primary.id, *id));
            return Ok(Some(Self { tiles: tiles(items, item)?, premultiplied }));
        }
        let of_tiles = color.items.iter().map(|id| alphas.get(id).copied()).collect::<Option<Vec<u32>>>();
        let Some(ids) = of_tiles.filter(|_| &primary.kind == b"grid") else { return Ok(None) };
        let pairs = || color.items.iter().copied().zip(ids.iter().copied());
        let is_any = pairs().any(|pair| premultiplied.contains(&pair));
        if is_any && !pairs().all(|pair| premultiplied.contains(&pair)) {
            return Err(unsupported("only some of its tiles are premultiplied by alpha"));
        }
        Ok(Some(Self { tiles: joined(items, ids, color.columns, color.size)?, premultiplied: is_any }))
    }
}

/// The items that have an alpha channel, each with the item of that.
fn alphas(items: &Items<'_>) -> BTreeMap<u32, u32> {
    let is_alpha =
        |id| items.item(id).is_some_and(|item| describe(items, item).is_ok_and(|facts| facts.is_alpha));
    let mut alphas = BTreeMap::new();
    let references = items.references.iter().filter(|reference| &reference.kind == b"auxl");
    for reference in references.filter(|reference| is_alpha(reference.from)) {
        for of in &reference.to {
            alphas.entry(*of).or_insert(reference.from);
        }
    }
    alphas
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
