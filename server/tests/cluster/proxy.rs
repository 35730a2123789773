//! The line between a server and the database: it can be cut, so that neither side hears anything from the other, as when a network
//! fails.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// What the line does now.
#[derive(Clone, Copy, Default)]
struct Line {
    cut: bool,
    /// Grows when the connections that there are break.
    generation: u32,
    /// The only connection that breaks, by the port from which the server sees it.
    broken: Option<u16>,
}

pub(crate) struct Proxy {
    pub(crate) port: u16,
    line: watch::Sender<Line>,
    _task: AbortOnDropHandle<()>,
}

impl Proxy {
    /// Forwards connections to a port of this machine.
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let line = watch::Sender::new(Line::default());
        let state = line.subscribe();
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(connection(client, target, state.clone()));
            }
        });
        Self { port, line, _task: AbortOnDropHandle::new(task) }
    }

    /// Lets nothing through, in either direction, until [`Self::mend`].
    pub(crate) fn cut(&self) {
        self.line.send_modify(|line| line.cut = true);
    }

    /// Breaks one connection, by the port from which the server sees it.
    pub(crate) fn break_one(&self, port: u16) {
        self.line.send_modify(|line| line.broken = Some(port));
    }

    /// Lets through what was held back; or breaks the connections, as where somebody on the way has forgotten them.
    pub(crate) fn mend(&self, broken: bool) {
        self.line.send_modify(|line| {
            line.cut = false;
            line.generation += u32::from(broken);
        });
    }
}

impl Line {
    /// Whether a connection of a generation, from a port, is broken.
    fn breaks(self, made: u32, port: u16) -> bool {
        self.generation != made || self.broken == Some(port)
    }
}

async fn connection(mut client: TcpStream, target: u16, mut line: watch::Receiver<Line>) {
    let made = line.borrow().generation;
    if !open(&mut line, made).await {
        return;
    }
    // The database may be down.
    let Ok(mut server) = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], target))).await else { return };
    let port = server.local_addr().unwrap().port();
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.split(), server.split());
    tokio::select! {
        () = pump(&mut from_client, &mut to_server, line.clone(), (made, port)) => {}
        () = pump(&mut from_server, &mut to_client, line, (made, port)) => {}
    }
}

/// Waits until the line is open; false if the connections of that generation are broken.
async fn open(line: &mut watch::Receiver<Line>, made: u32) -> bool {
    let now = line.wait_for(|line| !line.cut || line.generation != made).await;
    now.is_ok_and(|line| line.generation == made)
}

async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut line: watch::Receiver<Line>,
    (made, port): (u32, u16),
) {
    let mut broken = line.clone();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = tokio::select! {
            read = from.read(&mut buffer) => read.unwrap_or(0),
            _ = broken.wait_for(|line| line.breaks(made, port)) => 0,
        };
        if length == 0 || !open(&mut line, made).await || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
