//! The direction of an 8 × 8 block: that along which its samples vary least (section 7.15.2).

/// The direction of a block, and how much it stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Direction {
    /// 0 to 7, in steps of 22.5 degrees.
    pub(super) index: usize,
    /// How much better it is than the direction perpendicular to it.
    pub(super) variance: i32,
}

impl Direction {
    /// The primary strength of luma for this variance.
    pub(super) fn adjust(self, strength: i16) -> i16 {
        if self.variance == 0 {
            return 0;
        }
        let log2 = (self.variance >> 6).checked_ilog2().unwrap_or(0).min(12) as i16;
        (strength * (4 + log2) + 8) >> 4
    }
}

/// 840 divided by the number of samples on a line.
const WEIGHTS: [i32; 9] = [0, 840, 420, 280, 210, 168, 140, 120, 105];

/// The direction of the 8 × 8 samples that begin `samples`, in rows of `stride`.
pub(super) fn find(samples: &[u16], stride: usize, bit_depth: u8) -> Direction {
    let mut block = [[0_i16; 8]; 8];
    for (values, row) in block.iter_mut().zip(samples.chunks(stride)) {
        for (value, &sample) in values.iter_mut().zip(&row[..8]) {
            *value = (sample >> (bit_depth - 8)) as i16 - 128;
        }
    }
    let costs = costs(&line_sums(&block));
    let mut index = 0;
    for other in 1..8 {
        if costs[other] > costs[index] {
            index = other;
        }
    }
    Direction { index, variance: (costs[index] - costs[(index + 4) & 7]) >> 10 }
}

/// Sums of the samples on each line of each direction (`partial`).
fn line_sums(block: &[[i16; 8]; 8]) -> [[i16; 16]; 8] {
    let mut sums = [[0; 16]; 8];
    for (i, row) in block.iter().enumerate() {
        let reversed = std::array::from_fn(|j| row[7 - j]);
        add(&mut sums[0][i..], row);
        add(&mut sums[4][i..], &reversed);
        add(&mut sums[6], row);
        add(&mut sums[5][3 - i / 2..], row);
        add(&mut sums[7][i / 2..], row);
        sums[2][i] = row.iter().sum();
        for (j, pair) in row.chunks_exact(2).enumerate() {
            let value = pair[0] + pair[1];
            sums[1][i + j] += value;
            sums[3][3 + i - j] += value;
        }
    }
    sums
}

#[inline(always)]
fn add(sums: &mut [i16], row: &[i16; 8]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// How well each direction describes the block: its squared sums, each over the number of samples.
fn costs(sums: &[[i16; 16]; 8]) -> [i32; 8] {
    let square =
        |direction: usize, line: usize| i32::from(sums[direction][line]) * i32::from(sums[direction][line]);
    std::array::from_fn(|direction| match direction {
        2 | 6 => (0..8).map(|line| square(direction, line)).sum::<i32>() * WEIGHTS[8],
        0 | 4 => {
            let pairs = (0..7)
                .map(|line| (square(direction, line) + square(direction, 14 - line)) * WEIGHTS[line + 1]);
            pairs.sum::<i32>() + square(direction, 7) * WEIGHTS[8]
        }
        _ => {
            let whole = (3..8).map(|line| square(direction, line)).sum::<i32>() * WEIGHTS[8];
            let pairs = (0..3)
                .map(|line| (square(direction, line) + square(direction, 10 - line)) * WEIGHTS[2 * line + 2]);
            whole + pairs.sum::<i32>()
        }
    })
}
