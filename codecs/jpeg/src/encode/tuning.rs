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
    /// How much more an error of Cb and of Cr counts in a block whose mean is larger: by about the exponential function of so many times the
    /// mean, from -1 to 1.
    pub saturation: [f32; 2],
    /// How much of lambda errors of DC count.
    pub dc: [f32; 2],
    /// Coefficients that stay.
    pub pattern: i32,
    /// How much of a symbol a broken run costs.
    pub broken_run: f32,
    /// Passes of the trellis over a sample.
    pub passes: usize,
    /// How much of the difference in light is made up for by luma, if chroma is subsampled.
    pub luma_adjustment: f32,
    /// The logarithm of the scale at qualities 0, 10 … 80, 89 and 90.
    pub scales: [f32; 11],
}

impl Tuning {
    /// What is used.
    pub const DEFAULT: Self = Self {
        knots: [
            [1.01, 1.32, 2.25, 2.45, 3.3, 3.65, 4.7, 6.0],
            [1.35, 2.3, 3.0, 3.8, 5.1, 7.0, 11.0, 14.5],
            [1.46, 1.55, 1.9, 2.5, 3.5, 4.9, 8.0, 11.0],
        ],
        diagonal: [0.1, 0.0, 0.0],
        lambda: [14.5, 11.0],
        masking: 1564.0,
        saturation: [1.5, 2.0],
        dc: [1.0, 1.0],
        pattern: 3,
        broken_run: 0.5,
        passes: 1,
        luma_adjustment: 1.45,
        scales: [8.304, 5.938, 4.796, 4.191, 3.736, 3.406, 3.133, 2.765, 2.214, 1.61, 1.33],
    };
}
