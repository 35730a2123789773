//! Eight values side by side, of eight rows or columns, and the butterflies of section 7.13.2.1 on them.
//!
//! The values of conforming streams fit into 16 bits where the specification clamps to 16 bits, so these transforms work on
//! `i16`, the others on `i32`. Values of other streams wrap.

/// Rows or columns that are transformed at once.
pub(super) const LANES: usize = 8;

/// One coefficient of eight rows or columns.
pub(super) type Lanes<T> = [T; LANES];

/// A value of a one-dimensional transform.
pub(super) trait Element: Copy + Default {
    /// Wraps.
    fn wrap(value: i32) -> Self;
    fn widen(self) -> i32;
    /// The sum, clamped to `-largest - 1..=largest`.
    fn add_clamped(self, other: Self, largest: i32) -> Self;
    /// The difference, clamped likewise.
    fn sub_clamped(self, other: Self, largest: i32) -> Self;
}

/// The range is always that of 16 bits.
impl Element for i16 {
    #[inline(always)]
    fn wrap(value: i32) -> Self {
        value as Self
    }

    #[inline(always)]
    fn widen(self) -> i32 {
        i32::from(self)
    }

    #[inline(always)]
    fn add_clamped(self, other: Self, _largest: i32) -> Self {
        self.saturating_add(other)
    }

    #[inline(always)]
    fn sub_clamped(self, other: Self, _largest: i32) -> Self {
        self.saturating_sub(other)
    }
}

impl Element for i32 {
    #[inline(always)]
    fn wrap(value: i32) -> Self {
        value
    }

    #[inline(always)]
    fn widen(self) -> i32 {
        self
    }

    #[inline(always)]
    fn add_clamped(self, other: Self, largest: i32) -> Self {
        self.wrapping_add(other).clamp(-largest - 1, largest)
    }

    #[inline(always)]
    fn sub_clamped(self, other: Self, largest: i32) -> Self {
        self.wrapping_sub(other).clamp(-largest - 1, largest)
    }
}

/// `cos128` for angles of 0 to 255, in units of 1/4096.
const COSINES: [i16; 256] = cosines();

const fn cosines() -> [i16; 256] {
    /// `Cos128_Lookup`.
    const QUARTER: [i16; 65] = [
        4096, 4095, 4091, 4085, 4076, 4065, 4052, 4036, 4017, 3996, 3973, 3948, 3920, 3889, 3857, 3822, 3784,
        3745, 3703, 3659, 3612, 3564, 3513, 3461, 3406, 3349, 3290, 3229, 3166, 3102, 3035, 2967, 2896, 2824,
        2751, 2675, 2598, 2520, 2440, 2359, 2276, 2191, 2106, 2019, 1931, 1842, 1751, 1660, 1567, 1474, 1380,
        1285, 1189, 1092, 995, 897, 799, 700, 601, 501, 401, 301, 201, 101, 0,
    ];
    let mut table = [0; 256];
    let mut angle = 0;
    while angle < 256 {
        table[angle] = match angle {
            0..=64 => QUARTER[angle],
            65..=128 => -QUARTER[128 - angle],
            129..=192 => -QUARTER[angle - 128],
            _ => QUARTER[256 - angle],
        };
        angle += 1;
    }
    table
}

/// `Round2(value, 12)`, wrapping.
#[inline(always)]
pub(super) fn round12(value: i32) -> i32 {
    value.wrapping_add(1 << 11) >> 12
}

/// The butterfly rotation `B(a, b, angle, flip)`.
#[inline(always)]
pub(super) fn rotate<T: Element>(t: &mut [Lanes<T>], a: usize, b: usize, angle: usize, flip: bool) {
    let cos = i32::from(COSINES[angle & 255]);
    let sin = i32::from(COSINES[(angle + 192) & 255]);
    let (from_a, from_b) = (t[a], t[b]);
    let (mut x, mut y) = ([T::default(); LANES], [T::default(); LANES]);
    for lane in 0..LANES {
        let (a, b) = (from_a[lane].widen(), from_b[lane].widen());
        x[lane] = T::wrap(round12(a.wrapping_mul(cos).wrapping_sub(b.wrapping_mul(sin))));
        y[lane] = T::wrap(round12(a.wrapping_mul(sin).wrapping_add(b.wrapping_mul(cos))));
    }
    (t[a], t[b]) = if flip { (y, x) } else { (x, y) };
}

/// The Hadamard rotation `H(a, b, flip)`, clamped to `largest`.
#[inline(always)]
pub(super) fn hadamard<T: Element>(t: &mut [Lanes<T>], a: usize, b: usize, flip: bool, largest: i32) {
    let (a, b) = if flip { (b, a) } else { (a, b) };
    let (from_a, from_b) = (t[a], t[b]);
    for lane in 0..LANES {
        t[a][lane] = from_a[lane].add_clamped(from_b[lane], largest);
        t[b][lane] = from_a[lane].sub_clamped(from_b[lane], largest);
    }
}
