//! Writes a PDF page by page, object by object (ISO 32000-1, 7.5). Only one page is in memory, and each may be written by another
//! process: [`DocumentParts`] is what the next one has to know.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Error, Write};

use pdf_writer::writers::Page;
use pdf_writer::{Chunk, Finish, Name, Ref};
use serde::{Deserialize, Serialize};

const CATALOG: Ref = Ref::new(1);
/// The page tree, the parent of every page.
pub(super) const PAGES: Ref = Ref::new(2);
/// The id of the first object after those.
const FIRST: i32 = 3;
/// Adobe's comment of four bytes above 127 marks the file as binary (7.5.2).
const HEADER: &[u8] = b"%PDF-1.5\n%\xE2\xE3\xCF\xD3\n";
/// The largest offset in a cross-reference table (7.5.4).
const MAX_OFFSET: u64 = 9_999_999_999;

/// What an unfinished document contains.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::media) struct DocumentParts {
    /// The offset of each object, by id from [`FIRST`].
    offsets: Vec<u64>,
    /// The ids of the pages.
    pages: Vec<i32>,
    /// The size of the file.
    size: u64,
}

/// A document that is being written.
pub(super) struct PdfFile {
    file: BufWriter<File>,
    parts: DocumentParts,
}

impl PdfFile {
    /// Creates the document, or opens it to append to its parts.
    pub(super) fn open(name: &str, parts: DocumentParts) -> io::Result<Self> {
        let is_new = parts.size == 0;
        let file = OpenOptions::new().append(true).create_new(is_new).open(name)?;
        let mut file = Self { file: BufWriter::new(file), parts };
        if is_new {
            file.write(HEADER)?;
        }
        Ok(file)
    }

    /// The id of the object that is added next.
    pub(super) fn next_id(&self) -> Ref {
        Ref::new(
            i32::try_from(self.parts.offsets.len()).map_or(i32::MAX, |count| count.saturating_add(FIRST)),
        )
    }

    /// Adds the object with [`Self::next_id`], which is alone in `chunk`.
    pub(super) fn add(&mut self, id: Ref, chunk: &Chunk) -> io::Result<()> {
        debug_assert!(id == self.next_id() && chunk.refs().eq([id]));
        self.parts.offsets.push(self.parts.size);
        self.write(chunk.as_bytes())
    }

    /// Adds a page.
    pub(super) fn add_page(&mut self, set: impl FnOnce(&mut Page<'_>)) -> io::Result<()> {
        let id = self.next_id();
        let mut chunk = Chunk::new();
        let mut page = chunk.page(id);
        set(&mut page);
        page.finish();
        self.add(id, &chunk)?;
        self.parts.pages.push(id.get());
        Ok(())
    }

    /// Ends this process's part.
    pub(super) fn parts(mut self) -> io::Result<DocumentParts> {
        self.file.flush()?;
        Ok(self.parts)
    }

    /// Completes the document.
    pub(super) fn finish(mut self) -> io::Result<DocumentParts> {
        let mut table = b"0000000000 65535 f \n".to_vec();
        let mut chunk = Chunk::new();
        chunk.indirect(CATALOG).dict().pair(Name(b"Type"), Name(b"Catalog")).pair(Name(b"Pages"), PAGES);
        let catalog = self.parts.size;
        self.write(chunk.as_bytes())?;
        let mut chunk = Chunk::new();
        let count = i32::try_from(self.parts.pages.len()).unwrap_or(i32::MAX);
        chunk.pages(PAGES).kids(self.parts.pages.iter().map(|id| Ref::new(*id))).count(count);
        let pages = self.parts.size;
        self.write(chunk.as_bytes())?;
        for offset in [catalog, pages].iter().chain(&self.parts.offsets) {
            if *offset > MAX_OFFSET {
                return Err(Error::from(io::ErrorKind::FileTooLarge));
            }
            writeln!(table, "{offset:010} 00000 n ")?;
        }
        let (start, size) = (self.parts.size, self.next_id().get());
        self.write(format!("xref\n0 {size}\n").as_bytes())?;
        self.write(&table)?;
        let root = CATALOG.get();
        self.write(
            format!("trailer\n<< /Size {size} /Root {root} 0 R >>\nstartxref\n{start}\n%%EOF\n").as_bytes(),
        )?;
        self.parts()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.parts.size += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}
