//! A TCP stream that counts bytes, fails if the client reads too slowly, and closes without losing the last response.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use crate::config::MinTransferRate;

/// How long input is discarded after the last response.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// A stream that fails if the client reads more slowly than the minimum transfer rate.
///
/// Only the time in which a write waits for the client counts: bytes that fit into the kernel's buffer say nothing about the client.
///
/// Closing a socket with unread input resets the connection, and the client may lose the response: one that gets 413 during an
/// upload would see a broken pipe. Therefore `shutdown` closes the sending side and then discards input until the client closes or
/// a timeout passes (RFC 9112, section 9.6).
pub(super) struct TimeoutStream {
    tcp: TcpStream,
    min_transfer_rate: MinTransferRate,
    /// Bytes read and written.
    transferred: Arc<AtomicU64>,
    /// Bytes that the client has read in this window, and how long writes have waited for it.
    taken: u64,
    waited: Duration,
    waiting: Option<PendingWrite>,
    lingering: Option<Pin<Box<Sleep>>>,
}

/// A write that waits for the client.
struct PendingWrite {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl TimeoutStream {
    pub(super) fn new(
        tcp: TcpStream,
        min_transfer_rate: MinTransferRate,
        transferred: Arc<AtomicU64>,
    ) -> Self {
        Self {
            tcp,
            min_transfer_rate,
            transferred,
            taken: 0,
            waited: Duration::ZERO,
            waiting: None,
            lingering: None,
        }
    }

    fn enforce_rate(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Poll::Ready(result) = result else {
            let left = self.min_transfer_rate.window.saturating_sub(self.waited);
            let waiting = self
                .waiting
                .get_or_insert_with(|| PendingWrite { since: Instant::now(), end: Box::pin(sleep(left)) });
            ready!(waiting.end.as_mut().poll(context));
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")));
        };
        let count = result? as u64;
        if let Some(waiting) = self.waiting.take() {
            self.waited += waiting.since.elapsed();
        }
        self.transferred.fetch_add(count, Ordering::Relaxed);
        self.taken += count;
        if self.taken >= self.min_transfer_rate.min_bytes() {
            (self.taken, self.waited) = (0, Duration::ZERO);
        }
        Poll::Ready(Ok(usize::try_from(count).unwrap_or(usize::MAX)))
    }
}

impl AsyncRead for TimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let transferred_before = buffer.filled().len();
        ready!(Pin::new(&mut self.tcp).poll_read(context, buffer))?;
        self.transferred.fetch_add((buffer.filled().len() - transferred_before) as u64, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for TimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.enforce_rate(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write_vectored(context, slices);
        self.enforce_rate(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            ready!(Pin::new(&mut self.tcp).poll_shutdown(context))?;
        }
        let Self { tcp, lingering, .. } = &mut *self;
        if lingering.get_or_insert_with(|| Box::pin(sleep(LINGER_TIME))).as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut scrap = [0; 8192];
        loop {
            let mut buffer = ReadBuf::new(&mut scrap);
            let read = ready!(Pin::new(&mut *tcp).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}
