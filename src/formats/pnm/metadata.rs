//! PNM and PAM: a header with comments, then pixels (<https://netpbm.sourceforge.net/doc/>).

/// The header of a file.
pub(crate) struct Header<'a> {
    /// The digit after the `P`.
    kind: u8,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Samples per pixel.
    pub(crate) channels: u32,
    /// The maximum value of a sample.
    pub(crate) greatest: u32,
    /// The tuple type of a PAM.
    tuple: Option<&'a [u8]>,
    /// The offset after the last word of the header.
    words: Words<'a>,
}

impl<'a> Header<'a> {
    pub(crate) fn read(pnm: &'a [u8]) -> Option<Self> {
        let [b'P', kind @ b'1'..=b'7', ..] = *pnm else { return None };
        let mut words = Words { pnm, at: 2 };
        let [mut width, mut height, mut channels, mut greatest] = [0; 4];
        let mut tuple = None;
        if kind == b'7' {
            while let Some(name) = words.next().filter(|name| name != b"ENDHDR") {
                let value = words.next()?;
                match name {
                    b"WIDTH" => width = number(value)?,
                    b"HEIGHT" => height = number(value)?,
                    b"DEPTH" => channels = number(value)?,
                    b"MAXVAL" => greatest = number(value)?,
                    b"TUPLTYPE" => tuple = Some(value),
                    _ => return None,
                }
            }
        } else {
            width = number(words.next()?)?;
            height = number(words.next()?)?;
            greatest = if matches!(kind, b'1' | b'4') { 1 } else { number(words.next()?)? };
            channels = if matches!(kind, b'3' | b'6') { 3 } else { 1 };
        }
        Some(Self { kind, width, height, channels, greatest, tuple, words })
    }

    /// The header without comments.
    fn write(&self) -> Vec<u8> {
        let Self { width, height, channels, greatest, .. } = self;
        let mut out = vec![b'P', self.kind, b'\n'];
        match self.kind {
            b'7' => {
                let numbers =
                    format!("WIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {greatest}\n");
                out.extend(numbers.into_bytes());
                if let Some(tuple) = self.tuple {
                    out.extend([b"TUPLTYPE ", tuple, b"\n"].concat());
                }
                out.extend(b"ENDHDR\n");
            }
            b'1' | b'4' => out.extend(format!("{width} {height}\n").into_bytes()),
            _ => out.extend(format!("{width} {height}\n{greatest}\n").into_bytes()),
        }
        out
    }
}

/// The pixels without comments, and without data after their end.
pub(crate) fn write(pnm: &[u8]) -> Option<Vec<u8>> {
    let mut header = Header::read(pnm)?;
    let mut out = header.write();
    let (width, height) = (header.width as usize, header.height as usize);
    let pixels = width.checked_mul(height)?;
    let samples = pixels.checked_mul(header.channels as usize)?;
    match header.kind {
        // Digits, with or without white space between them.
        b'1' => {
            let digits = header.words.by_ref().flatten().take(samples);
            out.extend(digits);
        }
        b'2' | b'3' => {
            for word in header.words.by_ref().take(samples) {
                out.extend_from_slice(word);
                out.push(b' ');
            }
        }
        kind => {
            let length = match kind {
                b'4' => width.div_ceil(8).checked_mul(height)?,
                _ if header.greatest > 255 => samples.checked_mul(2)?,
                _ => samples,
            };
            // One white space ends the header.
            out.extend_from_slice(pnm.get(header.words.at + 1..)?.get(..length)?);
        }
    }
    Some(out)
}

fn number(word: &[u8]) -> Option<u32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The next word after white space and comments, and the offset of its end.
struct Words<'a> {
    pnm: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut comment = false;
        let rest = self.pnm.get(self.at..)?;
        let start = rest.iter().position(|&byte| {
            comment = (comment || byte == b'#') && byte != b'\n';
            !comment && !byte.is_ascii_whitespace()
        })?;
        let word = rest.get(start..)?;
        let length = word.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#');
        let word = word.get(..length.unwrap_or(word.len()))?;
        self.at += start + word.len();
        Some(word)
    }
}
