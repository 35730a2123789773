//! From components to what the caller asked for (T.871, section 7).

use crate::decode::color_model::ColorModel;
use crate::decode::sample::Sample;

/// What pixels consist of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// One sample for each component, as it is stored.
    Components,
    /// Gray as one sample, all else as red, green and blue. Inks are taken for complements, as Adobe stores them, and mixed
    /// without a profile.
    #[default]
    Color,
    /// One sample of luma, of gray and YCbCr alone.
    Luma,
    /// Cyan, magenta, yellow and black as they are stored, of CMYK and YCCK alone.
    Inks,
}

impl Output {
    /// Samples of a pixel. None if the color model does not have it.
    pub(crate) fn samples(self, model: ColorModel, components: usize) -> Option<usize> {
        match (self, model) {
            (Self::Components, _) => Some(components),
            (Self::Color | Self::Luma, ColorModel::Gray) | (Self::Luma, ColorModel::Ycbcr) => Some(1),
            (Self::Color, ColorModel::Ycbcr | ColorModel::Rgb | ColorModel::Cmyk | ColorModel::Ycck) => {
                Some(3)
            }
            (Self::Inks, ColorModel::Cmyk | ColorModel::Ycck) => Some(4),
            _ => None,
        }
    }
}

/// Writes a row of pixels of the samples of each component.
pub(crate) fn convert<S: Sample>(output: Output, model: ColorModel, rows: &[&[S]], out: &mut [S]) {
    match (output, model, rows) {
        (Output::Color, ColorModel::Ycbcr, [y, cb, cr]) => {
            const LANES: usize = 16;
            let (whole, rest) = out.split_at_mut(out.len() / (3 * LANES) * 3 * LANES);
            let lanes =
                y.as_chunks::<LANES>().0.iter().zip(cb.as_chunks::<LANES>().0).zip(cr.as_chunks::<LANES>().0);
            for (pixels, ((y, cb), cr)) in whole.chunks_exact_mut(3 * LANES).zip(lanes) {
                let colors: [_; LANES] = std::array::from_fn(|i| rgb(y[i], cb[i], cr[i]));
                for (pixel, color) in pixels.as_chunks_mut::<3>().0.iter_mut().zip(colors) {
                    *pixel = color;
                }
            }
            let done = whole.len() / 3;
            let last = y[done..].iter().zip(&cb[done..]).zip(&cr[done..]);
            for (pixel, ((&y, &cb), &cr)) in rest.as_chunks_mut::<3>().0.iter_mut().zip(last) {
                *pixel = rgb(y, cb, cr);
            }
        }
        (Output::Color | Output::Inks, ColorModel::Ycck, [y, cb, cr, k]) => {
            let samples = y.iter().zip(*cb).zip(cr.iter().zip(*k));
            let inks = samples.map(|((&y, &cb), (&cr, &k))| {
                let [r, g, b] = rgb(y, cb, cr).map(|sample| S::clamp(S::LARGEST - sample.into()));
                [r, g, b, k]
            });
            write_inks(output, inks, out);
        }
        (Output::Color, ColorModel::Cmyk, [c, m, y, k]) => {
            let samples = c.iter().zip(*m).zip(y.iter().zip(*k));
            write_inks(output, samples.map(|((&c, &m), (&y, &k))| [c, m, y, k]), out);
        }
        (_, _, [only]) | (Output::Luma, _, [only, ..]) => {
            for (out, &sample) in out.iter_mut().zip(*only) {
                *out = sample;
            }
        }
        _ => {
            for (index, row) in rows.iter().enumerate() {
                for (pixel, &sample) in out.chunks_exact_mut(rows.len()).zip(*row) {
                    pixel[index] = sample;
                }
            }
        }
    }
}

fn write_inks<S: Sample>(output: Output, inks: impl Iterator<Item = [S; 4]>, out: &mut [S]) {
    if output == Output::Inks {
        for (pixel, inks) in out.as_chunks_mut::<4>().0.iter_mut().zip(inks) {
            *pixel = inks;
        }
        return;
    }
    for (pixel, [c, m, y, k]) in out.as_chunks_mut::<3>().0.iter_mut().zip(inks) {
        *pixel = [c, m, y].map(|ink| S::clamp((ink.into() * k.into() + S::LARGEST / 2) / S::LARGEST));
    }
}

/// YCbCr to RGB, in integers of 16 bits behind the point.
#[inline(always)]
fn rgb<S: Sample>(y: S, cb: S, cr: S) -> [S; 3] {
    const HALF: i32 = 1 << 15;
    let center = (S::LARGEST + 1) / 2;
    let (y, cb, cr) = (y.into(), cb.into() - center, cr.into() - center);
    [
        S::clamp(y + ((91_881 * cr + HALF) >> 16)),
        S::clamp(y + ((-22_554 * cb - 46_802 * cr + HALF) >> 16)),
        S::clamp(y + ((116_130 * cb + HALF) >> 16)),
    ]
}
