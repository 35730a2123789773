//! Recent colors, which are referred to by a hash (RFC 9649, section 3.6.2.3).

const MULTIPLIER: u32 = 0x1e35_a7bd;

pub(super) struct ColorCache {
    colors: Vec<u32>,
    shift: u32,
}

impl ColorCache {
    /// With 2 to the power of `bits` places, 1 to 11.
    pub(super) fn new(bits: u32) -> Self {
        Self { colors: vec![0; 1 << bits], shift: 32 - bits }
    }

    pub(super) fn insert(&mut self, colors: &[u32]) {
        for color in colors {
            self.colors[(color.wrapping_mul(MULTIPLIER) >> self.shift) as usize] = *color;
        }
    }

    pub(super) fn get(&self, place: usize) -> Option<u32> {
        self.colors.get(place).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.colors.len()
    }
}
