//! The header of one surface without mipmaps ("DDS_HEADER", Microsoft): the oldest that can describe the pixels, because
//! more programs read that.

/// What describes the pixels.
#[derive(Clone, Copy)]
pub(super) struct Form {
    flags: u32,
    code: u32,
    bits: u32,
    masks: [u32; 4],
    /// A number of `DXGI_FORMAT`, or 0 for none.
    dxgi: u32,
}

impl Form {
    const NONE: Self = Self { flags: 0, code: 0, bits: 0, masks: [0; 4], dxgi: 0 };

    /// A single channel.
    pub(super) const fn gray(bits: u32) -> Self {
        Self { flags: 0x2_0000, bits, masks: [u32::MAX >> (32 - bits), 0, 0, 0], ..Self::NONE }
    }

    /// Eight bits of blue, green, red and perhaps alpha.
    pub(super) const fn bgr(alpha: bool) -> Self {
        let (flags, bits, alpha) = if alpha { (0x41, 32, 0xff00_0000) } else { (0x40, 24, 0) };
        Self { flags, bits, masks: [0xff_0000, 0xff00, 0xff, alpha], ..Self::NONE }
    }

    /// `D3DFMT_A16B16G16R16`.
    pub(super) const fn rgba16() -> Self {
        Self { flags: 4, code: 36, ..Self::NONE }
    }

    pub(super) const fn code(code: [u8; 4]) -> Self {
        Self { flags: 4, code: u32::from_le_bytes(code), ..Self::NONE }
    }

    /// `DXGI_FORMAT_BC7_UNORM`.
    pub(super) const fn bc7() -> Self {
        Self { dxgi: 98, ..Self::code(*b"DX10") }
    }
}

/// A file of the header alone, with room for so many bytes of pixels.
pub(super) fn write(form: Form, width: u32, height: u32, pixel_bytes: usize) -> Vec<u8> {
    let mut words = [0; 37];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    // Capabilities, height, width and pixel format are given, and either the bytes of a row or of everything.
    let plain = form.bits > 0 || form.code == 36;
    words[2] = 0x1007 | if plain { 0x8 } else { 0x8_0000 };
    (words[3], words[4]) = (height, width);
    let size = if plain { pixel_bytes / (height as usize).max(1) } else { pixel_bytes };
    words[5] = u32::try_from(size).unwrap_or(0);
    words[19] = 32;
    (words[20], words[21], words[22]) = (form.flags, form.code, form.bits);
    words[23..27].copy_from_slice(&form.masks);
    // A texture.
    words[27] = 0x1000;
    // Two dimensions, one element.
    (words[32], words[33], words[35]) = (form.dxgi, 3, 1);
    let count = if form.dxgi == 0 { 32 } else { 37 };
    let mut file = Vec::with_capacity(4 * count + pixel_bytes);
    words[..count].iter().for_each(|word| file.extend_from_slice(&word.to_le_bytes()));
    file
}
