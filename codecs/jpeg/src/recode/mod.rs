//! Encodes the picture of a file again in its size.
//!
//! What is stored as it will be stored is taken over as coefficients, without transforming them to samples and back: luma, and
//! chroma of the same resolution. Chroma of a higher resolution becomes samples of the lower one.

mod chroma;
mod inverse;
mod sink;

use crate::coefficients::QuantTable;
use crate::decode::{ColorModel, Damage, DecodeOptions, Headers, Layout, Order, ScanDecoder, Store, Tally};
use crate::encode::{Color, PictureBuilder, Prepared, Sampling, Settings, every_quality, tables};
use crate::error::Error;
use sink::{Sink, Source};

/// What is made of a file, and what was lost if it is damaged. None if the file has to be decoded to pixels first.
pub type Recoded<T> = Option<(T, Option<Damage>)>;

/// The picture of a file at another quality in its size, and what was lost if the file is damaged. Chroma has the resolution that
/// `sampling` says, or a lower one that the file has.
///
/// None if the picture has to be decoded to pixels first: one of more than 8 bits a sample, that is neither YCbCr nor gray, or whose
/// sampling factors the encoder does not have.
///
/// # Errors
/// As [`decode_coefficients`](crate::decode_coefficients), and [`Error::Limit`] where there is too little memory.
pub fn recode(
    bytes: &[u8],
    options: DecodeOptions,
    sampling: Sampling,
    settings: &Settings,
) -> Result<Recoded<Vec<u8>>, Error> {
    let Some((picture, damage)) = picture(bytes, options, sampling, &tables(settings.quality))? else {
        return Ok(None);
    };
    Ok(Some((picture.into_file(settings)?, damage)))
}

/// The coefficients that [`recode`] makes files of.
///
/// # Errors
/// As [`recode`].
pub fn prepare_file(
    bytes: &[u8],
    options: DecodeOptions,
    sampling: Sampling,
) -> Result<Recoded<Prepared>, Error> {
    picture(bytes, options, sampling, &every_quality())
}

/// Holds what is not zero with these tables.
fn picture(
    bytes: &[u8],
    options: DecodeOptions,
    sampling: Sampling,
    tables: &[QuantTable; 3],
) -> Result<Recoded<Prepared>, Error> {
    let mut headers = Headers::read(bytes, options)?;
    let Some((color, own, sampling)) = plan(&headers, sampling) else { return Ok(None) };
    let factors = sampling.factors();
    let reductions = (factors.0 / own.0, factors.1 / own.1);
    let layout = Layout::new(&headers, 8, false);
    let size = (headers.frame.width, headers.frame.height);
    let builder = PictureBuilder::new(size, color, sampling, tables)?;
    let source = |quant: Option<QuantTable>| {
        Ok(Source { quant: quant.ok_or(Error::Corrupt("a quantization table is missing"))?, own, reductions })
    };
    let (picture, tally) = if headers.streams() {
        let quants = headers.frame.components.iter().map(|c| headers.tables.quant[usize::from(c.quant & 3)]);
        let sources = quants.map(source).collect::<Result<Vec<_>, Error>>()?;
        let mut sink = Sink::new(builder, size, sampling, &sources)?;
        let mut scan = ScanDecoder::new(&headers, &layout, Order::Zigzag)?;
        for row in 0..scan.mcus.1 {
            scan.row(&layout, row, &mut sink);
            for (number, component) in layout.components.iter().enumerate() {
                for row in row * component.v..(row + 1) * component.v {
                    sink.close_row(number, row)?;
                }
            }
        }
        let mut tally =
            Tally { mcus: scan.mcus.0 as u64 * scan.mcus.1 as u64, lost: scan.lost, damaged: scan.damaged };
        tally.look_behind(&mut headers.segments, scan.position());
        (sink.finish()?, tally)
    } else {
        options.limits.check_memory(Store::size(&layout))?;
        let (store, tally) = Store::read(&mut headers, &layout, options)?;
        let sources = store.components.iter().map(|c| source(c.quant)).collect::<Result<Vec<_>, Error>>()?;
        let mut sink = Sink::new(builder, size, sampling, &sources)?;
        // The coefficients of a row are free when they are taken.
        for (number, stored) in store.components.into_iter().enumerate() {
            for (row, stored) in stored.rows.into_iter().enumerate() {
                let blocks = stored.blocks().enumerate();
                blocks.for_each(|(column, block)| sink.take(number, (row, column), &block));
                sink.close_row(number, row)?;
            }
        }
        (sink.finish()?, tally)
    };
    match tally.damage() {
        Some(_) if options.strict => Err(Error::Corrupt("its data are damaged")),
        damage => Ok(Some((picture, damage))),
    }
}

/// What the encoder gets, and the pixels for each sample of the file's chroma across and down.
fn plan(headers: &Headers<'_>, sampling: Sampling) -> Option<(Color, (usize, usize), Sampling)> {
    let header = headers.header();
    if header.precision != 8 {
        return None;
    }
    if header.color_model == ColorModel::Gray {
        return Some((Color::Gray, (1, 1), Sampling::S444));
    }
    let (ColorModel::Ycbcr, &[(h, v), cb, cr]) = (header.color_model, header.sampling.as_slice()) else {
        return None;
    };
    let ratio = |luma: u8, chroma: u8| {
        let is_known = luma == chroma || luma == 2 * chroma;
        is_known.then_some(usize::from(luma / chroma))
    };
    if cb != cr {
        return None;
    }
    let own = (ratio(h, cb.0)?, ratio(v, cb.1)?);
    let wanted = sampling.factors();
    let sampling = match (own.0.max(wanted.0), own.1.max(wanted.1)) {
        (1, 1) => Sampling::S444,
        (2, 1) => Sampling::S422,
        (2, 2) => Sampling::S420,
        _ => return None,
    };
    Some((Color::Rgb, own, sampling))
}
