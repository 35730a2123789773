//! One PUT whose body is sent while it comes. The first bytes are kept until the others are asked for: so far, a store that is busy or cannot
//! be reached is asked again, with the same body.

use std::fmt;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use http::Extensions;
use object_store::{ObjectStore, PutOptions, PutPayload, PutResult};
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::{Objects, REQUEST_TIMEOUT, io_error};

/// The largest object that S3 takes with one PUT (Amazon S3 User Guide, "Uploading objects").
pub(super) const MAX_PUT: u64 = 5 << 30;
/// How long the store may take nothing, or say nothing when it has everything.
const STALL: Duration = REQUEST_TIMEOUT;
/// Blocks that wait to be sent.
const WAITING: usize = 1;

/// A PUT under way. Dropping it cuts the connection: the store has fewer bytes than it was told of, and stores nothing.
#[derive(Debug)]
pub(super) struct Put {
    blocks: mpsc::Sender<PutPayload>,
    answer: AbortOnDropHandle<object_store::Result<PutResult>>,
}

impl Objects {
    /// Starts the PUT of an object of `length` bytes, of which `first` are the first.
    pub(super) fn put(&self, name: &str, length: u64, first: PutPayload) -> Put {
        let (blocks, rest) = mpsc::channel(WAITING);
        let body = FedBody::new(length, first, rest);
        let (store, path) = (Arc::clone(&self.streaming), self.path(name));
        let request = async move {
            let mut extensions = Extensions::new();
            extensions.insert(body);
            let options = PutOptions { extensions, ..PutOptions::default() };
            store.put_opts(&path, PutPayload::new(), options).await
        };
        Put { blocks, answer: AbortOnDropHandle::new(tokio::spawn(request)) }
    }
}

impl Put {
    /// Sends bytes, once those before them are on their way.
    pub(super) async fn send(&mut self, block: PutPayload) -> io::Result<()> {
        let sending = async {
            tokio::select! {
                biased;
                answer = &mut self.answer => {
                    stored(answer)?;
                    Err(io::Error::other("the store has answered before it had all bytes"))
                }
                // If nobody asks for bytes any more, the answer is about to come.
                Ok(()) = self.blocks.send(block) => Ok(()),
            }
        };
        timeout(STALL, sending).await.map_err(|_| stalled())?
    }

    /// Waits until the store has stored the object. All bytes were sent.
    pub(super) async fn finish(mut self) -> io::Result<()> {
        stored(timeout(STALL, &mut self.answer).await.map_err(|_| stalled())?)
    }
}

fn stored(answer: Result<object_store::Result<PutResult>, JoinError>) -> io::Result<()> {
    answer.map_err(io::Error::other)?.map(|_| ()).map_err(io_error)
}

fn stalled() -> io::Error {
    let text = format!("the store has taken nothing for {} s", STALL.as_secs());
    io::Error::new(io::ErrorKind::NotConnected, text)
}

/// The body of a PUT: bytes that are there, and others that come. It travels with the request as an extension.
#[derive(Clone)]
pub(super) struct FedBody {
    length: u64,
    start: Arc<Mutex<Start>>,
}

/// What a body begins with.
struct Start {
    first: PutPayload,
    /// What comes after them; `None` once it was asked for.
    rest: Option<mpsc::Receiver<PutPayload>>,
    /// How often the body was begun. Only the last one may go on: the connection of an attempt that has failed may still be asking for bytes.
    attempts: u32,
}

impl FedBody {
    fn new(length: u64, first: PutPayload, rest: mpsc::Receiver<PutPayload>) -> Self {
        let start = Start { first, rest: Some(rest), attempts: 0 };
        Self { length, start: Arc::new(Mutex::new(start)) }
    }

    /// The number of bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the body can be sent from the beginning.
    pub(super) fn is_whole(&self) -> bool {
        self.start().rest.is_some()
    }

    /// The bytes from the beginning; those that come later only if [`Self::is_whole`]. It ends early if the upload is given up.
    pub(super) fn chunks(&self) -> BoxStream<'static, io::Result<Bytes>> {
        let (first, attempt) = {
            let mut start = self.start();
            start.attempts += 1;
            (start.first.clone(), start.attempts)
        };
        let body = self.clone();
        let rest = async move { body.rest(attempt) }.map(|rest| match rest {
            Some(rest) => stream::unfold(rest, |mut rest| async { Some((rest.recv().await?, rest)) })
                .flat_map(|block| stream::iter(block.into_iter().map(Ok)))
                .boxed(),
            None => stream::iter([Err(io::Error::other("another attempt sends the rest"))]).boxed(),
        });
        stream::iter(first.into_iter().map(Ok)).chain(rest.flatten_stream()).boxed()
    }

    /// What comes after the first bytes, which are not needed any more.
    fn rest(&self, attempt: u32) -> Option<mpsc::Receiver<PutPayload>> {
        let mut start = self.start();
        if attempt != start.attempts {
            return None;
        }
        start.first = PutPayload::new();
        mem::take(&mut start.rest)
    }

    fn start(&self) -> MutexGuard<'_, Start> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for FedBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FedBody").field("length", &self.length).finish_non_exhaustive()
    }
}
