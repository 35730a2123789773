//! ThumbHash: a few DCT coefficients of luma, of two chroma channels, and of alpha, four bits each. It stores the proportions and
//! the average color of a picture.

use super::Picture;
use super::cosine::centered;

/// A channel as coefficients: the average, the largest of the others, and the others from 0 to 1.
struct Channel {
    average: f64,
    scale: f64,
    rest: Vec<f64>,
}

/// The bytes of the hash. No side of the picture may be longer than 100 pixels.
pub(super) fn encode(picture: &Picture) -> Vec<u8> {
    let (width, height) = (picture.width, picture.height);
    let has_alpha = picture.pixels.iter().any(|pixel| pixel[3] < u8::MAX);
    let [luma, yellow_blue, red_green, alpha] = channels(picture);

    // The longer side has the most waves, the other as many as its share of it.
    let most = if has_alpha { 5 } else { 7 };
    let longer = width.max(height);
    let waves = |side: usize| ((2 * most * side + longer) / (2 * longer)).max(1);
    let (across, down) = (waves(width), waves(height));
    let luma = transform(picture, &luma, across.max(3), down.max(3));
    let yellow_blue = transform(picture, &yellow_blue, 3, 3);
    let red_green = transform(picture, &red_green, 3, 3);

    let is_landscape = width > height;
    let head = round(63.0 * luma.average)
        | round(31.5 + 31.5 * yellow_blue.average) << 6
        | round(31.5 + 31.5 * red_green.average) << 12
        | round(31.0 * luma.scale) << 18
        | u32::from(has_alpha) << 23;
    let shape = (if is_landscape { down } else { across }) as u32
        | round(63.0 * yellow_blue.scale) << 3
        | round(63.0 * red_green.scale) << 9
        | u32::from(is_landscape) << 15;
    let mut hash = [&head.to_le_bytes()[..3], &shape.to_le_bytes()[..2]].concat();
    let mut halves = [luma.rest, yellow_blue.rest, red_green.rest].concat();
    if has_alpha {
        let alpha = transform(picture, &alpha, 5, 5);
        hash.push((round(15.0 * alpha.average) | round(15.0 * alpha.scale) << 4) as u8);
        halves.extend(alpha.rest);
    }
    let half = |value: &f64| round(15.0 * value) as u8;
    hash.extend(halves.chunks(2).map(|pair| half(&pair[0]) | pair.get(1).map_or(0, half) << 4));
    hash
}

/// Luma, yellow minus blue, red minus green, and alpha, from 0 or −1 to 1. Transparent pixels show the average color.
fn channels(picture: &Picture) -> [Vec<f64>; 4] {
    let share = |sample: u8| f64::from(sample) / 255.0;
    let mut sums = [0.0; 4];
    for pixel in picture.pixels {
        let alpha = share(pixel[3]);
        (0..3).for_each(|channel| sums[channel] += alpha * share(pixel[channel]));
        sums[3] += alpha;
    }
    let average = [0, 1, 2].map(|channel| if sums[3] > 0.0 { sums[channel] / sums[3] } else { 0.0 });
    let mut out = [const { Vec::new() }; 4];
    for pixel in picture.pixels {
        let alpha = share(pixel[3]);
        let [red, green, blue] =
            [0, 1, 2].map(|channel| average[channel] * (1.0 - alpha) + alpha * share(pixel[channel]));
        let values = [(red + green + blue) / 3.0, (red + green) / 2.0 - blue, red - green, alpha];
        out.iter_mut().zip(values).for_each(|(channel, value)| channel.push(value));
    }
    out
}

/// The coefficients of a channel in a triangle of `across` × `down` waves, row by row.
fn transform(picture: &Picture, channel: &[f64], across: usize, down: usize) -> Channel {
    let (width, height) = (picture.width, picture.height);
    let columns: Vec<_> = (0..across).map(|k| centered(k, width)).collect();
    let rows: Vec<_> = (0..down).map(|k| centered(k, height)).collect();
    let (mut average, mut rest) = (0.0, Vec::new());
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate().take_while(|(x, _)| x * down < across * (down - y)) {
            let lines = channel.chunks_exact(width).zip(row);
            let sum: f64 = lines
                .map(|(line, weight)| {
                    line.iter().zip(column).map(|(value, wave)| value * wave).sum::<f64>() * weight
                })
                .sum();
            let value = sum / (width * height) as f64;
            if (x, y) == (0, 0) { average = value } else { rest.push(value) }
        }
    }
    let scale = rest.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if scale > 0.0 {
        rest.iter_mut().for_each(|value| *value = 0.5 + 0.5 / scale * *value);
    }
    Channel { average, scale, rest }
}

fn round(value: f64) -> u32 {
    (value + 0.5) as u32
}
