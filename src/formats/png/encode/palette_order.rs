//! Orders of the colors of a palette. Neighbors in the picture with neighboring numbers make small differences, and these
//! take fewer bytes; which order does best is not known before it is tried.

use crate::pixels::palette;

/// Of a hundred pixels as many must have a color that is put first for that alone.
const POPULAR_PERCENT: u64 = 15;

/// The orders that oxipng compares at its level 2, each as the indices that colors have in `indices`: by luma, by neighbors.
pub(crate) fn all(colors: &[[u8; 4]], indices: &[u8], width: usize) -> Vec<Vec<u8>> {
    let luma = by_luma(colors, indices, width);
    let neighbors = by_neighbors(colors.len(), &sorted(indices, &luma), width);
    let neighbors = neighbors.map(|order| order.into_iter().map(|place| luma[usize::from(place)]).collect());
    [Some(luma), neighbors].into_iter().flatten().collect()
}

/// Indices of colors that stand in another order.
pub(crate) fn sorted(indices: &[u8], order: &[u8]) -> Vec<u8> {
    let mut places = [0; 256];
    for (place, index) in order.iter().enumerate() {
        places[usize::from(*index)] = place as u8;
    }
    indices.iter().map(|index| places[usize::from(*index)]).collect()
}

/// By alpha, then from light to dark; the color that most rows begin or end with stands first, where the filters look for nothing.
fn by_luma(colors: &[[u8; 4]], indices: &[u8], width: usize) -> Vec<u8> {
    let key = |color: &[u8; 4]| {
        let [red, green, blue, alpha] = color.map(i32::from);
        // The last bit of alpha is noise beside the luma.
        ((alpha & 0xfe) << 18) + (alpha & 1) - red * 299 - green * 587 - blue * 114
    };
    let mut order = palette::ranked(colors.iter().map(|color| key(color).cast_unsigned() ^ 1 << 31));
    let mut edges = [0_u32; 256];
    for row in indices.chunks_exact(width) {
        for edge in row.first().into_iter().chain(row.last()) {
            edges[usize::from(*edge)] += 1;
        }
    }
    let most = edges.iter().max().copied().unwrap_or_default();
    let mut first = (0..=u8::MAX).filter(|&index| edges[usize::from(index)] == most);
    if let (Some(first), None) = (first.next(), first.next()) {
        order.retain(|&index| index != first);
        order.insert(0, first);
    }
    order
}

/// What lies together in the picture lies together in the palette: one color after the other, that with most neighbors among
/// those that are placed, goes to where it lengthens the way between neighbors least (after Zeng, Li and Lei 2000, and oxipng).
/// `None` for fewer than three colors.
fn by_neighbors(count: usize, indices: &[u8], width: usize) -> Option<Vec<u8>> {
    let pairs = Pairs::count(count, indices, width);
    let [first, second] = pairs.heaviest()?;
    let mut order = vec![first, second];
    let mut waiting: Vec<(usize, u64)> = (0..count)
        .filter(|index| ![first, second].contains(index))
        .map(|index| (index, pairs.between(index, first) + pairs.between(index, second)))
        .collect();
    while let Some(at) = (0..waiting.len()).max_by_key(|&at| (waiting[at].1, waiting.len() - at)) {
        let (next, _) = waiting.swap_remove(at);
        let place = pairs.cheapest_place(&order, next);
        order.insert(place, next);
        for (index, sum) in &mut waiting {
            *sum += pairs.between(*index, next);
        }
    }
    pairs.swap(&mut order);
    if let Some(first) = pairs.popular(indices.len()) {
        let at = order.iter().position(|&index| index == first)?;
        if at >= order.len() / 2 {
            order.reverse();
            order.rotate_right(at + 1);
        } else {
            order.rotate_left(at);
        }
    }
    (count > 2).then(|| order.into_iter().map(|index| index as u8).collect())
}

/// How often two colors lie side by side or one above the other.
struct Pairs {
    count: usize,
    pairs: Vec<u32>,
}

impl Pairs {
    fn count(count: usize, indices: &[u8], width: usize) -> Self {
        let mut pairs = vec![0; 256 * 256];
        let mut tally = |one: u8, other: u8| pairs[usize::from(one) << 8 | usize::from(other)] += 1;
        let mut above: &[u8] = &[];
        for row in indices.chunks_exact(width) {
            for (left, right) in row.iter().zip(&row[1..]) {
                tally(*left, *right);
            }
            for (upper, lower) in above.iter().zip(row) {
                tally(*upper, *lower);
            }
            above = row;
        }
        for one in 0..count {
            for other in 0..=one {
                let both = pairs[one << 8 | other] + pairs[other << 8 | one];
                pairs[one << 8 | other] = both;
                pairs[other << 8 | one] = both;
            }
        }
        Self { count, pairs }
    }

    fn between(&self, one: usize, other: usize) -> u64 {
        u64::from(self.pairs[one << 8 | other])
    }

    fn heaviest(&self) -> Option<[usize; 2]> {
        let mut heaviest = None;
        for (one, other) in (0..self.count).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let weight = self.between(one, other);
            if heaviest.is_none_or(|(most, _)| weight > most) {
                heaviest = Some((weight, [other, one]));
            }
        }
        heaviest.map(|(_, pair)| pair)
    }

    fn cheapest_place(&self, order: &[usize], next: usize) -> usize {
        let weight = |one: usize, index: &usize| self.between(one, *index) as i64;
        // What the pairs of the next color cost at the place, those before it and those behind it.
        let mut own: i64 = (1..).zip(order).map(|(far, index)| far * weight(next, index)).sum();
        let mut before = 0;
        let mut behind: i64 = order.iter().map(|index| weight(next, index)).sum();
        // What all pairs cost more that lie on either side of the place.
        let mut torn = 0;
        let mut best = (i64::MAX, 0);
        for place in 0..=order.len() {
            best = best.min((torn + own, place));
            if let Some(&passed) = order.get(place) {
                behind -= weight(next, &passed);
                own += before - behind;
                before += weight(next, &passed);
                torn += order[place + 1..].iter().map(|index| weight(passed, index)).sum::<i64>();
                torn -= order[..place].iter().map(|index| weight(passed, index)).sum::<i64>();
            }
        }
        best.1
    }

    /// Changes two that stand side by side for each other where that shortens the way, as long as it does twice in a round.
    fn swap(&self, order: &mut [usize]) {
        loop {
            let mut swaps = 0;
            for at in 1..order.len() {
                let [left, right] = [order[at - 1], order[at]];
                let nearer =
                    |index: &usize| self.between(left, *index) as i64 - self.between(right, *index) as i64;
                let before: i64 = order[..at - 1].iter().map(nearer).sum();
                let behind: i64 = order[at + 1..].iter().map(nearer).sum();
                if before < behind {
                    order.swap(at - 1, at);
                    swaps += 1;
                }
            }
            if swaps < 2 {
                return;
            }
        }
    }

    fn popular(&self, pixels: usize) -> Option<usize> {
        // Each pixel has four neighbors.
        let share = |index: usize| (0..self.count).map(|other| self.between(index, other)).sum::<u64>() / 4;
        let first = (0..self.count).max_by_key(|&index| (share(index), self.count - index))?;
        (share(first) * 100 >= pixels as u64 * POPULAR_PERCENT).then_some(first)
    }
}
