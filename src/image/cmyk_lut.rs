//! Converts CMYK to sRGB by the lookup table of a profile: `lut16Type` and `lut8Type` (ICC.1:2022, 10.10 and 10.11).
//!
//! Black point compensation (as in ISO 18619) maps the darkest printable color to sRGB's black and keeps its hue. lcms
//! does the same; moxcms would leave blacks gray. All arithmetic that the output bytes depend on is exact or by `libm`,
//! so every machine rounds alike.

use image::{Rgb, RgbImage};

use crate::metadata;
use crate::pixels::cmyk::Cmyk;
use crate::pixels::srgb;

type Color = [f32; 3];

/// Levels per ink at which the table is sampled.
const STEPS: usize = 17;

/// The black point of version 4 perceptual profiles, as a share of white (6.3.3).
const DARKEST: Color = [0.003_473_1; 3];
/// A lightness of CIE L\*a\*b\*. A profile whose darkest color is lighter than this has no black point.
const GRAY: f32 = 50.0;

/// The inverse of sRGB's matrix (adapted to D50): from XYZ relative to white to linear RGB.
const TO_SRGB: [Color; 3] = [
    [3.021_727, -1.616_867, -0.404_860],
    [-0.943_748, 1.916_142, 0.027_606],
    [0.069_371, -0.228_991, 1.159_62],
];

/// Returns `None` if the profile has no such table, or a damaged one.
pub(crate) fn to_srgb(inks: &Cmyk, icc: &[u8]) -> Option<RgbImage> {
    let table = Table::read(icc)?;
    let black = match icc.get(8)? {
        4.. => DARKEST,
        _ => Some(table.look([1.0; 4])).filter(|[l, ..]| *l <= GRAY).map_or([0.0; 3], shares),
    };
    let level = |index: usize| (index % STEPS) as f32 / (STEPS - 1) as f32;
    let nodes: Vec<Color> = (0..STEPS.pow(4))
        .map(|node| [STEPS.pow(3), STEPS.pow(2), STEPS, 1].map(|stride| level(node / stride)))
        .map(|place| on_screen(table.look(place), black))
        .collect();
    let mut out = RgbImage::new(inks.width, inks.height);
    for (inks, to) in inks.samples.as_chunks::<4>().0.iter().zip(out.pixels_mut()) {
        let place = inks.map(|ink| f32::from(ink) / 255.0);
        *to = Rgb(interpolate(STEPS, place, |node| nodes[node]).map(|level| (level * 255.0 + 0.5) as u8));
    }
    Some(out)
}

/// The lookup table of a profile, as stored.
struct Table<'a> {
    /// The maximum of the stored numbers, which stands for 1.
    numbers: Numbers<'a>,
    /// Points of the curve of each input channel.
    inputs: usize,
    /// Grid points per ink.
    steps: usize,
    /// Points of the curve of each output channel.
    outputs: usize,
}

enum Numbers<'a> {
    Bytes(&'a [u8]),
    Words(&'a [[u8; 2]]),
}

impl<'a> Table<'a> {
    fn read(icc: &'a [u8]) -> Option<Self> {
        let data = metadata::icc_tag(icc, b"A2B0").or_else(|| metadata::icc_tag(icc, b"A2B1"))?;
        let &[_, _, _, _, _, _, _, _, 4, 3, steps @ 2..=255, _] = data.first_chunk()? else { return None };
        let word = |at: usize| Some(usize::from(u16::from_be_bytes(*data.get(at..)?.first_chunk()?)));
        let (numbers, inputs, outputs) = match data.first_chunk()? {
            b"mft1" => (Numbers::Bytes(data.get(48..)?), 256, 256),
            b"mft2" => (Numbers::Words(data.get(52..)?.as_chunks().0), word(48)?, word(50)?),
            _ => return None,
        };
        let steps = usize::from(steps);
        let length = match numbers {
            Numbers::Bytes(bytes) => bytes.len(),
            Numbers::Words(words) => words.len(),
        };
        let complete = steps.pow(4).checked_mul(3)?.checked_add(4 * inputs + 3 * outputs)? <= length;
        let lab = icc.get(20..24) == Some(b"Lab ");
        (complete && lab && inputs > 1 && outputs > 1).then_some(Self { numbers, inputs, steps, outputs })
    }

    fn number(&self, index: usize) -> f32 {
        match self.numbers {
            Numbers::Bytes(bytes) => f32::from(bytes[index]) / 255.0,
            Numbers::Words(words) => f32::from(u16::from_be_bytes(words[index])) / 65_535.0,
        }
    }

    /// CIE L\*a\*b\* of an ink mixture; each ink is 0 to 1.
    fn look(&self, inks: [f32; 4]) -> Color {
        let middle = 4 * self.inputs;
        let end = middle + 3 * self.steps.pow(4);
        let place = [0, 1, 2, 3].map(|ink| self.curve(ink * self.inputs, self.inputs, inks[ink]));
        let found = interpolate(self.steps, place, |node| {
            [0, 1, 2].map(|channel| self.number(middle + 3 * node + channel))
        });
        let coded = [0, 1, 2].map(|at| self.curve(end + at * self.outputs, self.outputs, found[at]));
        // In 16 bits, 65,280 stands for 100 and for 127: the encoding of version 2, which `lut16Type` keeps.
        let [l, a, b] = match self.numbers {
            Numbers::Bytes(_) => coded,
            Numbers::Words(_) => coded.map(|value| value * (65_535.0 / 65_280.0)),
        };
        [l * 100.0, a * 255.0 - 128.0, b * 255.0 - 128.0]
    }

    /// Interpolates on a curve of `count` points that begins at an offset; the result is 0 to 1.
    fn curve(&self, start: usize, count: usize, level: f32) -> f32 {
        let place = level * (count - 1) as f32;
        let below = (place as usize).min(count - 2);
        let share = place - below as f32;
        self.number(start + below) * (1.0 - share) + self.number(start + below + 1) * share
    }
}

/// Interpolates between the grid points of four channels (0 to 1 each) along the edges of a simplex: the channel with
/// the largest fraction first.
fn interpolate(steps: usize, place: [f32; 4], node: impl Fn(usize) -> Color) -> Color {
    let mut at = 0;
    let mut ways = [(0.0, 0); 4];
    let mut stride = 1;
    for (place, way) in place.iter().zip(&mut ways).rev() {
        let place = place * (steps - 1) as f32;
        let below = (place as usize).min(steps - 2);
        at += below * stride;
        *way = (place - below as f32, stride);
        stride *= steps;
    }
    ways.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut rest = 1.0;
    let mut sum = [0.0; 3];
    for (way, stride) in ways.into_iter().chain([(0.0, 0)]) {
        let color = node(at);
        sum = [0, 1, 2].map(|channel| sum[channel] + color[channel] * (rest - way));
        rest = way;
        at += stride;
    }
    sum
}

/// CIE L\*a\*b\* to XYZ relative to white (ICC.1:2022, annex A.3).
fn shares([l, a, b]: Color) -> Color {
    let root = (l + 16.0) / 116.0;
    [root + a / 500.0, root, root - b / 200.0].map(|root| match root > 6.0 / 29.0 {
        true => root * root * root,
        false => (root - 16.0 / 116.0) * (108.0 / 841.0),
    })
}

/// CIE L\*a\*b\* to sRGB levels, 0 to 1. `black` is the XYZ that becomes black.
fn on_screen(lab: Color, black: Color) -> Color {
    let found = shares(lab);
    let [x, y, z] = [0, 1, 2].map(|at| (found[at] - black[at]) / (1.0 - black[at]));
    TO_SRGB.map(|row| srgb::encode((row[0] * x + row[1] * y + row[2] * z).clamp(0.0, 1.0)))
}
