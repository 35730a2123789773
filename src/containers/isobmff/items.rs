//! Reads the items of a file: coded pictures, derived pictures and metadata (ISO/IEC 14496-12, 8.11).

use std::borrow::Cow;

use crate::containers::isobmff::item_data::{Contents, Location, read_locations};
use crate::containers::isobmff::{Part, Parts, Property, Reader};

/// The most properties of an item; pictures have about ten.
const MAX_PROPERTIES: usize = 64;
/// The most items and groups; a grid has up to 65,536 tiles, each of which may have an alpha channel.
const MAX_ITEMS: usize = 1 << 18;
/// The most targets of references, and properties of all items together.
const MAX_ENTRIES: usize = 1 << 20;
/// The properties that an index can refer to: those of all items are parsed once, since items can share them.
const MAX_INDEX: usize = 0x7FFF;

/// The contents of the `meta` box.
#[derive(Debug)]
pub(crate) struct Items<'a> {
    /// The ID of the primary item.
    pub(crate) primary: u32,
    /// In ascending order of IDs.
    pub(crate) items: Vec<Item<'a>>,
    /// The property boxes, in the order of `ipco`, and what they say.
    pub(crate) properties: Vec<(Part<'a>, Property<'a>)>,
    pub(crate) references: Vec<Reference>,
    /// The boxes of item groups.
    pub(crate) groups: Vec<Part<'a>>,
    contents: Contents<'a>,
}

/// An item.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    pub(crate) id: u32,
    pub(crate) kind: [u8; 4],
    /// Whether the item is hidden.
    pub(crate) hidden: bool,
    /// The content type of a `mime` item.
    pub(crate) content_type: &'a [u8],
    /// Index into the properties, and whether the property is essential.
    pub(crate) properties: Vec<(usize, bool)>,
    /// Whether the item is encrypted or stored in another file.
    pub(crate) foreign: bool,
    location: Location,
}

/// References from one item to others.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) kind: [u8; 4],
    pub(crate) from: u32,
    pub(crate) to: Vec<u32>,
}

impl<'a> Items<'a> {
    /// Reads the first `meta` box; `None` if there is none or it is invalid.
    pub(crate) fn read(file: &'a [u8]) -> Option<Self> {
        let mut meta = Reader(Parts(file).payload(b"meta")?);
        meta.version()?;
        let parts = Parts(meta.0);

        let mut items = Self {
            primary: primary(Reader(parts.clone().payload(b"pitm")?))?,
            items: item_infos(Reader(parts.clone().payload(b"iinf")?))?,
            properties: Vec::new(),
            references: Vec::new(),
            groups: Vec::new(),
            contents: Contents { file, data: parts.clone().payload(b"idat").unwrap_or_default() },
        };
        items.items.sort_by_key(|item| item.id);
        items.items.dedup_by_key(|item| item.id);
        read_locations(Reader(parts.clone().payload(b"iloc")?), |id, location, is_elsewhere| {
            if let Some(item) = items.item_mut(id) {
                item.location = location;
                item.foreign |= is_elsewhere;
            }
        })?;
        if let Some(references) = parts.clone().payload(b"iref") {
            items.references = self::references(Reader(references))?;
        }
        if let Some(properties) = parts.clone().payload(b"iprp") {
            let boxes = Parts(Parts(properties).payload(b"ipco")?).take(MAX_INDEX);
            items.properties = boxes.map(|part| (part, Property::read(&part))).collect();
            let mut left = MAX_ENTRIES;
            for part in Parts(properties).filter(|part| &part.kind == b"ipma") {
                items.associate(Reader(part.payload), &mut left)?;
            }
        }
        items.groups = Parts(parts.payload(b"grpl").unwrap_or_default()).take(MAX_ITEMS).collect();
        Some(items)
    }

    pub(crate) fn item(&self, id: u32) -> Option<&Item<'a>> {
        let at = self.items.binary_search_by_key(&id, |item| item.id).ok()?;
        self.items.get(at)
    }

    fn item_mut(&mut self, id: u32) -> Option<&mut Item<'a>> {
        let at = self.items.binary_search_by_key(&id, |item| item.id).ok()?;
        self.items.get_mut(at)
    }

    /// The bytes of an item; `None` if they are not complete.
    pub(crate) fn bytes(&self, item: &Item<'a>) -> Option<Cow<'a, [u8]>> {
        item.location.bytes(self.contents)
    }

    /// The first bytes of an item, as far as they are contiguous and present.
    pub(crate) fn start(&self, item: &Item<'a>) -> &'a [u8] {
        item.location.start(self.contents)
    }

    /// The known properties of an item, each with whether it is essential.
    pub(crate) fn properties(&self, item: &Item<'a>) -> impl Iterator<Item = (Property<'a>, bool)> {
        item.properties.iter().filter_map(|&(index, essential)| {
            self.properties.get(index).map(|(_, property)| (*property, essential))
        })
    }

    /// The targets of an item's references of one type, in order.
    pub(crate) fn targets(&self, kind: &[u8; 4], from: u32) -> Vec<u32> {
        let found =
            self.references.iter().filter(|reference| &reference.kind == kind && reference.from == from);
        found.flat_map(|reference| reference.to.iter().copied()).collect()
    }

    /// All references of one type, each as a pair of items.
    pub(crate) fn pairs(&self, kind: &[u8; 4]) -> impl Iterator<Item = (u32, u32)> {
        let found = self.references.iter().filter(move |reference| &reference.kind == kind);
        found.flat_map(|reference| reference.to.iter().map(|to| (reference.from, *to)))
    }

    /// `ipma`, ISO/IEC 23008-12, 9.3.1.
    fn associate(&mut self, mut reader: Reader<'a>, left: &mut usize) -> Option<()> {
        let (version, flags) = reader.version()?;
        for _ in 0..reader.u32()? {
            let id = reader.id(version > 0)?;
            let count = reader.u8()?;
            *left = left.checked_sub(count.into())?;
            let mut properties = Vec::with_capacity(count.into());
            for _ in 0..count {
                let (essential, index) = match flags & 1 {
                    0 => reader.u8().map(|byte| (byte >> 7, u16::from(byte & 0x7F)))?,
                    _ => reader.u16().map(|word| ((word >> 15) as u8, word & 0x7FFF))?,
                };
                // Indices start at 1; 0 means no property.
                if let Some(index) = usize::from(index).checked_sub(1) {
                    properties.push((index, essential == 1));
                }
            }
            if let Some(item) = self.item_mut(id) {
                item.properties.extend(properties);
                if item.properties.len() > MAX_PROPERTIES {
                    return None;
                }
            }
        }
        Some(())
    }
}

impl Item<'_> {
    /// The length that the item claims.
    pub(crate) fn length(&self) -> u64 {
        self.location.length()
    }

    /// Whether the item is stored in the `meta` box.
    pub(crate) fn is_inline(&self) -> bool {
        self.location.is_inline()
    }
}

/// `pitm`, 8.11.4.
fn primary(mut reader: Reader<'_>) -> Option<u32> {
    let (version, _) = reader.version()?;
    reader.id(version > 0)
}

/// `iinf` and its `infe`, 8.11.6. Entries before version 2 have no type and are skipped.
fn item_infos(mut reader: Reader<'_>) -> Option<Vec<Item<'_>>> {
    let (version, _) = reader.version()?;
    reader.id(version > 0)?;
    let entries = Parts(reader.0).filter(|part| &part.kind == b"infe");
    let infos = entries.clone().filter_map(|part| item_info(Reader(part.payload)));
    (entries.count() <= MAX_ITEMS).then(|| infos.collect())
}

fn item_info(mut reader: Reader<'_>) -> Option<Item<'_>> {
    let (version @ 2..=3, flags) = reader.version()? else { return None };
    let id = reader.id(version == 3)?;
    let protection = reader.u16()?;
    let kind = reader.array()?;
    let mut content_type: &[u8] = &[];
    if &kind == b"mime" {
        reader.text()?;
        content_type = reader.text()?;
    }
    Some(Item {
        id,
        kind,
        hidden: flags & 1 == 1,
        content_type,
        properties: Vec::new(),
        foreign: protection != 0,
        location: Location::default(),
    })
}

/// `iref`, 8.11.12.
fn references(mut reader: Reader<'_>) -> Option<Vec<Reference>> {
    let (version, _) = reader.version()?;
    let long = version > 0;
    let mut left = MAX_ENTRIES;
    let reference = |part: Part<'_>| {
        let mut reader = Reader(part.payload);
        let from = reader.id(long)?;
        let count = reader.u16()?;
        left = left.checked_sub(1 + usize::from(count))?;
        let to = (0..count).map(|_| reader.id(long)).collect::<Option<_>>()?;
        Some(Reference { kind: part.kind, from, to })
    };
    Parts(reader.0).map(reference).collect()
}
