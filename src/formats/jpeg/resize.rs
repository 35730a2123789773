//! Encodes a JPEG again in other sizes, component by component: chroma is resized in the resolution that it is stored in, to the one that
//! it will be stored in, and no pixels are made.

use filepress_jpeg::{self as jpeg, Color, ComponentPreparer, ComponentSize};
use filepress_resample::{Axis, ComponentAxis, Resampler};

use crate::error::Result;
use crate::formats::Encoding;
use crate::formats::coded::{Finish, Resampling, Resized};
use crate::formats::decode::{ColorModel, Header};
use crate::formats::jpeg::decode::{at_scale, failed, intact, pixels_and_components};
use crate::formats::jpeg::encode::{self, sampling, settings, side};

/// Whether [`resize`] takes a file. A gray one becomes the same by way of pixels.
pub(crate) fn takes(header: &Header) -> bool {
    header.color_model == ColorModel::Ycbcr && header.bit_depth == 8
}

/// Reads the file once, and prepares all outputs.
pub(crate) fn resize(
    bytes: &[u8],
    reduction: u32,
    outputs: &[(Resampling, Encoding)],
    keeps_pixels: bool,
    begin: &mut dyn FnMut(),
) -> Result<Resized> {
    let mut decoder = at_scale(bytes, reduction)?;
    let sizes = decoder.component_sizes();
    let mut prepared = Vec::new();
    for (resampling, encoding) in outputs {
        prepared.push(Output::new(&sizes, resampling, *encoding)?);
    }
    let (mut pushed, mut is_begun) = (Ok(()), false);
    let mut put = |component: usize, row: &[u8]| {
        // Of a progressive file, all scans are read before.
        if !std::mem::replace(&mut is_begun, true) {
            begin();
        }
        for output in &mut prepared {
            if pushed.is_ok() {
                pushed = output.push(component, row);
            }
        }
    };
    let pixels = match keeps_pixels {
        true => Some(pixels_and_components(&mut decoder, &mut put)?),
        false => {
            while decoder.read_components(&mut put).map_err(failed)? {}
            intact(&decoder)?;
            None
        }
    };
    pushed?;
    drop(decoder);
    let mut outputs = Vec::new();
    for output in prepared {
        outputs.push(output.finish()?);
    }
    Ok(Resized { outputs, pixels })
}

/// One of the outputs.
struct Output {
    /// By component.
    resamplers: Vec<Resampler>,
    preparer: ComponentPreparer,
    encoding: Encoding,
}

impl Output {
    fn new(sizes: &[ComponentSize], resampling: &Resampling, encoding: Encoding) -> Result<Self> {
        let (across, down) = (resampling.across, resampling.down);
        let quality = settings(encoding).quality;
        let size = (side(across.to), side(down.to));
        let preparer = ComponentPreparer::new(size, Color::Rgb, sampling(encoding), quality);
        let preparer = preparer.map_err(encode::failed)?;
        let factors = sampling(encoding).factors();
        let mut resamplers = Vec::new();
        for from in sizes {
            let grouped = if resamplers.is_empty() { (1, 1) } else { factors };
            let axis = |pixels: Axis, size: u32, share: (u32, u32), grouped: usize| ComponentAxis {
                pixels,
                size,
                share,
                grouped: grouped as u32,
            };
            resamplers.push(Resampler::of_component(
                axis(across, from.width, from.across, grouped.0),
                axis(down, from.height, from.down, grouped.1),
            ));
        }
        Ok(Self { resamplers, preparer, encoding })
    }

    fn push(&mut self, component: usize, row: &[u8]) -> Result<()> {
        let Some(resampler) = self.resamplers.get_mut(component) else { return Ok(()) };
        resampler.push(row, &mut |row| self.preparer.push_row(component, row).map_err(encode::failed))
    }

    fn finish(self) -> Result<Finish> {
        let settings = settings(self.encoding);
        drop(self.resamplers);
        let prepared: jpeg::Prepared = self.preparer.finish().map_err(encode::failed)?;
        Ok(Box::new(move || prepared.into_file(&settings).map_err(encode::failed)))
    }
}
