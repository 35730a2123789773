//! The items of a file: coded pictures, what is derived from them, and what is said about them. ISO/IEC 14496-12, 8.11.

use std::borrow::Cow;

use crate::containers::isobmff::{Part, Parts, Property, Reader};

/// The most properties of one item; pictures have about ten.
const MAX_PROPERTIES: usize = 64;

/// What the `meta` box of a file says.
#[derive(Debug)]
pub(crate) struct Items<'a> {
    /// The id of the item that is shown.
    pub(crate) primary: u32,
    /// In ascending order of their ids.
    pub(crate) items: Vec<Item<'a>>,
    /// The property boxes, in the order by which associations count them.
    pub(crate) properties: Vec<Part<'a>>,
    pub(crate) references: Vec<Reference>,
    /// Groups of items, each a box.
    pub(crate) groups: Vec<Part<'a>>,
    file: &'a [u8],
    data: &'a [u8],
}

/// One item.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    pub(crate) id: u32,
    pub(crate) kind: [u8; 4],
    /// It is not to be shown by itself.
    pub(crate) hidden: bool,
    /// The type of what a `mime` item holds.
    pub(crate) content_type: &'a [u8],
    /// Index into the properties, and whether a reader must know it.
    pub(crate) properties: Vec<(usize, bool)>,
    /// It is encrypted or in another file.
    pub(crate) foreign: bool,
    place: Place,
    extents: Vec<(u64, u64)>,
}

/// What the extents of an item are counted from; ISO/IEC 14496-12, 8.11.3, `construction_method`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// The beginning of the file.
    #[default]
    File,
    /// The `idat` box.
    Data,
    /// Another item.
    Item,
}

/// From one item to others.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) kind: [u8; 4],
    pub(crate) from: u32,
    pub(crate) to: Vec<u32>,
}

impl<'a> Items<'a> {
    /// Reads the first `meta` box; None where there is none, or one that breaks its rules.
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
            file,
            data: parts.clone().payload(b"idat").unwrap_or_default(),
        };
        items.items.sort_by_key(|item| item.id);
        items.items.dedup_by_key(|item| item.id);
        items.locate(Reader(parts.clone().payload(b"iloc")?))?;
        if let Some(references) = parts.clone().payload(b"iref") {
            items.references = self::references(Reader(references))?;
        }
        if let Some(properties) = parts.clone().payload(b"iprp") {
            items.properties = Parts(Parts(properties).payload(b"ipco")?).collect();
            for part in Parts(properties).filter(|part| &part.kind == b"ipma") {
                items.associate(Reader(part.payload))?;
            }
        }
        items.groups = Parts(parts.payload(b"grpl").unwrap_or_default()).collect();
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

    /// The bytes of an item; None where they are not all there.
    pub(crate) fn bytes(&self, item: &Item<'a>) -> Option<Cow<'a, [u8]>> {
        if let [extent] = item.extents.as_slice() {
            return self.extent(item, extent).map(Cow::Borrowed);
        }
        let mut bytes = Vec::new();
        for extent in &item.extents {
            let part = self.extent(item, extent)?;
            // Extents that overlap could make any amount of a small file.
            if bytes.len() + part.len() > self.file.len() {
                return None;
            }
            bytes.extend_from_slice(part);
        }
        Some(Cow::Owned(bytes))
    }

    /// The first bytes of an item, as far as they lie together and are there.
    pub(crate) fn start(&self, item: &Item<'a>) -> &'a [u8] {
        let (Some(source), Some((offset, length))) = (self.source(item), item.extents.first()) else {
            return &[];
        };
        let rest = usize::try_from(*offset).ok().and_then(|offset| source.get(offset..)).unwrap_or_default();
        &rest[..usize::try_from(*length).map_or(rest.len(), |length| length.min(rest.len()))]
    }

    /// How many bytes an item says that it has.
    pub(crate) fn length(&self, item: &Item<'a>) -> u64 {
        item.extents.iter().fold(0, |sum, (_, length)| sum.saturating_add(*length))
    }

    fn extent(&self, item: &Item<'a>, &(offset, length): &(u64, u64)) -> Option<&'a [u8]> {
        let offset = usize::try_from(offset).ok()?;
        self.source(item)?.get(offset..offset.checked_add(usize::try_from(length).ok()?)?)
    }

    /// What the offsets of an item count in.
    fn source(&self, item: &Item<'a>) -> Option<&'a [u8]> {
        match item.place {
            Place::File => Some(self.file),
            Place::Data => Some(self.data),
            Place::Item => None,
        }
    }

    /// The properties of an item that are known here, each with whether a reader must know it.
    pub(crate) fn properties(&self, item: &Item<'a>) -> impl Iterator<Item = (Property<'a>, bool)> {
        item.properties.iter().filter_map(|&(index, essential)| {
            self.properties.get(index).map(|part| (Property::read(part), essential))
        })
    }

    /// What an item points at by one kind of reference, in order.
    pub(crate) fn targets(&self, kind: &[u8; 4], from: u32) -> Vec<u32> {
        let found =
            self.references.iter().filter(|reference| &reference.kind == kind && reference.from == from);
        found.flat_map(|reference| reference.to.iter().copied()).collect()
    }

    /// The items that point at one by one kind of reference.
    pub(crate) fn sources(&self, kind: &[u8; 4], to: u32) -> impl Iterator<Item = &Item<'a>> {
        let found = self.references.iter();
        found
            .filter(move |reference| &reference.kind == kind && reference.to.contains(&to))
            .filter_map(|reference| self.item(reference.from))
    }

    /// `iloc`, 8.11.3.
    fn locate(&mut self, mut reader: Reader<'a>) -> Option<()> {
        let (version, _) = reader.version()?;
        let [sizes, more] = reader.array()?;
        let (offset_size, length_size, base_size) = (sizes >> 4, sizes & 15, more >> 4);
        let index_size = if version > 0 { more & 15 } else { 0 };
        for _ in 0..reader.id(version > 1)? {
            let id = reader.id(version > 1)?;
            let place = match if version > 0 { reader.u16()? & 15 } else { 0 } {
                0 => Place::File,
                1 => Place::Data,
                _ => Place::Item,
            };
            let reference = reader.u16()?;
            let base = reader.sized(base_size)?;
            let count = reader.u16()?;
            // Extents of no bytes at all could be any number.
            if count > 1 && offset_size + length_size == 0 {
                return None;
            }
            let mut extents = Vec::new();
            for _ in 0..count {
                reader.sized(index_size)?;
                let offset = base.checked_add(reader.sized(offset_size)?)?;
                extents.push((offset, reader.sized(length_size)?));
            }
            if let Some(item) = self.item_mut(id) {
                item.place = place;
                item.extents = extents;
                item.foreign |= reference != 0;
            }
        }
        Some(())
    }

    /// `ipma`, ISO/IEC 23008-12, 9.3.1.
    fn associate(&mut self, mut reader: Reader<'a>) -> Option<()> {
        let (version, flags) = reader.version()?;
        for _ in 0..reader.u32()? {
            let id = reader.id(version > 0)?;
            let count = reader.u8()?;
            let mut properties = Vec::with_capacity(count.into());
            for _ in 0..count {
                let (essential, index) = match flags & 1 {
                    0 => reader.u8().map(|byte| (byte >> 7, u16::from(byte & 0x7F)))?,
                    _ => reader.u16().map(|word| ((word >> 15) as u8, word & 0x7FFF))?,
                };
                // They are counted from 1; 0 is none.
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
    /// Whether it lies in the `meta` box itself.
    pub(crate) fn is_inline(&self) -> bool {
        self.place == Place::Data
    }
}

/// `pitm`, 8.11.4.
fn primary(mut reader: Reader<'_>) -> Option<u32> {
    let (version, _) = reader.version()?;
    reader.id(version > 0)
}

/// `iinf` and its `infe`, 8.11.6. Entries older than version 2 name no type and are passed over.
fn item_infos(mut reader: Reader<'_>) -> Option<Vec<Item<'_>>> {
    let (version, _) = reader.version()?;
    reader.id(version > 0)?;
    let entries = Parts(reader.0).filter(|part| &part.kind == b"infe");
    Some(entries.filter_map(|part| item_info(Reader(part.payload))).collect())
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
        place: Place::default(),
        extents: Vec::new(),
    })
}

/// `iref`, 8.11.12.
fn references(mut reader: Reader<'_>) -> Option<Vec<Reference>> {
    let (version, _) = reader.version()?;
    let long = version > 0;
    let reference = |part: Part<'_>| {
        let mut reader = Reader(part.payload);
        let from = reader.id(long)?;
        let count = reader.u16()?;
        let to = (0..count).map(|_| reader.id(long)).collect::<Option<_>>()?;
        Some(Reference { kind: part.kind, from, to })
    };
    Parts(reader.0).map(reference).collect()
}
