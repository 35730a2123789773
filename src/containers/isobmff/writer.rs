//! Writes a file from items: `ftyp`, `meta` and `mdat`, each as short as possible.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::containers::isobmff::part;

/// Marks an essential property.
const ESSENTIAL: u16 = 1 << 15;

/// A file under construction. Methods return `None` if it exceeds what 32 bits can address.
#[derive(Default)]
pub(crate) struct Writer<'a> {
    items: BTreeMap<u32, Written>,
    /// The property boxes by their contents, without duplicates.
    properties: BTreeMap<Cow<'a, [u8]>, u16>,
    /// The numbers of those that were copied, by their index in the file that they are from.
    copied: BTreeMap<usize, u16>,
    references: Vec<([u8; 4], u32, Vec<u32>)>,
    /// Concatenated boxes.
    groups: Vec<u8>,
    /// Contents of `idat`.
    inline: Vec<u8>,
    /// Contents of `mdat`.
    data: Vec<u8>,
    /// The position of each piece of `data`, without duplicates.
    pieces: BTreeMap<Cow<'a, [u8]>, u32>,
}

struct Written {
    kind: [u8; 4],
    hidden: bool,
    /// The content type of a `mime` item.
    content_type: &'static [u8],
    is_inline: bool,
    offset: u32,
    length: u32,
    /// Numbered from 1.
    properties: Vec<u16>,
}

impl<'a> Writer<'a> {
    /// Adds an item whose data are in `mdat`.
    pub(crate) fn add(&mut self, id: u32, kind: [u8; 4], data: Cow<'a, [u8]>) -> Option<()> {
        let length = u32::try_from(data.len()).ok()?;
        let offset = match self.pieces.get(&data) {
            Some(offset) => *offset,
            None => {
                let offset = u32::try_from(self.data.len()).ok()?;
                self.data.extend_from_slice(&data);
                self.pieces.insert(data, offset);
                offset
            }
        };
        let properties = Vec::new();
        let item =
            Written { kind, hidden: false, content_type: &[], is_inline: false, offset, length, properties };
        self.items.insert(id, item);
        Some(())
    }

    /// Adds an item whose data are in the `meta` box.
    pub(crate) fn add_inline(&mut self, id: u32, kind: [u8; 4], data: &[u8]) -> Option<()> {
        self.add(id, kind, Cow::Borrowed(&[]))?;
        let item = self.items.get_mut(&id)?;
        item.is_inline = true;
        (item.offset, item.length) =
            (u32::try_from(self.inline.len()).ok()?, u32::try_from(data.len()).ok()?);
        self.inline.extend_from_slice(data);
        Some(())
    }

    /// The largest ID of an item. `None` if there is no item yet.
    pub(crate) fn last_id(&self) -> Option<u32> {
        self.items.last_key_value().map(|(id, _)| *id)
    }

    /// The bytes of data so far.
    pub(crate) fn data_length(&self) -> usize {
        self.data.len() + self.inline.len()
    }

    /// Marks the item as hidden.
    pub(crate) fn hide(&mut self, id: u32) {
        if let Some(item) = self.items.get_mut(&id) {
            item.hidden = true;
        }
    }

    /// Adds a property (a whole box) to an item.
    pub(crate) fn property(&mut self, id: u32, whole: Vec<u8>, essential: bool) -> Option<()> {
        let number = self.number(Cow::Owned(whole))?;
        self.associate(id, number, essential)
    }

    /// Adds a property of another file to an item, where it has an index.
    pub(crate) fn copy_property(
        &mut self,
        id: u32,
        (index, whole): (usize, &'a [u8]),
        essential: bool,
    ) -> Option<()> {
        // Many items can share a long one.
        let number = match self.copied.get(&index) {
            Some(number) => *number,
            None => self.number(Cow::Borrowed(whole))?,
        };
        self.copied.insert(index, number);
        self.associate(id, number, essential)
    }

    /// The number of a property, counted from 1.
    fn number(&mut self, whole: Cow<'a, [u8]>) -> Option<u16> {
        let next = u16::try_from(self.properties.len() + 1).ok().filter(|number| number & ESSENTIAL == 0)?;
        Some(*self.properties.entry(whole).or_insert(next))
    }

    fn associate(&mut self, id: u32, number: u16, essential: bool) -> Option<()> {
        let number = if essential { number | ESSENTIAL } else { number };
        self.items.get_mut(&id)?.properties.push(number);
        Some(())
    }

    pub(crate) fn reference(&mut self, kind: [u8; 4], from: u32, to: Vec<u32>) {
        self.references.push((kind, from, to));
    }

    /// Adds an item group (a whole box).
    pub(crate) fn group(&mut self, whole: &[u8]) {
        self.groups.extend_from_slice(whole);
    }

    /// Adds a metadata item for another item: EXIF, or of a `content_type`.
    pub(crate) fn describe(
        &mut self,
        about: u32,
        kind: [u8; 4],
        content_type: &'static [u8],
        data: Vec<u8>,
    ) -> Option<()> {
        let id = self.last_id()?.checked_add(1)?;
        self.add(id, kind, Cow::Owned(data))?;
        self.items.get_mut(&id)?.content_type = content_type;
        self.reference(*b"cdsc", id, vec![about]);
        Some(())
    }

    /// The complete file; `brands` is the `ftyp` box.
    pub(crate) fn finish(&self, brands: &[u8], primary: u32) -> Option<Vec<u8>> {
        // The length of offsets does not depend on their values.
        let head = brands.len() + self.meta(primary, 0)?.len() + 8;
        let meta = self.meta(primary, u32::try_from(head).ok()?)?;
        Some([brands, &meta, &part(b"mdat", &[&self.data])?].concat())
    }

    /// The `meta` box (ISO/IEC 14496-12, 8.11.1); `start` is the offset of the data in the file.
    fn meta(&self, primary: u32, start: u32) -> Option<Vec<u8>> {
        let ids = Ids { long: self.items.last_key_value().is_some_and(|(id, _)| *id > u32::from(u16::MAX)) };
        let mut properties: Vec<(&Cow<'_, [u8]>, &u16)> = self.properties.iter().collect();
        properties.sort_by_key(|(_, number)| **number);
        let properties: Vec<u8> =
            properties.into_iter().flat_map(|(whole, _)| whole.iter()).copied().collect();
        let references = self.item_references(ids)?;
        let has = |contents: &[u8], whole: Vec<u8>| if contents.is_empty() { Vec::new() } else { whole };
        part(
            b"meta",
            &[
                &[0; 4],
                // The handler is `pict`, without a name.
                &part(b"hdlr", &[&[0; 8], b"pict", &[0; 13]])?,
                &part(b"pitm", &[&ids.version(0, 1), &ids.of(primary)])?,
                &self.item_locations(ids, start)?,
                &self.item_infos(ids)?,
                &has(&references, part(b"iref", &[&ids.version(0, 1), &references])?),
                &part(b"iprp", &[&part(b"ipco", &[&properties])?, &self.property_associations(ids)?])?,
                &has(&self.inline, part(b"idat", &[&self.inline])?),
                &has(&self.groups, part(b"grpl", &[&self.groups])?),
            ],
        )
    }

    /// `iinf`, 8.11.6.
    fn item_infos(&self, ids: Ids) -> Option<Vec<u8>> {
        let mut infos = Vec::new();
        for (number, item) in &self.items {
            let hidden = [if ids.long { 3 } else { 2 }, 0, 0, u8::from(item.hidden)];
            let content_type = if item.content_type.is_empty() { &[] } else { b"\0".as_slice() };
            infos.extend(part(
                b"infe",
                &[&hidden, &ids.of(*number), &[0; 2], &item.kind, b"\0", item.content_type, content_type],
            )?);
        }
        part(b"iinf", &[&ids.version(0, 1), &ids.count(self.items.len())?, &infos])
    }

    /// `iloc`, 8.11.3, with offsets and lengths of 4 bytes and without a base offset.
    fn item_locations(&self, ids: Ids, start: u32) -> Option<Vec<u8>> {
        let has_inline = !self.inline.is_empty();
        let mut locations = Vec::new();
        for (number, item) in &self.items {
            locations.extend(ids.of(*number));
            if ids.long || has_inline {
                locations.extend([0, u8::from(item.is_inline)]);
            }
            locations.extend([0, 0, 0, 1]);
            let offset = if item.is_inline { item.offset } else { item.offset.checked_add(start)? };
            locations.extend(offset.to_be_bytes());
            locations.extend(item.length.to_be_bytes());
        }
        let version = ids.version(u8::from(has_inline), 2);
        part(b"iloc", &[&version, &[0x44, 0], &ids.count(self.items.len())?, &locations])
    }

    /// The boxes of `iref`, 8.11.12.
    fn item_references(&self, ids: Ids) -> Option<Vec<u8>> {
        let mut references = Vec::new();
        for (kind, from, to) in &self.references {
            let to_ids: Vec<u8> = to.iter().flat_map(|to| ids.of(*to)).collect();
            let count = u16::try_from(to.len()).ok()?.to_be_bytes();
            references.extend(part(kind, &[&ids.of(*from), &count, &to_ids])?);
        }
        Some(references)
    }

    /// `ipma`, ISO/IEC 23008-12, 9.3.1.
    fn property_associations(&self, ids: Ids) -> Option<Vec<u8>> {
        let wide = self.properties.len() >= 0x80;
        let (mut described, mut associations) = (0_u32, Vec::new());
        for (number, item) in self.items.iter().filter(|(_, item)| !item.properties.is_empty()) {
            described += 1;
            associations.extend(ids.of(*number));
            associations.push(u8::try_from(item.properties.len()).ok()?);
            for property in &item.properties {
                match wide {
                    true => associations.extend(property.to_be_bytes()),
                    false => associations.push((property & !ESSENTIAL | (property & ESSENTIAL) >> 8) as u8),
                }
            }
        }
        let version = [u8::from(ids.long), 0, 0, u8::from(wide)];
        part(b"ipma", &[&version, &described.to_be_bytes(), &associations])
    }
}

/// The form of item IDs: 32 bits if one needs them, otherwise 16. The versions of the boxes state it.
#[derive(Clone, Copy)]
struct Ids {
    long: bool,
}

impl Ids {
    fn of(self, id: u32) -> Vec<u8> {
        match self.long {
            true => id.to_be_bytes().to_vec(),
            false => (id as u16).to_be_bytes().to_vec(),
        }
    }

    /// A number of items.
    fn count(self, count: usize) -> Option<Vec<u8>> {
        match self.long {
            true => Some((count as u32).to_be_bytes().to_vec()),
            false => u16::try_from(count).ok().map(|count| count.to_be_bytes().to_vec()),
        }
    }

    /// Version and flags of a box.
    fn version(self, short: u8, long: u8) -> [u8; 4] {
        [if self.long { long } else { short }, 0, 0, 0]
    }
}
