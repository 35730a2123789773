//! Header lines of Radiance HDR that the pixels do not need, such as the commands that made them. They are not copied
//! to other files. If a file is returned unchanged, they are removed.

use crate::formats::hdr::decode as hdr;
use crate::metadata::Metadata;

/// The lines that are needed to read and display the pixels.
const RENDERING: [&[u8]; 5] = [b"FORMAT=", b"EXPOSURE=", b"COLORCORR=", b"PIXASPECT=", b"PRIMARIES="];

/// Whether there are other lines.
pub(crate) fn read(file: &[u8]) -> Metadata {
    let header = hdr::header_size(file).and_then(|size| file.get(..size));
    let other = header.is_some_and(|header| lines(header).any(|line| !renders(line)));
    Metadata { other, ..Metadata::default() }
}

/// The same pixels without other lines, and nothing after them. `None` if the file is truncated.
pub(crate) fn write(file: &[u8]) -> Option<Vec<u8>> {
    let (header, end) = hdr::extent(file)?;
    let (head, pixels) = file.get(..end)?.split_at_checked(header)?;
    let mut out = b"#?RADIANCE\n".to_vec();
    let size = head.trim_ascii_end().rsplit(|&byte| byte == b'\n').next()?;
    for line in lines(head).filter(|line| renders(line)) {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out.push(b'\n');
    out.extend_from_slice(size);
    out.push(b'\n');
    out.extend_from_slice(pixels);
    Some(out)
}

/// The lines between the signature and the empty line.
fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n').skip(1).map(<[u8]>::trim_ascii).take_while(|line| !line.is_empty())
}

fn renders(line: &[u8]) -> bool {
    RENDERING.iter().any(|name| line.starts_with(name))
}
