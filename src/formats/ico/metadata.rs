//! The metadata in an ICO: data between the pictures, and chunks of PNG pictures.

use crate::formats::png::metadata as png;
use crate::metadata::Metadata;

const HEADER: usize = 6;
const ENTRY: usize = 16;
/// Icons have about a dozen pictures.
const MAX_ENTRIES: usize = 256;

/// The pictures of the directory without metadata. Entries that share a picture still share it. `None` if a picture is
/// out of bounds, or if many overlap.
pub(crate) fn write(ico: &[u8]) -> Option<Vec<u8>> {
    let header: [u8; HEADER] = *ico.first_chunk()?;
    let count = usize::from(u16::from_le_bytes([header[4], header[5]]));
    let mut out = ico.get(..HEADER + count * ENTRY).filter(|_| count <= MAX_ENTRIES)?.to_vec();
    let mut known: Vec<([u8; 8], [u8; 8])> = Vec::new();
    for index in 0..count {
        let place = HEADER + index * ENTRY + 8;
        let old: [u8; 8] = *ico.get(place..)?.first_chunk()?;
        let found = known.iter().find(|(from, _)| *from == old).map(|(_, to)| *to);
        let new = match found {
            Some(new) => new,
            None => {
                let [length, start] = [0, 4]
                    .map(|at| u32::from_le_bytes([old[at], old[at + 1], old[at + 2], old[at + 3]]) as usize);
                let new_start = out.len() as u32;
                let picture = ico.get(start..)?.get(..length)?;
                match picture.first()? {
                    0x89 => out.extend(png::write::write(picture, &Metadata::default())?),
                    _ => out.extend_from_slice(picture),
                }
                if out.len() > ico.len() {
                    return None;
                }
                let [l0, l1, l2, l3] = (out.len() as u32 - new_start).to_le_bytes();
                let [s0, s1, s2, s3] = new_start.to_le_bytes();
                let new = [l0, l1, l2, l3, s0, s1, s2, s3];
                known.push((old, new));
                new
            }
        };
        out.get_mut(place..place + 8)?.copy_from_slice(&new);
    }
    Some(out)
}
