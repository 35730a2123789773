//! The five filters of a row (PNG, third edition, 9).

/// A filter type, by its number.
pub(crate) const FILTERS: u8 = 5;

/// Writes the filter type and the filtered row to `out`, which has one byte more than the row. `above` is the row before, or zeros.
pub(crate) fn apply(filter: u8, row: &[u8], above: &[u8], pixel: usize, out: &mut [u8]) {
    let Some((kind, out)) = out.split_first_mut() else { return };
    *kind = filter;
    let first = pixel.min(row.len());
    let (left, above_left) = (&row[..row.len() - first], &above[..row.len() - first]);
    let (head, body) = out.split_at_mut(first);
    let current = row[first..].iter().zip(left).zip(above[first..].iter().zip(above_left));
    match filter {
        1 => {
            head.copy_from_slice(&row[..first]);
            body.iter_mut()
                .zip(row[first..].iter().zip(left))
                .for_each(|(out, (x, a))| *out = x.wrapping_sub(*a));
        }
        2 => {
            let pairs = row.iter().zip(above);
            head.iter_mut().chain(body).zip(pairs).for_each(|(out, (x, b))| *out = x.wrapping_sub(*b));
        }
        3 => {
            head.iter_mut().zip(row.iter().zip(above)).for_each(|(out, (x, b))| *out = x.wrapping_sub(b / 2));
            body.iter_mut().zip(current).for_each(|(out, ((x, a), (b, _)))| {
                *out = x.wrapping_sub(((u16::from(*a) + u16::from(*b)) / 2) as u8);
            });
        }
        4 => {
            head.iter_mut().zip(row.iter().zip(above)).for_each(|(out, (x, b))| *out = x.wrapping_sub(*b));
            body.iter_mut()
                .zip(current)
                .for_each(|(out, ((x, a), (b, c)))| *out = x.wrapping_sub(paeth(*a, *b, *c)));
        }
        _ => {
            head.copy_from_slice(&row[..first]);
            body.copy_from_slice(&row[first..]);
        }
    }
}

/// Of left, above and above left, the one that is closest to left + above - above left (9.4).
#[inline(always)]
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (x, y, z) = (i16::from(a), i16::from(b), i16::from(c));
    let (pa, pb, pc) = ((y - z).abs(), (x - z).abs(), (x + y - 2 * z).abs());
    let other = if pb <= pc { b } else { c };
    if pa <= pb && pa <= pc { a } else { other }
}
