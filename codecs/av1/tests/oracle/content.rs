//! Random pictures: soft areas, textures, edges at all angles, drawings of few colors, and patterns that repeat.

use super::random::Random;

/// A picture in the planes of one format.
pub(super) struct Source {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bit_depth: u8,
    pub(super) chroma: Chroma,
    pub(super) content: Content,
    /// Y, U and V, plane by plane.
    samples: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chroma {
    Mono,
    C420,
    C422,
    C444,
}

/// What is in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Slopes, waves, edges and noise.
    Painted,
    /// Few colors, as on a screen.
    Drawn,
    /// A texture again and again.
    Repeated,
    /// Slow slopes, large.
    Smooth,
    /// Stripes of 16 samples, for long transforms.
    Striped,
}

impl Chroma {
    fn subsampling(self) -> (usize, usize) {
        match self {
            Self::Mono | Self::C420 => (1, 1),
            Self::C422 => (1, 0),
            Self::C444 => (0, 0),
        }
    }
}

impl Source {
    /// The picture of one case of `count`. Few are large.
    pub(super) fn new(random: &mut Random, number: usize, count: usize) -> Self {
        let content = random.pick(&[
            Content::Painted,
            Content::Painted,
            Content::Painted,
            Content::Drawn,
            Content::Repeated,
            Content::Smooth,
            Content::Striped,
        ]);
        let most = match (number * 12 / count, content) {
            (11, _) => 600,
            (_, Content::Painted) => 150,
            // What repeats is copied from at least 256 pixels before.
            _ => 330,
        };
        let (width, height) = match random.below(12) {
            0 => (1 + random.below(9), 1 + random.below(most)),
            1 => (1 + random.below(most), 1 + random.below(9)),
            2 => (8 * (1 + random.below(20)), 8 * (1 + random.below(20))),
            _ if content == Content::Striped => (64 + random.below(200), 64 + random.below(200)),
            _ => (1 + random.below(most), 1 + random.below(most)),
        };
        let bit_depth = random.pick(&[8, 8, 8, 10, 10, 12]);
        let chroma = random.pick(&[Chroma::C420, Chroma::C420, Chroma::C444, Chroma::C422, Chroma::Mono]);
        let (ss_x, ss_y) = chroma.subsampling();
        let mut samples = Vec::new();
        for plane in 0..3 {
            let (w, h) = match plane {
                0 => (width, height),
                _ => ((width + ss_x) >> ss_x, (height + ss_y) >> ss_y),
            };
            samples.extend(match content {
                Content::Painted => paint(random, w, h, bit_depth, 1.0),
                Content::Smooth => paint(random, w, h, bit_depth, 0.05),
                Content::Striped => stripe(random, w, h, bit_depth),
                Content::Drawn => draw(random, w, h, bit_depth),
                Content::Repeated => repeat(random, w, h, bit_depth),
            });
        }
        Self { width, height, bit_depth, chroma, content, samples }
    }

    /// The planes of the format: one if the picture is gray.
    pub(super) fn planes(&self) -> Vec<&[u16]> {
        let (ss_x, ss_y) = self.chroma.subsampling();
        let (luma, chroma) = self.samples.split_at(self.width * self.height);
        let (u, v) = chroma.split_at(((self.width + ss_x) >> ss_x) * ((self.height + ss_y) >> ss_y));
        if self.chroma == Chroma::Mono { vec![luma] } else { vec![luma, u, v] }
    }

    /// The picture as a file that encoders read. Gray has gray chroma of 4:2:0.
    pub(super) fn y4m(&self) -> Vec<u8> {
        let format = match self.chroma {
            Chroma::Mono | Chroma::C420 => "420",
            Chroma::C422 => "422",
            Chroma::C444 => "444",
        };
        let depth = match self.bit_depth {
            8 if format == "420" => "jpeg".to_owned(),
            8 => String::new(),
            depth => format!("p{depth}"),
        };
        let header =
            format!("YUV4MPEG2 W{} H{} F25:1 Ip A1:1 C{format}{depth}\nFRAME\n", self.width, self.height);
        let mut file = header.into_bytes();
        for &sample in &self.samples {
            match self.bit_depth {
                8 => file.push(sample as u8),
                _ => file.extend(sample.to_le_bytes()),
            }
        }
        file
    }
}

/// Slopes, waves in all directions, an edge and noise; all the less, the smaller `contrast` is.
fn paint(random: &mut Random, width: usize, height: usize, bit_depth: u8, contrast: f64) -> Vec<u16> {
    let largest = (1 << bit_depth) - 1;
    let scale = f64::from(largest) / 255.0;
    let base = 50.0 + random.below(150) as f64;
    let mut unit = || contrast * (random.below(2001) as f64 / 1000.0 - 1.0);
    let (slope_x, slope_y) = (2.0 * unit(), 2.0 * unit());
    let waves: [[f64; 4]; 3] =
        std::array::from_fn(|_| [unit() * 40.0, unit() * 0.6, unit() * 0.6, unit() * 3.0]);
    let (edge_x, edge_y, edge_at, step) = (unit(), unit(), unit() * 100.0, unit() * 90.0);
    let noise = if contrast < 1.0 { 0 } else { random.pick(&[0, 0, 2, 6, 30, 120]) };
    let mut samples = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (column, row) = (x as f64, y as f64);
            let mut value = base + slope_x * column + slope_y * row;
            for [height, across, down, phase] in waves {
                value += height * (across * column + down * row + phase).sin();
            }
            if edge_x * column + edge_y * row > edge_at {
                value += step;
            }
            value += random.below(noise + 1) as f64 - noise as f64 / 2.0;
            samples.push((value.rem_euclid(400.0).min(255.0) * scale) as u16);
        }
    }
    samples
}

/// Slopes along stripes of 16 samples, upright or lying.
fn stripe(random: &mut Random, width: usize, height: usize, bit_depth: u8) -> Vec<u16> {
    let most = (1 << bit_depth) - 1;
    let upright = random.once_in(2);
    let starts: [usize; 64] = std::array::from_fn(|_| random.below(most));
    let slope = random.below(4) << (bit_depth - 8);
    let sample = |at: usize| {
        let (x, y) = (at % width, at / width);
        let (across, along) = if upright { (x, y) } else { (y, x) };
        (starts[across / 16] + along * slope / 4).min(most) as u16
    };
    (0..width * height).map(sample).collect()
}

/// Rectangles and a few small shapes that occur again and again, in up to eight colors.
fn draw(random: &mut Random, width: usize, height: usize, bit_depth: u8) -> Vec<u16> {
    let colors: Vec<u16> = (0..2 + random.below(8)).map(|_| random.below(1 << bit_depth) as u16).collect();
    let mut samples = vec![colors[0]; width * height];
    let mut fill = |x0: usize, y0: usize, shape: &dyn Fn(usize, usize) -> Option<u16>, w: usize, h: usize| {
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            if let (true, Some(color)) = (x0 + x < width && y0 + y < height, shape(x, y)) {
                samples[(y0 + y) * width + x0 + x] = color;
            }
        }
    };
    for _ in 0..random.below(6) {
        let color = random.pick(&colors);
        let (x, y) = (random.below(width), random.below(height));
        fill(x, y, &|_, _| Some(color), 1 + random.below(80), 1 + random.below(80));
    }
    let glyphs: Vec<u64> =
        (0..4).map(|_| (random.below(1 << 31) as u64) << 32 | random.below(1 << 31) as u64).collect();
    let ink = random.pick(&colors);
    let (step_x, step_y) = (8 + random.below(5), 9 + random.below(8));
    for y in (0..height).step_by(step_y) {
        for x in (0..width).step_by(step_x) {
            let glyph = random.pick(&glyphs);
            fill(x, y, &|x, y| (glyph >> (8 * y + x) & 1 == 1).then_some(ink), 8, 8);
        }
    }
    add_noise(random, &mut samples, bit_depth);
    samples
}

/// A texture in tiles of an odd size, so that copies of subsampled chroma lie between samples.
fn repeat(random: &mut Random, width: usize, height: usize, bit_depth: u8) -> Vec<u16> {
    let (w, h) = (9 + 2 * random.below(16), 9 + 2 * random.below(16));
    let tile: Vec<u16> = (0..w * h).map(|_| random.below(1 << bit_depth) as u16).collect();
    let mut samples: Vec<u16> =
        (0..width * height).map(|at| tile[at / width % h * w + at % width % w]).collect();
    add_noise(random, &mut samples, bit_depth);
    samples
}

/// Copies that are not exact have a residual.
fn add_noise(random: &mut Random, samples: &mut [u16], bit_depth: u8) {
    let noise = random.pick(&[0, 8, 20, 40]) << (bit_depth - 8);
    let most = (1 << bit_depth) - 1;
    for sample in samples {
        *sample = (usize::from(*sample) + random.below(noise + 1)).min(most) as u16;
    }
}
