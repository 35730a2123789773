//! A TCP stream whose writes have a time limit, and whose end is not lost.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long what a client still sends is thrown away after the last answer.
const LINGER: Duration = Duration::from_secs(2);

/// A stream that gives up on a client that takes nothing.
///
/// Closing a socket that holds unread bytes resets the connection, and the reset may overtake the answer: a client that is
/// told 413 while it sends would see a broken pipe. Hence `shutdown` closes one side, then reads and discards for a while until
/// the client closes its own (RFC 9112, section 9.6).
pub(super) struct Patient {
    tcp: TcpStream,
    limit: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    lingering: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    pub(super) fn new(tcp: TcpStream, limit: Duration) -> Self {
        Self { tcp, limit, stalled: None, lingering: None }
    }

    fn bounded<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.stalled = None;
            return result;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.bounded(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write_vectored(context, slices);
        self.bounded(context, result)
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
        if lingering.get_or_insert_with(|| Box::pin(sleep(LINGER))).as_mut().poll(context).is_ready() {
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
