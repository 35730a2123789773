//! The filters across an edge (section 7.14.6), for eight lines at once.
//!
//! `REACH` samples on each side are looked at: 2 for the narrow filter alone, 3 for chroma, 4 for luma, 7 for the widest filter.

/// Lines that cross an edge at once: two units of four.
pub(super) const LINES: usize = 8;

/// The samples across an edge: that of each line at the same distance side by side; the edge is in the middle.
pub(super) type Window<const WIDTH: usize> = [[i16; LINES]; WIDTH];

/// A flag for each line: 0 or -1.
type Mask = [i16; LINES];

/// The thresholds of section 7.14.4, scaled to the depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    inner: i16,
    edge: i16,
    variance: i16,
}

impl Limits {
    /// Thresholds that no line meets.
    pub(super) const NEVER: Self = Self { inner: -1, edge: -1, variance: 0 };

    /// The thresholds of all levels for this sharpness, at this depth.
    pub(super) fn of_levels(sharpness: u8, bit_depth: u8) -> [Self; 64] {
        let shift = match sharpness {
            0 => 0,
            1..=4 => 1,
            _ => 2,
        };
        std::array::from_fn(|level| {
            let level = level as i16;
            let most = if sharpness > 0 { 9 - i16::from(sharpness.min(8)) } else { i16::MAX };
            let inner = (level >> shift).min(most).max(1);
            let scale = bit_depth - 8;
            Self {
                inner: inner << scale,
                edge: (2 * (level + 2) + inner) << scale,
                variance: (level >> 4) << scale,
            }
        })
    }
}

/// Filters eight lines: the first four with the first limits. Returns whether any line changed.
#[inline(never)]
pub(super) fn filter<const REACH: usize, const WIDTH: usize>(
    window: &mut Window<WIDTH>,
    limits: [Limits; 2],
    bit_depth: u8,
) -> bool {
    let each = |of: fn(&Limits) -> i16| -> [i16; LINES] { std::array::from_fn(|line| of(&limits[line / 4])) };
    let (inner, edge) = (each(|limits| limits.inner), each(|limits| limits.edge));
    let filtered = lines_to_filter::<REACH, WIDTH>(window, &inner, &edge);
    if !any(&filtered) {
        return false;
    }
    let one = 1 << (bit_depth - 8);
    let mut flat = [0; LINES];
    let mut flat_far = [0; LINES];
    if REACH > 2 {
        flat = and(&filtered, &is_flat::<REACH, WIDTH>(window, 1, (REACH - 1).min(3), one));
    }
    if REACH > 4 {
        flat_far = and(&flat, &is_flat::<REACH, WIDTH>(window, 4, 6, one));
    }
    let source = *window;
    if !all(&flat) {
        let variance = each(|limits| limits.variance);
        narrow::<REACH, WIDTH>(&source, window, &filtered, &variance, bit_depth);
    }
    if any(&flat) && !all(&flat_far) {
        match REACH {
            3 => smooth::<REACH, WIDTH, 2, 1, 3>(&source, window, &flat),
            _ => smooth::<REACH, WIDTH, 3, 0, 3>(&source, window, &flat),
        }
    }
    if REACH > 4 && any(&flat_far) {
        smooth::<REACH, WIDTH, 6, 1, 4>(&source, window, &flat_far);
    }
    true
}

#[inline(always)]
fn any(mask: &Mask) -> bool {
    mask.iter().fold(0, |all, flag| all | flag) != 0
}

#[inline(always)]
fn all(mask: &Mask) -> bool {
    mask.iter().fold(-1, |all, flag| all & flag) != 0
}

#[inline(always)]
fn and(a: &Mask, b: &Mask) -> Mask {
    std::array::from_fn(|line| a[line] & b[line])
}

/// `filterMask`: the samples near the edge differ little.
#[inline(always)]
fn lines_to_filter<const REACH: usize, const WIDTH: usize>(
    window: &Window<WIDTH>,
    inner: &[i16; LINES],
    edge: &[i16; LINES],
) -> Mask {
    let (p, q) = (REACH - 1, REACH);
    let mut mask = [0; LINES];
    for line in 0..LINES {
        let difference = |a: usize, b: usize| (window[a][line] - window[b][line]).abs();
        let mut largest = difference(p - 1, p).max(difference(q + 1, q));
        if REACH > 2 {
            largest = largest.max(difference(p - 2, p - 1)).max(difference(q + 2, q + 1));
        }
        if REACH > 3 {
            largest = largest.max(difference(p - 3, p - 2)).max(difference(q + 3, q + 2));
        }
        let step = difference(p, q) * 2 + difference(p - 1, q + 1) / 2;
        mask[line] = -(i16::from(largest <= inner[line]) & i16::from(step <= edge[line]));
    }
    mask
}

/// Whether the samples at these distances differ from that at the edge by at most `one`.
#[inline(always)]
fn is_flat<const REACH: usize, const WIDTH: usize>(
    window: &Window<WIDTH>,
    first: usize,
    last: usize,
    one: i16,
) -> Mask {
    let (p, q) = (REACH - 1, REACH);
    let mut largest = [0; LINES];
    for distance in first..=last {
        for line in 0..LINES {
            let before = (window[p - distance][line] - window[p][line]).abs();
            let after = (window[q + distance][line] - window[q][line]).abs();
            largest[line] = largest[line].max(before).max(after);
        }
    }
    largest.map(|largest| -i16::from(largest <= one))
}

/// Section 7.14.6.3, for the lines of `mask`.
#[inline(always)]
fn narrow<const REACH: usize, const WIDTH: usize>(
    source: &Window<WIDTH>,
    window: &mut Window<WIDTH>,
    mask: &Mask,
    variance: &[i16; LINES],
    bit_depth: u8,
) {
    let (p, q) = (REACH - 1, REACH);
    let half = 1_i16 << (bit_depth - 1);
    let clamp = |value: i16| value.clamp(-half, half - 1);
    for line in 0..LINES {
        let [p1, p0, q0, q1] = [p - 1, p, q, q + 1].map(|at| source[at][line]);
        // -1 for lines of high variance.
        let high = -i16::from((p1 - p0).abs() > variance[line] || (q1 - q0).abs() > variance[line]);
        let filter = clamp((clamp(p1 - q1) & high) + 3 * (q0 - p0));
        let filter_q = clamp(filter + 4) >> 3;
        let filter_p = clamp(filter + 3) >> 3;
        let outer = ((filter_q + 1) >> 1) & !high;
        let moved = |sample: i16, by: i16| sample.wrapping_add(by & mask[line]).clamp(0, (half - 1) * 2 + 1);
        window[q][line] = moved(q0, -filter_q);
        window[p][line] = moved(p0, filter_p);
        window[q + 1][line] = moved(q1, -outer);
        window[p - 1][line] = moved(p1, outer);
    }
}

/// Section 7.14.6.4, for the lines of `mask`: `N` samples on each side become means of `2 * N + 1` samples, of which `2 * INNER + 1` count
/// twice.
#[inline(always)]
fn smooth<const REACH: usize, const WIDTH: usize, const N: usize, const INNER: usize, const LOG2: u32>(
    source: &Window<WIDTH>,
    window: &mut Window<WIDTH>,
    mask: &Mask,
) {
    // The first and the last sample stand for those beyond.
    let (first, last) = (REACH - N - 1, REACH + N);
    let at = |index: usize| &source[index.clamp(first, last)];
    let mut sums = [0_u16; LINES];
    let mut add = |samples: &[i16; LINES]| {
        sums.iter_mut().zip(samples).for_each(|(sum, &sample)| *sum += sample as u16);
    };
    (0..=2 * N).for_each(|index| add(at((REACH + index).saturating_sub(2 * N))));
    (0..=2 * INNER).for_each(|index| add(at(REACH - N + index - INNER)));
    for (index, samples) in window.iter_mut().enumerate().take(REACH + N).skip(REACH - N) {
        let entering = [at(index + 1 + N), at(index + 1 + INNER)];
        let leaving = [at(index.saturating_sub(N)), at(index - INNER)];
        for (line, sum) in sums.iter_mut().enumerate() {
            let mean = (*sum + (1 << (LOG2 - 1))) >> LOG2;
            samples[line] = (mean as i16 & mask[line]) | (samples[line] & !mask[line]);
            let [entering, leaving] = [entering, leaving].map(|[a, b]| a[line] as u16 + b[line] as u16);
            *sum = sum.wrapping_add(entering).wrapping_sub(leaving);
        }
    }
}
