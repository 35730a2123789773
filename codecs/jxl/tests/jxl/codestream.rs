//! Codestreams of frames in one color, bit by bit (ISO/IEC 18181-1): frames that cjxl does not write.

/// Bits from the lowest one on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// Those in the last byte; 0 if it is full.
    filled: usize,
}

impl Bits {
    fn put(&mut self, value: u64, count: usize) {
        for bit in 0..count {
            if self.filled == 0 {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << self.filled;
            self.filled = (self.filled + 1) % 8;
        }
    }

    /// Pairs of a value and its number of bits.
    fn put_all(&mut self, fields: &[(u64, usize)]) {
        for &(value, count) in fields {
            self.put(value, count);
        }
    }

    fn align(&mut self) {
        self.filled = 0;
    }
}

/// What becomes of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is shown as the last one.
    Last,
    /// It is shown for a hundredth of a second, and saved.
    Shown(u64),
    /// It is drawn and saved.
    Saved(u64),
    /// It is saved as it is, of its own size.
    Reference(u64),
}

/// A frame with the upper left corner of the canvas, at most 1024 pixels a side.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) size: (u64, u64),
    pub(crate) used: Use,
}

/// A codestream in XYB.
pub(crate) fn codestream(size: (u64, u64), animated: bool, frames: &[Frame]) -> Vec<u8> {
    let mut bits = header(size, animated, false);
    bits.align();
    for frame in frames {
        frame.write(&mut bits, size, animated);
    }
    bits.bytes
}

/// One of a pixel whose color profile is said to have 256 MiB, and has none but a header of zeros.
pub(crate) fn with_large_profile() -> Vec<u8> {
    let mut bits = header((1, 1), false, true);
    // 134 bytes: the sizes of the profile and of the commands, and the header (E.4.2).
    let bytes = [&[0x80, 0x80, 0x80, 0x80, 1, 0][..], &[0; 128]].concat();
    bits.put_all(&[(2, 2), (bytes.len() as u64 - 17, 8)]);
    // No LZ77; all contexts have one distribution, a prefix code; integers below 256 are symbols.
    bits.put_all(&[(0, 1), (1, 1), (0, 2), (1, 1), (8, 4), (0, 4), (0, 4)]);
    // 256 symbols, of which three are used.
    bits.put_all(&[(1, 1), (7, 4), (127, 7), (1, 2), (2, 2), (0, 8), (1, 8), (0x80, 8)]);
    for byte in bytes {
        match byte {
            0 => bits.put(0, 1),
            1 => bits.put(1, 2),
            _ => bits.put(3, 2),
        }
    }
    bits.bytes
}

fn header((width, height): (u64, u64), animated: bool, profile: bool) -> Bits {
    let mut bits = Bits { bytes: vec![0xff, 0x0a], filled: 0 };
    bits.put_all(&[(0, 1), (3, 2), (height - 1, 30), (0, 3), (3, 2), (width - 1, 30)]);
    bits.put_all(&[(0, 1), (u64::from(animated), 1)]);
    if animated {
        // Upright; 100 ticks a second; for ever.
        bits.put_all(&[(0, 3), (0, 1), (0, 1), (1, 1), (0, 2), (0, 2), (0, 2), (0, 1)]);
    }
    // 8 bits, buffers of 16, no extra channels, XYB.
    bits.put_all(&[(0, 1), (0, 2), (1, 1), (0, 2), (1, 1)]);
    bits.put_all(if profile { &[(0, 1), (1, 1), (0, 2)] } else { &[(1, 1)] });
    if animated {
        bits.put(1, 1);
    }
    bits.put_all(&[(0, 2), (1, 1)]);
    bits
}

impl Frame {
    fn write(self, bits: &mut Bits, canvas: (u64, u64), animated: bool) {
        let is_reference = matches!(self.used, Use::Reference(_));
        // Modular, not upsampled, in one group, in one pass.
        bits.put_all(&[(0, 1), (if is_reference { 2 } else { 0 }, 2), (1, 1), (0, 2), (0, 2), (3, 2)]);
        bits.put(0, if is_reference { 0 } else { 2 });
        let is_cropped = self.size != canvas;
        bits.put(u64::from(is_cropped), 1);
        if is_cropped {
            bits.put(0, if is_reference { 0 } else { 2 * 10 });
            for side in <[u64; 2]>::from(self.size) {
                match side {
                    0..256 => bits.put_all(&[(0, 2), (side, 8)]),
                    _ => bits.put_all(&[(1, 2), (side - 256, 11)]),
                }
            }
        }
        let covers = self.size.0 >= canvas.0 && self.size.1 >= canvas.1;
        if !is_reference {
            // It replaces what is in slot 0.
            bits.put(0, if covers { 2 } else { 4 });
            if animated {
                bits.put(u64::from(matches!(self.used, Use::Shown(_))), 2);
            }
            bits.put(u64::from(self.used == Use::Last), 1);
        }
        if let Use::Shown(slot) | Use::Saved(slot) | Use::Reference(slot) = self.used {
            bits.put(slot, 2);
            let is_saved = slot != 0 || !matches!(self.used, Use::Shown(_));
            if is_reference || (covers && is_saved) {
                bits.put(u64::from(is_reference), 1);
            }
        }
        // No name, no filters, no extensions.
        bits.put_all(&[(0, 2), (0, 1), (0, 1), (0, 2), (0, 2), (0, 2)]);
        let mut section = Bits::default();
        // Usual weights; no global tree; a tree and no transforms.
        section.put_all(&[(1, 1), (0, 1), (0, 1), (1, 1), (0, 2)]);
        // The distributions of the tree, and of samples: prefix codes of one symbol. The tree is a leaf, and predicts 0.
        section.put_all(&[(0, 1), (1, 1), (0, 2), (1, 1), (0, 4), (0, 1)]);
        section.put_all(&[(0, 1), (1, 1), (0, 4), (0, 1)]);
        // The table of contents: in order, one section.
        bits.put(0, 1);
        bits.align();
        bits.put_all(&[(0, 2), (section.bytes.len() as u64, 10)]);
        bits.align();
        bits.bytes.extend(section.bytes);
    }
}
