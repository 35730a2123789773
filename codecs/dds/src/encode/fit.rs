//! The line of colors that is nearest to given ones: by their principal axis, and by least squares.

/// Four channels of 0 to 255.
pub(super) type Color = [f32; 4];

/// The pairs of channels.
const PAIRS: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];

/// Sums over colors, which give their scatter.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    count: f32,
    sums: Color,
    /// Of both channels of each pair.
    products: [f32; 10],
}

impl Moments {
    pub(super) fn of(color: Color) -> Self {
        let products = PAIRS.map(|(one, other)| color[one] * color[other]);
        Self { count: 1.0, sums: color, products }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.sums.iter_mut().zip(other.sums).for_each(|(to, from)| *to += from);
        self.products.iter_mut().zip(other.products).for_each(|(to, from)| *to += from);
    }

    pub(super) fn without(mut self, other: &Self) -> Self {
        self.count -= other.count;
        self.sums.iter_mut().zip(other.sums).for_each(|(to, from)| *to -= from);
        self.products.iter_mut().zip(other.products).for_each(|(to, from)| *to -= from);
        self
    }

    /// The squared distances to the mean, as a matrix.
    fn scatter(&self) -> [Color; 4] {
        let part = 1.0 / self.count.max(1.0);
        let mut scatter = [[0.0; 4]; 4];
        for (product, (row, column)) in self.products.into_iter().zip(PAIRS) {
            let value = product - self.sums[row] * self.sums[column] * part;
            scatter[row][column] = value;
            scatter[column][row] = value;
        }
        scatter
    }

    /// About the sum of squared distances to the nearest line.
    pub(super) fn distance_to_line(&self) -> f32 {
        let scatter = self.scatter();
        let whole = scatter[0][0] + scatter[1][1] + scatter[2][2] + scatter[3][3];
        let along = scatter[widest(&scatter)];
        let once = scatter.map(|row| dot(row, along));
        (whole - dot(along, once) / dot(along, along).max(1e-6)).max(0.0)
    }
}

/// The channel with the largest scatter.
fn widest(scatter: &[Color; 4]) -> usize {
    (1..4).fold(0, |widest, at| if scatter[at][at] > scatter[widest][widest] { at } else { widest })
}

/// The direction of the largest scatter, of length 1. Zero if all colors are the same.
fn axis(scatter: &[Color; 4]) -> Color {
    let mut axis = unit(scatter[widest(scatter)]);
    for _ in 0..4 {
        axis = unit(scatter.map(|row| dot(row, axis)));
    }
    axis
}

/// The ends of the part of a line that is nearest to the colors.
pub(super) fn ends(colors: &[Color]) -> [Color; 2] {
    let mut moments = Moments::default();
    colors.iter().for_each(|&color| moments.add(&Moments::of(color)));
    let mean = moments.sums.map(|sum| sum / moments.count.max(1.0));
    let axis = axis(&moments.scatter());
    let from_mean = colors.iter().map(|&color| dot(axis, color) - dot(axis, mean));
    let (least, most) = from_mean.fold((0.0_f32, 0.0_f32), |(least, most), at| (least.min(at), most.max(at)));
    [least, most]
        .map(|far| std::array::from_fn(|channel| (mean[channel] + far * axis[channel]).clamp(0.0, 255.0)))
}

/// The ends that are best if each color takes so many of `whole` parts of the second end. None if all take the same.
pub(super) fn least_squares(
    colors: &[Color],
    parts: impl Iterator<Item = u8>,
    whole: f32,
) -> Option<[Color; 2]> {
    let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
    let (mut first, mut second) = ([0.0; 4], [0.0; 4]);
    for (color, parts) in colors.iter().zip(parts) {
        let b = f32::from(parts) / whole;
        let a = 1.0 - b;
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        for channel in 0..4 {
            first[channel] += a * color[channel];
            second[channel] += b * color[channel];
        }
    }
    let determinant = aa * bb - ab * ab;
    if determinant < 1e-3 {
        return None;
    }
    let end = |own: f32, shared: f32, by_own: Color, by_other: Color| {
        std::array::from_fn(|channel| {
            ((own * by_own[channel] - shared * by_other[channel]) / determinant).clamp(0.0, 255.0)
        })
    };
    Some([end(bb, ab, first, second), end(aa, ab, second, first)])
}

pub(super) fn dot(a: Color, b: Color) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The vector of length 1.
fn unit(vector: Color) -> Color {
    let length = dot(vector, vector).sqrt();
    if length > 1e-6 { vector.map(|part| part / length) } else { [0.0; 4] }
}
