//! Whether a document has signatures, without reading its structure.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// The key that only signatures have.
const BYTE_RANGE: &[u8] = b"/ByteRange";
/// How much is read at once.
const CHUNK: usize = 1 << 16;

/// Searches a document that qpdf wrote without object streams and encryption, so that the keys of its objects are plain text.
pub(super) async fn has_signature(document: PathBuf) -> io::Result<bool> {
    let searched = tokio::task::spawn_blocking(move || search(File::open(document)?));
    searched.await.map_err(io::Error::other)?
}

fn search(mut document: impl Read) -> io::Result<bool> {
    let mut window = Vec::with_capacity(CHUNK + BYTE_RANGE.len());
    loop {
        // The key may begin in one chunk and end in the next.
        let kept = window.len().min(BYTE_RANGE.len() - 1);
        window.drain(..window.len() - kept);
        if document.by_ref().take(CHUNK as u64).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        if window.windows(BYTE_RANGE.len()).any(|found| found == BYTE_RANGE) {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTE_RANGE, CHUNK, search};

    #[test]
    fn a_key_is_found_wherever_chunks_end() {
        for before in [0, 1, CHUNK - BYTE_RANGE.len(), CHUNK - 9, CHUNK - 5, CHUNK - 1, CHUNK, 3 * CHUNK - 4]
        {
            let text = [&vec![b'/'; before], BYTE_RANGE, &[b' '; 20]].concat();
            assert!(search(&text[..]).unwrap(), "{before}");
            assert!(!search(&text[..before + BYTE_RANGE.len() - 1]).unwrap(), "{before}");
        }
    }
}
