//! Everything before the blocks: magic number, version, and the attributes of every part ("OpenEXR File Layout",
//! openexr.com).

use crate::channel::{self, Channel};
use crate::error::{Error, Result};
use crate::input::Input;

const MAGIC: u32 = 0x0131_2F76;
/// The version of the format, in the lowest byte of the version field.
const VERSION: u32 = 2;
/// Bits of the version field.
const TILED: u32 = 0x200;
const DEEP: u32 = 0x800;
const SEVERAL_PARTS: u32 = 0x1000;

/// A file has some dozens; each takes more memory here than the least that it takes in the file.
const MAX_ATTRIBUTES: usize = 1 << 16;
/// Files of films have some dozens. What looks for a part, and for its blocks, goes through all before it.
const MAX_PARTS: usize = 1024;

/// An OpenEXR file whose headers have been read.
#[derive(Clone, Debug)]
pub struct File<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where the offset tables begin.
    pub(crate) tables: usize,
    /// Whether the file may have several parts, which number their blocks.
    pub(crate) has_numbered_parts: bool,
    parts: Vec<Header<'a>>,
}

impl<'a> File<'a> {
    /// Reads the headers.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a header is incomplete or repeats an attribute; [`Error::Unsupported`] if the version of
    /// the format is not 2, or if there are more than 65,536 attributes or 1,024 parts.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut input = Input(bytes);
        if input.u32()? != MAGIC {
            return Err(Error::Corrupt("it does not begin like OpenEXR"));
        }
        let version = input.u32()?;
        if version & 0xFF != VERSION {
            return Err(Error::Unsupported("its version is unknown"));
        }
        let has_numbered_parts = version & SEVERAL_PARTS != 0;
        let (mut parts, mut budget) = (Vec::new(), MAX_ATTRIBUTES);
        loop {
            let attributes = attributes(&mut input, &mut budget)?;
            if attributes.is_empty() {
                break;
            }
            if parts.len() == MAX_PARTS {
                return Err(Error::Unsupported("it has more than 1,024 parts"));
            }
            let flags = if has_numbered_parts { 0 } else { version };
            parts.push(Header { attributes, flags });
            if !has_numbered_parts {
                break;
            }
        }
        Ok(Self { bytes, tables: bytes.len() - input.0.len(), has_numbered_parts, parts })
    }

    /// The headers of the parts, in the order of the file.
    pub fn parts(&self) -> &[Header<'a>] {
        &self.parts
    }
}

#[derive(Clone, Copy, Debug)]
struct Attribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
}

/// The attributes up to an empty name, sorted by name. Duplicates are refused: readers differ in which one they use.
fn attributes<'a>(input: &mut Input<'a>, budget: &mut usize) -> Result<Vec<Attribute<'a>>> {
    let mut attributes = Vec::new();
    loop {
        let incomplete = |_| Error::Corrupt("its header is incomplete");
        let name = input.text().map_err(incomplete)?;
        if name.is_empty() {
            break;
        }
        input.text().map_err(incomplete)?;
        let length = input.length().map_err(incomplete)?;
        let value = input.take(length).map_err(incomplete)?;
        *budget = budget.checked_sub(1).ok_or(Error::Unsupported("it has too many attributes"))?;
        attributes.push(Attribute { name, value });
    }
    attributes.sort_unstable_by_key(|attribute: &Attribute<'a>| attribute.name);
    match attributes.windows(2).any(|pair| pair[0].name == pair[1].name) {
        true => Err(Error::Corrupt("an attribute is there twice")),
        false => Ok(attributes),
    }
}

/// The attributes of a part.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    /// Sorted by name.
    attributes: Vec<Attribute<'a>>,
    /// The version field if it describes this part, since the file has no other.
    flags: u32,
}

impl<'a> Header<'a> {
    /// The value of an attribute.
    pub fn find(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|found| found.value)
    }

    /// Whether pixels have any number of samples. Such parts are not decoded.
    pub fn is_deep(&self) -> bool {
        self.flags & DEEP != 0 || self.kind().starts_with(b"deep")
    }

    pub(crate) fn is_tiled(&self) -> bool {
        let kind = self.kind();
        kind.starts_with(b"tiled") || (kind.is_empty() && self.flags & TILED != 0)
    }

    fn kind(&self) -> &'a [u8] {
        self.find(b"type").unwrap_or_default()
    }

    /// The channels, in the order of the file.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if there is no complete list; [`Error::Unsupported`] above 64 channels.
    pub fn channels(&self) -> Result<Vec<Channel<'a>>> {
        channel::list(self.require(b"channels")?)
    }

    pub(crate) fn require(&self, name: &[u8]) -> Result<&'a [u8]> {
        self.find(name).ok_or(MISSING)
    }
}

pub(crate) const MISSING: Error = Error::Corrupt("a part lacks what every part has");
