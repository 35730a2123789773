//! Iterates over a JPEG: segments and entropy-coded data from the first marker to the last, over all scans (ITU-T T.81,
//! B.1).

pub(crate) const SOI: u8 = 0xD8;
pub(crate) const EOI: u8 = 0xD9;
pub(crate) const SOS: u8 = 0xDA;

/// A part of a JPEG between its first and its last marker.
pub(crate) enum Part<'a> {
    /// A marker with its payload. `whole` includes both and the length.
    Segment { marker: u8, payload: &'a [u8], whole: &'a [u8] },
    /// The entropy-coded data of a scan with its restart markers.
    Coded(&'a [u8]),
}

/// Iterates over a JPEG from its first marker to its last, over all scans.
pub(crate) struct Parts<'a> {
    jpeg: &'a [u8],
    at: usize,
    in_scan: bool,
    /// Whether the last marker was reached.
    ended: bool,
    /// Whether bytes between segments were skipped. Decoders skip them too, but not all of them the same ones.
    strayed: bool,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(jpeg: &'a [u8]) -> Self {
        let ended = false;
        let strayed = !jpeg.starts_with(&[0xFF, SOI]);
        Self { jpeg, at: 2, in_scan: false, ended, strayed }
    }

    /// Whether the last marker was reached and nothing was skipped.
    pub(crate) fn intact(&self) -> bool {
        self.ended && !self.strayed
    }

    /// The offset of the next part.
    #[cfg(feature = "core")]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Entropy-coded data ends before the first marker that is neither a restart marker nor a stuffed or fill byte.
    #[inline(never)]
    fn coded(&mut self) -> Option<Part<'a>> {
        self.in_scan = false;
        let rest = self.jpeg.get(self.at..)?;
        let mut at = 0;
        let length = loop {
            let Some(before) = before_ff(rest.get(at..)?) else { break rest.len() };
            at += before;
            match rest.get(at + 1) {
                Some(0 | 0xD0..=0xD7 | 0xFF) => at += 1,
                Some(_) => break at,
                None => break rest.len(),
            }
        };
        self.at += length;
        Some(Part::Coded(rest.get(..length)?))
    }

    #[inline(never)]
    fn segment(&mut self) -> Option<Part<'a>> {
        loop {
            let pair: [u8; 2] = *self.jpeg.get(self.at..)?.first_chunk()?;
            match pair {
                [0xFF, EOI] => {
                    self.ended = true;
                    return None;
                }
                [0xFF, 0xFF] => self.at += 1,
                [0xFF, 0x02..=0xCF | 0xDA..=0xFE] => break,
                _ => {
                    self.strayed = true;
                    self.at += 1;
                }
            }
        }
        let rest = self.jpeg.get(self.at..)?;
        let length = usize::from(u16::from_be_bytes(*rest.get(2..)?.first_chunk()?));
        let whole = rest.get(..2 + length)?;
        let marker = whole[1];
        self.at += whole.len();
        self.in_scan = marker == SOS;
        Some(Part::Segment { marker, payload: whole.get(4..)?, whole })
    }
}

/// The number of bytes before the first 255, found by many bytes at a time.
fn before_ff(bytes: &[u8]) -> Option<usize> {
    let has_none = |bytes: &&[u8; 16]| !bytes.iter().fold(false, |any, &byte| any | (byte == 0xFF));
    let passed = 16 * bytes.as_chunks::<16>().0.iter().take_while(has_none).count();
    Some(passed + bytes[passed..].iter().position(|&byte| byte == 0xFF)?)
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        if self.ended {
            None
        } else if self.in_scan {
            self.coded()
        } else {
            self.segment()
        }
    }
}
