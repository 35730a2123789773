//! The curve of DWA, from perceptually uniform numbers to light: the power 2.2 up to 1, and exponential above, with the same slope
//! where they meet.

use crate::half;

/// The magnitudes of finite 16-bit floats.
const FINITE: usize = half::INFINITY as usize;

/// Light by the bits of a perceptually uniform magnitude.
#[derive(Debug)]
pub(crate) struct Curve(Vec<u16>);

impl Curve {
    pub(crate) fn new() -> Self {
        Self((0..FINITE).map(|bits| half::from_f32(light(half::to_f32(bits as u16)))).collect())
    }

    /// 0 for what is not finite. The sign is kept.
    pub(crate) fn light(&self, half: u16) -> u16 {
        match self.0.get(usize::from(half & 0x7FFF)) {
            Some(light) => light | half & 0x8000,
            None => 0,
        }
    }
}

fn light(number: f32) -> f32 {
    const POWER: f32 = 2.2;
    if number <= 1.0 { libm::powf(number, POWER) } else { libm::expf(POWER * (number - 1.0)) }
}
