//! The decoder as callers see it.

use crate::decode::color::Output;
use crate::decode::damage::Damage;
use crate::decode::headers::{Header, Headers};
use crate::decode::layout::{ComponentSize, Layout};
use crate::decode::options::DecodeOptions;
use crate::decode::rows::Rows;
use crate::error::Error;

/// Decodes a file row by row.
///
/// Sequential files of one scan are decoded as rows are asked for; of others, all coefficients are held.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    options: DecodeOptions,
    header: Header,
    eighths: u8,
    output: Output,
    state: State<'a>,
}

enum State<'a> {
    /// No row was asked for.
    Ready(Box<Headers<'a>>),
    Eight(Box<Rows<'a, u8>>),
    #[cfg(feature = "extended")]
    Twelve(Box<Rows<'a, u16>>),
    Failed(Error),
}

impl<'a> Decoder<'a> {
    /// Reads the headers. Nothing that grows with the picture is allocated.
    ///
    /// # Errors
    /// [`Error::Corrupt`] and [`Error::Unsupported`] if there is no picture that this crate decodes, [`Error::Limit`] if it
    /// has too many pixels.
    pub fn new(bytes: &'a [u8], options: DecodeOptions) -> Result<Self, Error> {
        let headers = Headers::read(bytes, options)?;
        let header = headers.header();
        let output = match Output::Color.samples(header.color_model, header.sampling.len()) {
            Some(_) => Output::Color,
            None => Output::Components,
        };
        Ok(Self { bytes, options, header, eighths: 8, output, state: State::Ready(Box::new(headers)) })
    }

    /// What the headers tell.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Decodes at `eighths` / 8 of the size, 1 to 8, each side rounded up. Has to precede the first row.
    ///
    /// # Errors
    /// [`Error::Argument`] for other values, or behind the first row.
    pub fn set_scale(&mut self, eighths: u8) -> Result<(), Error> {
        if !(1..=8).contains(&eighths) || !matches!(self.state, State::Ready(_)) {
            return Err(Error::Argument("a scale is 1 to 8 eighths, chosen before the first row"));
        }
        self.eighths = eighths;
        Ok(())
    }

    /// Chooses what pixels consist of: [`Output::Color`] unless the picture has no known color model. Has to precede the first
    /// row.
    ///
    /// # Errors
    /// [`Error::Argument`] if the picture has no such output, or behind the first row.
    pub fn set_output(&mut self, output: Output) -> Result<(), Error> {
        let has = output.samples(self.header.color_model, self.header.sampling.len()).is_some();
        if !has || !matches!(self.state, State::Ready(_)) {
            return Err(Error::Argument("the picture has no such output, or its first row was read"));
        }
        self.output = output;
        Ok(())
    }

    /// The width and the height of the output in pixels.
    pub fn size(&self) -> (u32, u32) {
        let scaled = |side: u16| (u32::from(side) * u32::from(self.eighths)).div_ceil(8);
        (scaled(self.header.width), scaled(self.header.height))
    }

    /// The samples of a pixel: 1, 3 or 4, or with [`Output::Components`] 1 to 4.
    pub fn samples_per_pixel(&self) -> usize {
        self.output.samples(self.header.color_model, self.header.sampling.len()).unwrap_or(1)
    }

    /// The bytes that decoding at the chosen scale takes, without the caller's buffer and the file. 0 behind the first row.
    pub fn memory(&self) -> u64 {
        let State::Ready(headers) = &self.state else { return 0 };
        let layout = Layout::new(headers, usize::from(self.eighths), self.options.sharp_chroma);
        #[cfg(feature = "extended")]
        if headers.frame.precision > 8 {
            return Rows::<u16>::size(headers, &layout);
        }
        Rows::<u8>::size(headers, &layout)
    }

    /// Whether coefficients of the whole picture are held, because it has several scans.
    pub fn keeps_coefficients(&self) -> bool {
        matches!(&self.state, State::Ready(headers) if !headers.streams())
    }

    /// What was lost in the rows so far. None while nothing was.
    pub fn damage(&self) -> Option<Damage> {
        match &self.state {
            State::Eight(rows) => rows.tally.damage(),
            #[cfg(feature = "extended")]
            State::Twelve(rows) => rows.tally.damage(),
            _ => None,
        }
    }

    /// Fills `out` with as many of the next rows as fit, tightly packed, and returns how many: 0 behind the last one. Samples of
    /// 12 bits are reduced to 8: the nearest of 0 to 255 for 0 to 4095.
    ///
    /// # Errors
    /// [`Error::Argument`] if not one row fits, [`Error::Limit`] at the first call, and [`Error::Corrupt`] if nothing can be
    /// shown, or if decoding is strict and the rows are damaged.
    pub fn read_rows(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        self.read_rows_and_components(out, &mut |_, _| {})
    }

    /// As [`Self::read_rows`]. Samples of 8 bits are also passed on as by [`Self::read_components`], when they are decoded.
    ///
    /// # Errors
    /// As [`Self::read_rows`].
    pub fn read_rows_and_components(
        &mut self,
        out: &mut [u8],
        put: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<usize, Error> {
        let stride = self.size().0 as usize * self.samples_per_pixel();
        self.start()?;
        let rows = match &mut self.state {
            State::Eight(rows) => {
                let count = rows_that_fit(rows.left(), out.len(), stride)?;
                out.chunks_exact_mut(stride).take(count).for_each(|row| rows.read(row, put));
                count
            }
            #[cfg(feature = "extended")]
            State::Twelve(rows) => {
                let count = rows_that_fit(rows.left(), out.len(), stride)?;
                let mut wide = vec![0_u16; stride];
                for row in out.chunks_exact_mut(stride).take(count) {
                    rows.read(&mut wide, &mut |_, _| {});
                    for (sample, wide) in row.iter_mut().zip(&wide) {
                        *sample = narrowed(*wide);
                    }
                }
                count
            }
            _ => 0,
        };
        self.check().map(|()| rows)
    }

    /// The sizes of the components at the chosen scale. Empty behind the first row.
    pub fn component_sizes(&self) -> Vec<ComponentSize> {
        let State::Ready(headers) = &self.state else { return Vec::new() };
        let layout = Layout::new(headers, usize::from(self.eighths), self.options.sharp_chroma);
        layout.components.iter().map(ComponentSize::from).collect()
    }

    /// Passes on some of the next rows of each component, in its own resolution and as it is stored: the number of the component, and the
    /// samples of a row. Returns whether there were any. Rows that were read as pixels are left out, and no row of pixels is left then.
    ///
    /// # Errors
    /// As [`Self::read_rows`], and [`Error::Argument`] if samples have 12 bits.
    pub fn read_components(&mut self, put: &mut dyn FnMut(usize, &[u8])) -> Result<bool, Error> {
        self.start()?;
        let State::Eight(rows) = &mut self.state else {
            return Err(Error::Argument("the picture has no such output, or its first row was read"));
        };
        rows.skip_pixels();
        let is_row = rows.read_components(put);
        self.check().map(|()| is_row)
    }

    /// As [`Self::read_rows`], without a reduction: samples of 12 bits are 0 to 4095.
    ///
    /// # Errors
    /// As [`Self::read_rows`], and [`Error::Argument`] if samples have 8 bits.
    // Tests compare what `read_rows` narrows; nothing else needs more than 8 bits.
    #[doc(hidden)]
    #[cfg(feature = "extended")]
    pub fn read_rows_12(&mut self, out: &mut [u16]) -> Result<usize, Error> {
        let stride = self.size().0 as usize * self.samples_per_pixel();
        self.start()?;
        let State::Twelve(rows) = &mut self.state else {
            return Err(Error::Argument("its samples do not have 12 bits"));
        };
        let count = rows_that_fit(rows.left(), out.len(), stride)?;
        out.chunks_exact_mut(stride).take(count).for_each(|row| rows.read(row, &mut |_, _| {}));
        self.check().map(|()| count)
    }

    /// Allocates what rows need, and reads the scans of files with several.
    fn start(&mut self) -> Result<(), Error> {
        match &self.state {
            State::Ready(_) => {}
            State::Failed(error) => return Err(*error),
            _ => return Ok(()),
        }
        let started = self.started();
        let error = started.as_ref().err().copied();
        self.state = started.unwrap_or_else(State::Failed);
        error.map_or(Ok(()), Err)
    }

    fn started(&self) -> Result<State<'a>, Error> {
        self.options.limits.check_memory(self.memory())?;
        let headers = Headers::read(self.bytes, self.options)?;
        let layout = Layout::new(&headers, usize::from(self.eighths), self.options.sharp_chroma);
        let (model, options) = (self.header.color_model, self.options);
        #[cfg(feature = "extended")]
        if headers.frame.precision > 8 {
            return Ok(State::Twelve(Box::new(Rows::new(headers, layout, model, self.output, options)?)));
        }
        Ok(State::Eight(Box::new(Rows::new(headers, layout, model, self.output, options)?)))
    }

    /// Refuses damage if decoding is strict.
    fn check(&mut self) -> Result<(), Error> {
        if self.options.strict && self.damage().is_some() {
            let error = Error::Corrupt("its data are damaged");
            self.state = State::Failed(error);
            return Err(error);
        }
        Ok(())
    }
}

fn rows_that_fit(left: usize, length: usize, stride: usize) -> Result<usize, Error> {
    match length / stride.max(1) {
        0 if left > 0 => Err(Error::Argument("the buffer is too small for a row")),
        rows => Ok(rows.min(left)),
    }
}

/// A sample of 12 bits in 8, rounded.
#[cfg(feature = "extended")]
fn narrowed(wide: u16) -> u8 {
    ((u32::from(wide) * 255 + 2047) / 4095) as u8
}
