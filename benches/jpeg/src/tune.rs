//! The encoder's constants by their names.

use filepress_jpeg::Tuning;

/// A name may end with the index of one value: `knots1.3`.
fn values<'a>(tuning: &'a mut Tuning, name: &str) -> &'a mut [f32] {
    match name {
        "luma" => &mut tuning.knots[0],
        "cb" => &mut tuning.knots[1],
        "cr" => &mut tuning.knots[2],
        "diagonal" => &mut tuning.diagonal,
        "lambda" => &mut tuning.lambda,
        "masking" => std::slice::from_mut(&mut tuning.masking),
        "saturation" => &mut tuning.saturation,
        "dc" => &mut tuning.dc,
        "adjustment" => std::slice::from_mut(&mut tuning.luma_adjustment),
        "broken" => std::slice::from_mut(&mut tuning.broken_run),
        "scales" => &mut tuning.scales,
        _ => panic!("{name}?"),
    }
}

pub fn set(tuning: &mut Tuning, name: &str, text: &str) {
    match name {
        "pattern" => tuning.pattern = text.parse().unwrap(),
        "passes" => tuning.passes = text.parse().unwrap(),
        _ => {
            let (name, index) = split(name);
            let values = values(tuning, name);
            match index {
                Some(index) => values[index] = text.parse().unwrap(),
                None => {
                    values.iter_mut().zip(text.split(',')).for_each(|(to, text)| *to = text.parse().unwrap())
                }
            }
        }
    }
}

fn split(name: &str) -> (&str, Option<usize>) {
    match name.split_once('.') {
        Some((name, index)) => (name, index.parse().ok()),
        None => (name, None),
    }
}

/// Multiplies a value, or all of them.
pub fn scale(tuning: &mut Tuning, name: &str, factor: f32) {
    let (name, index) = split(name);
    let values = values(tuning, name);
    match index {
        Some(index) => values[index] *= factor,
        None => values.iter_mut().for_each(|value| *value *= factor),
    }
}

pub fn get(tuning: &Tuning, name: &str) -> Vec<f32> {
    let (name, index) = split(name);
    let mut tuning = tuning.clone();
    let values = values(&mut tuning, name);
    index.map_or_else(|| values.to_vec(), |index| vec![values[index]])
}
