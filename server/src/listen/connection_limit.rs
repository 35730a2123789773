//! The room for connections. A newcomer is always looked at: where the room, or the share of its address, is full, the slowest
//! connection gives way. No request is read here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

use super::client_network::Source;
use crate::config::Config;
use crate::metrics::Metrics;

/// A request younger than this share of the window of the pace is not called slow.
const SETTLED: f64 = 1.0 / 6.0;
/// A request that moves fewer bytes a second than so many times the least rate gives way to a newcomer.
const SLOW: f64 = 8.0;

/// What a connection is at. Those first in the order give way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// The TLS handshake, or the head of the first request, is not complete.
    Unfinished,
    /// It waits for a further request.
    Idle,
    /// A request is served.
    Request,
}

/// How many connections there may be.
#[derive(Debug, Clone, Copy)]
struct Shares {
    all: usize,
    per_address: usize,
    unfinished_per_address: usize,
    /// Bytes a second.
    slow: f64,
    settled: Duration,
}

pub(super) struct Room {
    shares: Shares,
    metrics: Metrics,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    count: u64,
    connections: HashMap<u64, Connection>,
}

struct Connection {
    /// None for a trusted proxy, which speaks for many clients.
    source: Option<Source>,
    /// Whose request a trusted proxy forwards at the moment.
    forwarded: Option<Source>,
    phase: Phase,
    since: Instant,
    moved: Arc<AtomicU64>,
    /// What `moved` was when the phase began.
    before: u64,
    shed: CancellationToken,
}

/// The place of a connection; dropped, it is free.
pub(super) struct Seat {
    room: Arc<Room>,
    id: u64,
    /// Bytes that were read and written.
    pub(super) moved: Arc<AtomicU64>,
    /// The connection has to end.
    pub(super) shed: CancellationToken,
}

/// A request that is served; dropped, its connection is idle.
pub(super) struct Served(Arc<Seat>);

impl Room {
    pub(super) fn new(config: &Config, metrics: Metrics) -> Arc<Self> {
        let shares = Shares {
            all: config.max_connections,
            per_address: config.max_connections_per_address,
            unfinished_per_address: config.max_unfinished_per_address,
            slow: config.pace.rate as f64 * SLOW,
            settled: config.pace.window.mul_f64(SETTLED),
        };
        Arc::new(Self { shares, metrics, open: Mutex::default() })
    }

    /// A place for a new connection; none where nothing that is slower can give way.
    pub(super) fn admit(self: &Arc<Self>, source: Option<Source>) -> Option<Arc<Seat>> {
        let now = Instant::now();
        let mut open = self.open();
        if let Some(source) = source {
            let own = |connection: &Connection| connection.source == Some(source);
            let unfinished =
                |connection: &Connection| own(connection) && connection.phase == Phase::Unfinished;
            self.make_room(&mut open, "unfinished", self.shares.unfinished_per_address, unfinished, now)?;
            self.make_room(&mut open, "address", self.shares.per_address, own, now)?;
        }
        self.make_room(&mut open, "all", self.shares.all, |_| true, now)?;
        let (moved, shed) = (Arc::default(), CancellationToken::new());
        let connection = Connection {
            source,
            forwarded: None,
            phase: Phase::Unfinished,
            since: now,
            moved: Arc::clone(&moved),
            before: 0,
            shed: shed.clone(),
        };
        open.count += 1;
        let id = open.count;
        open.connections.insert(id, connection);
        self.metrics.connection_opened();
        Some(Arc::new(Seat { room: Arc::clone(self), id, moved, shed }))
    }

    /// Has the slowest of those that `counts` give way where they are `most` already.
    fn make_room(
        &self,
        open: &mut Open,
        share: &'static str,
        most: usize,
        counts: impl Fn(&Connection) -> bool,
        now: Instant,
    ) -> Option<()> {
        let counted = || open.connections.iter().filter(|(_, connection)| counts(connection));
        if counted().count() < most {
            return Some(());
        }
        let yielding = counted().filter(|(_, connection)| connection.gives_way(self.shares, now));
        let Some(id) = yielding.min_by(|(_, one), (_, other)| one.order(other, now)).map(|(id, _)| *id)
        else {
            self.metrics.connection_ended("was_refused", share);
            return None;
        };
        if let Some(slowest) = open.connections.remove(&id) {
            slowest.shed.cancel();
        }
        self.metrics.connection_ended("gave_way", share);
        Some(())
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    fn gives_way(&self, shares: Shares, now: Instant) -> bool {
        self.phase < Phase::Request || (now - self.since >= shares.settled && self.rate(now) < shares.slow)
    }

    /// Bytes a second since the phase began.
    fn rate(&self, now: Instant) -> f64 {
        let moved = self.moved.load(Ordering::Relaxed).saturating_sub(self.before);
        moved as f64 / (now - self.since).as_secs_f64().max(1e-3)
    }

    /// The one that is to give way before the other is less: by its phase, then by its rate while a request is served, and by how long it
    /// has waited otherwise.
    fn order(&self, other: &Self, now: Instant) -> std::cmp::Ordering {
        self.phase.cmp(&other.phase).then_with(|| match self.phase {
            Phase::Request => self.rate(now).total_cmp(&other.rate(now)),
            Phase::Unfinished | Phase::Idle => self.since.cmp(&other.since),
        })
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
        self.before = self.moved.load(Ordering::Relaxed);
    }
}

impl Seat {
    /// A request begins. False beside it where a trusted proxy forwards it for an address that has its share of requests already.
    pub(super) fn serve(self: &Arc<Self>, forwarded: Option<Source>) -> (Served, bool) {
        let mut open = self.room.open();
        let is_fitting = forwarded.is_none_or(|source| {
            let own = open.connections.values().filter(|connection| connection.forwarded == Some(source));
            own.count() < self.room.shares.per_address
        });
        if let Some(connection) = open.connections.get_mut(&self.id) {
            connection.forwarded = forwarded.filter(|_| is_fitting);
            connection.enter(Phase::Request);
        }
        if !is_fitting {
            self.room.metrics.connection_ended("was_refused", "address");
        }
        (Served(Arc::clone(self)), is_fitting)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(connection) = self.0.room.open().connections.get_mut(&self.0.id) {
            connection.forwarded = None;
            connection.enter(Phase::Idle);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.room.open().connections.remove(&self.id);
        self.room.metrics.connection_closed();
    }
}
