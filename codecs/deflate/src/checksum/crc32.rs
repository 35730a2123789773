//! CRC-32 (RFC 1952, 8), eight bytes at a time by as many tables.

const POLYNOMIAL: u32 = 0xEDB8_8320;

const TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
};

/// The checksum of gzip, and of the chunks of PNG.
#[derive(Clone, Copy, Debug)]
pub struct Crc32 {
    state: u32,
}

impl Default for Crc32 {
    fn default() -> Self {
        Self { state: u32::MAX }
    }
}

impl Crc32 {
    /// The checksum of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The checksum of some bytes.
    pub fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::new();
        crc.update(bytes);
        crc.value()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<8>();
        for block in blocks {
            let word = u64::from_le_bytes(*block) ^ u64::from(self.state);
            let at = word.to_le_bytes();
            self.state = (0..8).fold(0, |crc, place| crc ^ TABLES[7 - place][usize::from(at[place])]);
        }
        for byte in rest {
            self.state = self.state >> 8 ^ TABLES[0][usize::from(self.state as u8 ^ byte)];
        }
    }

    /// The checksum of the bytes so far.
    pub fn value(&self) -> u32 {
        !self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(Crc32::of(b""), 0);
        assert_eq!(Crc32::of(b"123456789"), 0xCBF4_3926);
        assert_eq!(Crc32::of(b"IEND"), 0xAE42_6082);
        let (mut parts, bytes) = (Crc32::new(), [7; 1000]);
        bytes.chunks(13).for_each(|part| parts.update(part));
        assert_eq!(parts.value(), Crc32::of(&bytes));
    }
}
