//! Prediction of 4 × 4 pixels of luma.

pub(crate) const MODES: usize = 10;

/// The pixels around the block: the four on its left from below, the corner, the eight above.
pub(crate) type Edge = [u8; 13];

/// What each mode predicts, row by row.
#[inline]
pub(crate) fn predict(edge: &Edge) -> [[u8; 16]; MODES] {
    let e: [u16; 13] = edge.map(u16::from);
    let (left, corner, above) = ([e[3], e[2], e[1], e[0]], e[4], [e[5], e[6], e[7], e[8]]);
    // Smoothed: the mean of two, or of three with the middle one twice; `two[i]` is of i and i + 1, `three[i]` around i.
    let two: [u8; 13] = std::array::from_fn(|i| ((e[i] + e[(i + 1).min(12)] + 1) >> 1) as u8);
    let three: [u8; 13] = std::array::from_fn(|i| {
        let (before, after) = (e[i.saturating_sub(1)], e[(i + 1).min(12)]);
        ((before + 2 * e[i] + after + 2) >> 2) as u8
    });
    let mean = ((left.iter().sum::<u16>() + above.iter().sum::<u16>() + 4) >> 3) as u8;
    let at = |place: usize| (place % 4, place / 4);
    let of = |pixel: &dyn Fn(usize, usize) -> u8| -> [u8; 16] {
        std::array::from_fn(|place| {
            let (x, y) = at(place);
            pixel(x, y)
        })
    };
    let gradient = std::array::from_fn(|place| {
        let (x, y) = at(place);
        (left[y] as i16 + above[x] as i16 - corner as i16).clamp(0, 255) as u8
    });
    // On the left the lowest pixel is its own neighbour.
    let lowest = ((e[1] + 3 * e[0] + 2) >> 2) as u8;
    [
        [mean; 16],
        gradient,
        of(&|x, _| three[5 + x]),
        of(&|_, y| if y == 3 { lowest } else { three[3 - y] }),
        // Down and to the left.
        of(&|x, y| if x + y == 6 { ((e[11] + 3 * e[12] + 2) >> 2) as u8 } else { three[6 + x + y] }),
        // Down and to the right.
        of(&|x, y| three[4 + x - y]),
        // More down than to the right.
        [
            two[4], two[5], two[6], two[7], three[4], three[5], three[6], three[7], three[3], two[4], two[5],
            two[6], three[2], three[4], three[5], three[6],
        ],
        // More down than to the left.
        [
            two[5], two[6], two[7], two[8], three[6], three[7], three[8], three[9], two[6], two[7], two[8],
            three[10], three[7], three[8], three[9], three[11],
        ],
        // More to the right than down.
        [
            two[3], three[4], three[5], three[6], two[2], three[3], two[3], three[4], two[1], three[2],
            two[2], three[3], two[0], three[1], two[1], three[2],
        ],
        // More to the right than up.
        [
            two[2], three[2], two[1], three[1], two[1], three[1], two[0], lowest, two[0], lowest, edge[0],
            edge[0], edge[0], edge[0], edge[0], edge[0],
        ],
    ]
}
