//! The constants of the encoder that were found by measuring (`make bench-jpeg`), and no standard has.

/// What decides between bytes and error.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Steps of luma, Cb and Cr at eight distances from DC, where the scale is 1.
    pub knots: [[f32; 8]; 3],
    /// By how much more diagonal frequencies are quantized.
    pub diagonal: [f32; 3],
    /// What a squared error of one step costs in bits in a block without texture: luma, chroma.
    pub lambda: [f32; 2],
    /// The energy of a block that halves it.
    pub masking: f32,
    /// How much of lambda errors of DC count.
    pub dc: [f32; 2],
    /// Coefficients that stay.
    pub pattern: i32,
    /// How much of a symbol a broken run costs.
    pub broken_run: f32,
    /// Passes of the trellis over a sample.
    pub passes: usize,
    /// Times that chroma is sharpened against the decoder's upsampling.
    pub sharpening: usize,
    /// The logarithm of the scale at qualities 0, 10 … 80, 89 and 90.
    pub scales: [f32; 11],
}

impl Tuning {
    /// What is used.
    pub const DEFAULT: Self = Self {
        knots: [
            [1.1, 1.4, 2.2, 2.85, 3.5, 4.2, 5.0, 6.0],
            [2.0, 2.15, 2.6, 3.3, 4.7, 7.0, 11.0, 14.5],
            [1.35, 1.55, 1.9, 2.5, 3.5, 5.3, 8.0, 11.0],
        ],
        diagonal: [0.1, 0.0, 0.0],
        lambda: [13.0, 12.0],
        masking: 1448.0,
        dc: [1.0, 1.0],
        pattern: 3,
        broken_run: 0.5,
        passes: 1,
        sharpening: 1,
        scales: [8.245, 5.758, 4.633, 4.023, 3.611, 3.254, 3.011, 2.608, 2.081, 1.46, 1.182],
    };
}
