//! Reads segments up to a scan: the frame header, tables, and the markers that tell what components mean.

use crate::decode::color_model::ColorModel;
use crate::decode::options::DecodeOptions;
use crate::decode::segments::Segments;
use crate::decode::tables::Tables;
use crate::error::Error;
use crate::frame::{FrameHeader, Process};
use crate::marker;
use crate::scan::ScanHeader;

/// What the headers of a file tell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// In pixels, 1 to 65,535.
    pub width: u16,
    /// In pixels, 1 to 65,535.
    pub height: u16,
    /// Bits a sample: 8 or 12.
    pub precision: u8,
    /// How coefficients are coded.
    pub process: Process,
    /// Whether the entropy coding is arithmetic instead of Huffman.
    pub arithmetic: bool,
    /// What the components mean.
    pub color_model: ColorModel,
    /// Horizontal and vertical sampling factors of each component, 1 to 4.
    pub sampling: Vec<(u8, u8)>,
    /// Whether Adobe's marker is there: inks are stored as complements.
    pub adobe: bool,
}

/// Reads the headers of a file.
///
/// # Errors
/// [`Error::Corrupt`] and [`Error::Unsupported`] if there is no picture that this crate decodes, [`Error::Limit`] if it
/// has too many pixels.
pub fn read_header(bytes: &[u8], options: DecodeOptions) -> Result<Header, Error> {
    Ok(Headers::read(bytes, options)?.header())
}

/// The state between scans.
#[derive(Clone, Debug)]
pub(crate) struct Headers<'a> {
    pub(crate) segments: Segments<'a>,
    pub(crate) frame: FrameHeader,
    pub(crate) tables: Tables,
    pub(crate) jfif: bool,
    pub(crate) adobe: Option<u8>,
    /// The scan whose entropy-coded data follows.
    pub(crate) scan: ScanHeader,
    /// The end of the file came before the marker `EOI`.
    pub(crate) ended_early: bool,
}

impl<'a> Headers<'a> {
    /// Reads up to the first scan.
    pub(crate) fn read(bytes: &'a [u8], options: DecodeOptions) -> Result<Self, Error> {
        let mut segments = Segments::new(bytes)?;
        let (mut tables, mut frame) = (Tables::default(), None::<FrameHeader>);
        let (mut jfif, mut adobe) = (false, None);
        let scan = loop {
            let code = segments.next_marker().ok_or(Error::Corrupt("it ends too soon"))?;
            match code {
                marker::EOI => return Err(Error::Corrupt("it has no picture")),
                marker::SOI => return Err(Error::Corrupt("it has a second marker SOI before its picture")),
                code if marker::is_standalone(code) => continue,
                _ => {}
            }
            let parameters = segments.parameters()?;
            match code {
                marker::SOS => {
                    let frame = frame.as_ref().ok_or(Error::Corrupt("it has no frame header"))?;
                    break ScanHeader::parse(frame, parameters)?;
                }
                code if marker::is_sof(code) => {
                    if frame.is_some() {
                        return Err(Error::Corrupt("it has two frame headers"));
                    }
                    frame = Some(supported(FrameHeader::parse(code, parameters)?)?);
                }
                marker::APP0 => jfif |= parameters.starts_with(b"JFIF\0"),
                marker::APP14 if parameters.len() >= 12 && parameters.starts_with(b"Adobe") => {
                    adobe = Some(parameters[11]);
                }
                _ => read_table(&mut tables, code, parameters)?,
            }
        };
        let mut frame = frame.ok_or(Error::Corrupt("it has no frame header"))?;
        if frame.height == 0 {
            frame.height = number_of_lines(&segments)?;
        }
        options.limits.check_pixels(frame.width, frame.height)?;
        Ok(Self { segments, frame, tables, jfif, adobe, scan, ended_early: false })
    }

    /// Whether rows can be decoded as the scan is read, because it has all that there is of them.
    pub(crate) fn streams(&self) -> bool {
        self.frame.process != Process::Progressive
            && self.scan.components.len() == self.frame.components.len()
    }

    /// Reads up to the next scan, from the end of the one before. False if there is none.
    pub(crate) fn next_scan(&mut self) -> Result<bool, Error> {
        loop {
            let Some(code) = self.segments.next_marker() else {
                self.ended_early = true;
                return Ok(false);
            };
            match code {
                marker::EOI => return Ok(false),
                marker::SOI => return Err(Error::Corrupt("it has a second marker SOI before its end")),
                code if marker::is_standalone(code) => continue,
                code if marker::is_sof(code) => return Err(Error::Corrupt("it has two frame headers")),
                _ => {}
            }
            let parameters = self.segments.parameters()?;
            if code == marker::SOS {
                self.scan = ScanHeader::parse(&self.frame, parameters)?;
                return Ok(true);
            }
            read_table(&mut self.tables, code, parameters)?;
        }
    }

    /// What the public interface tells of this.
    pub(crate) fn header(&self) -> Header {
        let frame = &self.frame;
        let ids: Vec<_> = frame.components.iter().map(|component| component.id).collect();
        Header {
            width: frame.width,
            height: frame.height,
            precision: frame.precision,
            process: frame.process,
            arithmetic: frame.arithmetic,
            color_model: ColorModel::new(self.jfif, self.adobe, &ids),
            sampling: frame.components.iter().map(|component| (component.h, component.v)).collect(),
            adobe: self.adobe.is_some(),
        }
    }
}

/// Reads a segment that defines tables; others are skipped.
fn read_table(tables: &mut Tables, code: u8, parameters: &[u8]) -> Result<(), Error> {
    match code {
        marker::DQT => tables.read_quant(parameters),
        marker::DHT => tables.read_huffman(parameters),
        marker::DRI => tables.read_restart_interval(parameters),
        #[cfg(feature = "arithmetic")]
        marker::DAC => tables.read_conditioning(parameters),
        _ => Ok(()),
    }
}

fn supported(frame: FrameHeader) -> Result<FrameHeader, Error> {
    if frame.arithmetic && !cfg!(feature = "arithmetic") {
        return Err(Error::Unsupported("arithmetic coding"));
    }
    match frame.precision {
        8 => Ok(frame),
        12 if cfg!(feature = "extended") && frame.process != Process::Baseline => Ok(frame),
        12 => Err(Error::Unsupported("12 bits a sample")),
        _ => Err(Error::Corrupt("the number of bits a sample is invalid")),
    }
}

/// The height that a `DNL` segment behind the first scan tells (T.81, B.2.5).
fn number_of_lines(segments: &Segments<'_>) -> Result<u16, Error> {
    let missing = Error::Corrupt("the picture has no height");
    let mut segments = segments.clone();
    loop {
        match segments.next_marker().ok_or(missing)? {
            marker::RST0..=marker::RST7 => {}
            marker::DNL => {
                let &height = segments.parameters()?.first_chunk().ok_or(missing)?;
                let height = u16::from_be_bytes(height);
                return if height == 0 { Err(missing) } else { Ok(height) };
            }
            _ => return Err(missing),
        }
    }
}
