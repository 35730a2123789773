//! What children print, within bounds: whoever floods a pipe fills no memory and is not waited for.

use tokio::io::{AsyncRead, AsyncReadExt};

/// The most that is kept of what a child prints; facts of a file with many streams are some 100 KiB.
const MAX_STDOUT: usize = 4 << 20;
/// The most that is kept of its complaints: the last of them.
const MAX_STDERR: usize = 16 << 10;
/// The longest line of progress.
const MAX_LINE: usize = 4 << 10;

/// The first bytes that a child prints; the rest is read and dropped, so that it does not wait.
pub(super) async fn first(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    each_chunk(pipe, |chunk| {
        let room = MAX_STDOUT - kept.len();
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
    })
    .await?;
    Ok(kept)
}

/// The last bytes that a child prints.
pub(super) async fn last(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    each_chunk(pipe, |chunk| {
        kept.extend_from_slice(chunk);
        kept.drain(..kept.len().saturating_sub(MAX_STDERR));
    })
    .await?;
    Ok(kept)
}

/// Each line as it comes; the end of one that is too long is dropped.
pub(super) async fn lines(
    pipe: Option<impl AsyncRead + Unpin>,
    on_line: &mut (dyn FnMut(&str) + Send),
) -> std::io::Result<()> {
    let mut line = Vec::new();
    each_chunk(pipe, |chunk| {
        for &byte in chunk {
            match byte {
                b'\n' => {
                    on_line(&String::from_utf8_lossy(&line));
                    line.clear();
                }
                _ if line.len() < MAX_LINE => line.push(byte),
                _ => {}
            }
        }
    })
    .await
}

async fn each_chunk(
    pipe: Option<impl AsyncRead + Unpin>,
    mut take: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let mut buffer = vec![0; 8 << 10];
    loop {
        match pipe.read(&mut buffer).await? {
            0 => return Ok(()),
            count => take(&buffer[..count]),
        }
    }
}
