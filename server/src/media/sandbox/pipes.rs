//! Reads the output of child processes with bounded memory.

use tokio::io::{AsyncRead, AsyncReadExt};

/// The maximum of standard output that is kept; ffprobe prints some 100 KiB for a file with many streams.
const MAX_STDOUT: usize = 4 << 20;
/// The maximum of standard error that is kept, from its end.
const MAX_STDERR: usize = 16 << 10;
/// The maximum length of a line.
const MAX_LINE: usize = 4 << 10;

/// The first bytes of a pipe. The rest is read and discarded, so that the child does not block.
pub(super) async fn first(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    each_chunk(pipe, |chunk| {
        let room = MAX_STDOUT - kept.len();
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
    })
    .await?;
    Ok(kept)
}

/// The last bytes of a pipe.
pub(super) async fn last(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    each_chunk(pipe, |chunk| {
        kept.extend_from_slice(chunk);
        kept.drain(..kept.len().saturating_sub(MAX_STDERR));
    })
    .await?;
    Ok(kept)
}

/// Passes on each line of a pipe; cuts off lines that are too long.
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
