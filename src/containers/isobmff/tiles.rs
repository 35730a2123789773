//! The coded pictures that a picture consists of: one, or the tiles of a grid.

use crate::containers::isobmff::described::describe;
use crate::containers::isobmff::properties::CodePoints;
use crate::containers::isobmff::sequence::{Coding, Sequence};
use crate::containers::isobmff::{Item, Items, Reader, damaged, unsupported};
use crate::error::Result;

/// Coded pictures of the same size, row by row, that form one picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tiles {
    /// The items. A grid may use one for several tiles.
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

impl Tiles {
    /// The items in ascending order, each once.
    pub(crate) fn distinct(&self) -> Vec<u32> {
        let mut ids = self.items.clone();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// The coded pictures of an item.
pub(super) fn tiles(items: &Items<'_>, item: &Item<'_>) -> Result<Tiles> {
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
    if ids.len() as u64 != u64::from(rows) * u64::from(columns) {
        return Err(damaged("its grid lacks tiles"));
    }
    joined(items, ids, columns, (width, height))
}

/// The tiles of a grid, row by row. An item may occur several times.
///
/// # Errors
/// [`crate::ErrorCode::Corrupt`] if the tiles differ, or if they do not make a picture of that size;
/// [`crate::ErrorCode::UnsupportedType`] if they are no coded pictures.
pub(super) fn joined(
    items: &Items<'_>,
    ids: Vec<u32>,
    columns: u32,
    (width, height): (u32, u32),
) -> Result<Tiles> {
    let find = |id: &u32| items.item(*id).ok_or_else(|| damaged("its grid lacks tiles"));
    let rows = ids.len() as u32 / columns.max(1);
    let first = find(ids.first().ok_or_else(|| damaged("its grid has no tiles"))?)?;
    let made = Tiles { items: ids, columns, size: (width, height), ..tile(items, first)? };
    let same = |tiles: &Tiles| (tiles.tile, tiles.coding, tiles.operating_point, tiles.layer);
    for id in made.distinct() {
        if same(&tile(items, find(&id)?)?) != same(&made) {
            return Err(damaged("the tiles of its grid differ"));
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
    Ok(made)
}

/// A tile. Its own transformations are ignored, as libavif does, whose encoder repeats those of the grid there.
fn tile(items: &Items<'_>, item: &Item<'_>) -> Result<Tiles> {
    if &item.kind != b"av01" {
        return Err(unsupported("its grid is made of other things than coded pictures"));
    }
    coded(items, item)
}

/// Rows, columns, width and height.
fn shape_of(mut reader: Reader<'_>) -> Option<(u32, u32, u32, u32)> {
    let [0, flags, rows, columns] = reader.array()? else { return None };
    let long = flags & 1 == 1;
    Some((u32::from(rows) + 1, u32::from(columns) + 1, reader.id(long)?, reader.id(long)?))
        .filter(|shape| shape.2 > 0 && shape.3 > 0)
}
