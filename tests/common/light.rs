//! A picture whose light chroma subsampling changes, and by how much it did.

/// Borders between saturated colors in all positions, as red, green and blue.
pub(crate) fn vivid((width, height): (usize, usize)) -> Vec<u8> {
    let colors = [[210, 30, 40], [20, 60, 150], [40, 150, 60]];
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.flat_map(|(x, y)| colors[(x / 5 + y / 7) % 3]).collect()
}

/// The mean difference in lightness between pixels of red, green and blue: in the square root of the light of their colors, in steps of 8 bits.
pub(crate) fn lightness_error(a: &[u8], b: &[u8]) -> f64 {
    let lightness = |pixel: &[u8; 3]| {
        let light = |share: f64, sample: u8| share * f64::from(sample).powi(2);
        (light(0.3, pixel[0]) + light(0.64, pixel[1]) + light(0.06, pixel[2])).sqrt()
    };
    let (a, b) = (a.as_chunks().0, b.as_chunks().0);
    a.iter().zip(b).map(|(a, b)| (lightness(a) - lightness(b)).abs()).sum::<f64>() / a.len() as f64
}
