//! Detects audio and video files that are shorter than their headers tell. ffmpeg converts such files in part, without an error.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use filepress_wire::MediaType;

use crate::media::Failure;

/// The bytes at the end of a file that contain the last page of an Ogg stream (RFC 3533, 6: at most 65,307 bytes).
const OGG_TAIL: u64 = 65_307;
/// The bytes at the start of the audio of an MP3 file that contain the Xing header.
const XING_HEAD: usize = 4 + 32 + 16;

/// The bytes of an ASF file in which the file properties object is searched.
const ASF_HEAD: u64 = 64 * 1024;
/// 8CABDCA1-A947-11CF-8EE4-00C00C205365 (ASF specification, 10.1).
const ASF_FILE_PROPERTIES: [u8; 16] =
    [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65];

/// Whether the file ends before the end that its own structure declares; false if it declares none.
pub(super) async fn is_truncated(path: &Path, media: MediaType) -> Result<bool, Failure> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || read(&path, media)).await.map_err(io::Error::other);
    read.flatten().map_err(|error| Failure::Infrastructure(format!("the input: {error}")))
}

fn read(path: &Path, media: MediaType) -> io::Result<bool> {
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    match media {
        MediaType::OggVideo | MediaType::OggAudio | MediaType::Opus => ogg_lacks_end(&mut file, length),
        MediaType::Wmv | MediaType::Wma => Ok(asf_size(&mut file)?.is_some_and(|size| size > length)),
        MediaType::Mp3 => Ok(xing_end(&mut file)?.is_some_and(|end| end > length)),
        _ => Ok(chunk_end(&mut file)?.is_some_and(|end| end > length)),
    }
}

/// The end of the outermost chunk of RIFF (WAV, AVI) or of IFF (AIFF). Writers that do not know it write 0 or all ones.
fn chunk_end(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let Some(head) = head::<8>(file, 0)? else { return Ok(None) };
    let size = [head[4], head[5], head[6], head[7]];
    let size = match &head[..4] {
        b"RIFF" => u32::from_le_bytes(size),
        b"FORM" => u32::from_be_bytes(size),
        _ => return Ok(None),
    };
    let is_known = size != 0 && size != u32::MAX;
    Ok(is_known.then(|| u64::from(size) + 8))
}

/// The field "file size" of the file properties object in the header of ASF, which live recordings leave 0.
fn asf_size(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let mut header = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(ASF_HEAD).read_to_end(&mut header)?;
    let at = header.windows(16).position(|window| window == ASF_FILE_PROPERTIES);
    // The object's GUID and size, the file's GUID, then the field.
    let field = at.and_then(|at| header.get(at + 40..at + 48)).and_then(|field| field.try_into().ok());
    Ok(field.map(u64::from_le_bytes))
}

/// The end of the audio by the Xing header in the first frame: the frame's offset plus the field "bytes".
fn xing_end(file: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let start = id3_size(file)?;
    let Some(frame) = head::<XING_HEAD>(file, start)? else { return Ok(None) };
    if frame[0] != 0xFF || frame[1] & 0xE0 != 0xE0 {
        return Ok(None);
    }
    // The side information is 32 bytes (MPEG-1), or 17 (MPEG-1 mono, MPEG-2), or 9 (MPEG-2 mono): ISO/IEC 11172-3, 2.4.1.7.
    let (is_mpeg1, is_mono) = (frame[1] & 0x18 == 0x18, frame[3] >> 6 == 3);
    let at = 4 + match (is_mpeg1, is_mono) {
        (true, false) => 32,
        (true, true) | (false, false) => 17,
        (false, true) => 9,
    };
    let field = |at: usize| u32::from_be_bytes([frame[at], frame[at + 1], frame[at + 2], frame[at + 3]]);
    let is_xing = matches!(&frame[at..at + 4], b"Xing" | b"Info");
    // Flags: 1 frames, 2 bytes. Both fields are 32 bits; "bytes" follows "frames".
    if !is_xing || field(at + 4) & 3 != 3 {
        return Ok(None);
    }
    Ok(Some(start + u64::from(field(at + 12))))
}

/// The size of an ID3v2 tag at the start, 0 if there is none.
fn id3_size(file: &mut (impl Read + Seek)) -> io::Result<u64> {
    let Some(tag) = head::<10>(file, 0)? else { return Ok(0) };
    if !tag.starts_with(b"ID3") {
        return Ok(0);
    }
    let size = tag[6..].iter().fold(0, |size, byte| size << 7 | u64::from(byte & 0x7F));
    let footer = if tag[5] & 0x10 != 0 { 10 } else { 0 };
    Ok(10 + size + footer)
}

/// Whether the last page does not have the flag "end of stream", or is cut.
fn ogg_lacks_end(file: &mut (impl Read + Seek), length: u64) -> io::Result<bool> {
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(OGG_TAIL)))?;
    file.take(OGG_TAIL).read_to_end(&mut tail)?;
    let Some(at) = tail.windows(4).rposition(|window| window == b"OggS") else { return Ok(false) };
    let page = &tail[at..];
    let (Some(flags), Some(segments)) = (page.get(5), page.get(26)) else { return Ok(true) };
    let Some(lacing) = page.get(27..27 + usize::from(*segments)) else { return Ok(true) };
    let body = lacing.iter().map(|size| usize::from(*size)).sum::<usize>();
    Ok(flags & 4 == 0 || page.len() < 27 + lacing.len() + body)
}

/// `N` bytes at an offset; `None` if the file ends before.
fn head<const N: usize>(file: &mut (impl Read + Seek), at: u64) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
