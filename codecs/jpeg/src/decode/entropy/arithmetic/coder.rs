//! The binary arithmetic decoder (T.81, D.2).

use super::states::{FIXED, STATES};

/// A statistics bin: the index of its state, and its more probable symbol.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bin {
    state: u8,
    mps: bool,
}

/// Decodes binary decisions up to the next marker.
pub(super) struct Coder<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The code register: the high 16 bits are compared with the interval.
    code: u32,
    interval: u32,
    /// Shifts until the next byte.
    shifts: u32,
    /// Bytes were taken behind the end of the file.
    pub(super) exhausted: bool,
}

impl<'a> Coder<'a> {
    /// Figure D.21, Initdec.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        let mut coder = Self { bytes, at, code: 0, interval: 0x1_0000, shifts: 0, exhausted: false };
        for _ in 0..2 {
            coder.read_byte();
            coder.code <<= 8;
        }
        coder
    }

    /// The offset of the byte that is read next.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Figures D.19 and D.20, Byte_in: zeros behind the data.
    fn read_byte(&mut self) {
        let byte = match self.bytes.get(self.at..) {
            Some([0xFF, 0, ..]) => {
                self.at += 2;
                0xFF
            }
            Some([0xFF, _, ..]) => 0,
            Some([byte, ..]) => {
                self.at += 1;
                *byte
            }
            _ => {
                self.exhausted = true;
                0
            }
        };
        self.code = self.code.wrapping_add(u32::from(byte) << 8);
    }

    /// Figures D.16 to D.18: a decision, which changes its bin.
    pub(super) fn decide(&mut self, bin: &mut Bin) -> bool {
        let state = STATES[usize::from(bin.state)];
        let qe = u32::from(state.qe);
        self.interval -= qe;
        let upper = self.code >> 16 >= self.interval;
        if !upper && self.interval >= 0x8000 {
            return bin.mps;
        }
        let likely = upper == (self.interval < qe);
        if upper {
            self.code -= self.interval << 16;
            self.interval = qe;
        }
        let decision = bin.mps == likely;
        if likely {
            bin.state = state.next_mps;
        } else {
            bin.state = state.next_lps;
            bin.mps ^= state.switch;
        }
        self.renormalize();
        decision
    }

    /// Figure D.19, Renorm_d.
    fn renormalize(&mut self) {
        while self.interval < 0x8000 {
            if self.shifts == 0 {
                self.read_byte();
                self.shifts = 8;
            }
            self.interval <<= 1;
            self.code <<= 1;
            self.shifts -= 1;
        }
    }

    /// A decision of even odds.
    pub(super) fn decide_evenly(&mut self) -> bool {
        self.decide(&mut Bin { state: FIXED, mps: false })
    }
}
