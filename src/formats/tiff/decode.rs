//! TIFF 6.0 and BigTIFF as scanners, cameras and image editors write them: pages of gray, palette, RGB, CMYK, YCbCr or
//! CIE Lab in strips or tiles.
//!
//! Each chunk is decompressed by a library for its compression; the page is assembled here. The crate `tiff` does not
//! support palettes, Lab and subsampled chroma, and trusts the declared sizes of JPEG chunks.
//!
//! Floating-point samples are read as display-encoded colors from 0 to 1, as in ImageMagick: the format cannot declare
//! linear light, and most such files contain display-encoded colors.

mod chunks;
mod colors;
mod field_values;
mod jpeg;
mod layout;
mod samples;

use image::DynamicImage;

use crate::containers::tiff_ifd::{Directory, File};
use crate::error::{Error, ErrorCode, Result};
use crate::formats::codec::Page;
use crate::formats::decode::Header;
use crate::formats::tiff::metadata;
use crate::limits::Limits;
use layout::Layout;

const NAME: &str = "TIFF";

pub(crate) fn header(bytes: &[u8]) -> Result<Header> {
    let pages = directories(bytes)?;
    let first = pages.first().ok_or_else(|| corrupt("it has no pages"))?;
    Ok(Header { frames: u32::try_from(pages.len()).unwrap_or(u32::MAX), ..page_header(first)? })
}

/// The pages in file order.
pub(crate) fn pages(bytes: &[u8]) -> Result<Vec<Box<dyn Page + '_>>> {
    Ok(directories(bytes)?.into_iter().map(|page| Box::new(page) as Box<dyn Page>).collect())
}

impl Page for Directory<'_> {
    fn header(&self) -> Result<Header> {
        page_header(self)
    }

    fn profile(&self) -> Option<Vec<u8>> {
        metadata::profile(self)
    }

    fn orientation(&self) -> u8 {
        metadata::orientation(self)
    }

    fn pixels(&self, limits: &Limits) -> Result<DynamicImage> {
        page_pixels(self, limits)
    }
}

fn directories(bytes: &[u8]) -> Result<Vec<Directory<'_>>> {
    let file = File::open(bytes).ok_or_else(|| corrupt("it does not begin as a TIFF does"))?;
    file.pages().ok_or_else(|| corrupt("its list of pages breaks off or runs in a circle"))
}

/// The header of one page.
fn page_header(page: &Directory) -> Result<Header> {
    Ok(Layout::of(page)?.header())
}

/// The first page. The limits were checked against its header.
pub(crate) fn pixels(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    page_pixels(directories(bytes)?.first().ok_or_else(|| corrupt("it has no pages"))?, limits)
}

/// The pixels of one page, with the orientation of the file. The limits were checked against its header.
fn page_pixels(page: &Directory, limits: &Limits) -> Result<DynamicImage> {
    let layout = Layout::of(page)?;
    let samples = chunks::read(page, &layout, limits)?;
    colors::image(page, &layout, samples)
}

fn corrupt(cause: impl std::fmt::Display) -> Error {
    Error::corrupt(NAME, cause)
}

/// An error that names the unsupported variant.
fn unsupported(variant: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::UnsupportedType, format!("This variant of TIFF cannot be read: {variant}."))
        .with_detail("type", "image/tiff")
        .with_detail("name", NAME)
}
