//! The room for connections. A newcomer is always looked at: where the room, or the share of its address, is full, the slowest
//! connection gives way. No request is read here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

use super::client_network::ClientNetwork;
use crate::config::Config;
use crate::metrics::Metrics;

/// A request younger than this share of the window of the pace is not called slow.
const GRACE_FRACTION: f64 = 1.0 / 6.0;
/// A request that moves fewer bytes a second than so many times the least rate gives way to a newcomer.
const SLOW_FACTOR: f64 = 8.0;

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
struct Limits {
    all: usize,
    per_address: usize,
    unfinished_per_address: usize,
    /// Bytes a second.
    slow: f64,
    grace: Duration,
}

pub(super) struct ConnectionLimit {
    limits: Limits,
    metrics: Metrics,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    count: u64,
    connections: HashMap<u64, Connection>,
}

struct Connection {
    /// None for a trusted proxy, which speaks for many clients.
    source: Option<ClientNetwork>,
    /// Whose request a trusted proxy forwards at the moment.
    forwarded: Option<ClientNetwork>,
    phase: Phase,
    since: Instant,
    transferred: Arc<AtomicU64>,
    /// What `transferred` was when the phase began.
    transferred_before: u64,
    evicted: CancellationToken,
}

/// The place of a connection; dropped, it is free.
pub(super) struct ConnectionPermit {
    limit: Arc<ConnectionLimit>,
    id: u64,
    /// Bytes that were read and written.
    pub(super) transferred: Arc<AtomicU64>,
    /// The connection has to end.
    pub(super) evicted: CancellationToken,
}

/// A request that is served; dropped, its connection is idle.
pub(super) struct ActiveRequest(Arc<ConnectionPermit>);

impl ConnectionLimit {
    pub(super) fn new(config: &Config, metrics: Metrics) -> Arc<Self> {
        let limits = Limits {
            all: config.max_connections,
            per_address: config.max_connections_per_address,
            unfinished_per_address: config.max_unfinished_per_address,
            slow: config.min_transfer_rate.rate as f64 * SLOW_FACTOR,
            grace: config.min_transfer_rate.window.mul_f64(GRACE_FRACTION),
        };
        Arc::new(Self { limits, metrics, state: Mutex::default() })
    }

    /// A place for a new connection; none where nothing that is slower can give way.
    pub(super) fn admit(self: &Arc<Self>, source: Option<ClientNetwork>) -> Option<Arc<ConnectionPermit>> {
        let now = Instant::now();
        let mut state = self.lock_state();
        if let Some(source) = source {
            let own = |connection: &Connection| connection.source == Some(source);
            let unfinished =
                |connection: &Connection| own(connection) && connection.phase == Phase::Unfinished;
            self.evict_slowest(
                &mut state,
                "unfinished",
                self.limits.unfinished_per_address,
                unfinished,
                now,
            )?;
            self.evict_slowest(&mut state, "address", self.limits.per_address, own, now)?;
        }
        self.evict_slowest(&mut state, "all", self.limits.all, |_| true, now)?;
        let (transferred, evicted) = (Arc::default(), CancellationToken::new());
        let connection = Connection {
            source,
            forwarded: None,
            phase: Phase::Unfinished,
            since: now,
            transferred: Arc::clone(&transferred),
            transferred_before: 0,
            evicted: evicted.clone(),
        };
        state.count += 1;
        let id = state.count;
        state.connections.insert(id, connection);
        self.metrics.connection_opened();
        Some(Arc::new(ConnectionPermit { limit: Arc::clone(self), id, transferred, evicted }))
    }

    /// Has the slowest of those that `counts` give way where they are `max` already.
    fn evict_slowest(
        &self,
        state: &mut State,
        share: &'static str,
        max: usize,
        counts: impl Fn(&Connection) -> bool,
        now: Instant,
    ) -> Option<()> {
        let counted = || state.connections.iter().filter(|(_, connection)| counts(connection));
        if counted().count() < max {
            return Some(());
        }
        let evictable = counted().filter(|(_, connection)| connection.is_evictable(self.limits, now));
        let Some(id) =
            evictable.min_by(|(_, one), (_, other)| one.eviction_order(other, now)).map(|(id, _)| *id)
        else {
            self.metrics.connection_ended("was_refused", share);
            return None;
        };
        if let Some(slowest) = state.connections.remove(&id) {
            slowest.evicted.cancel();
        }
        self.metrics.connection_ended("gave_way", share);
        Some(())
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    fn is_evictable(&self, limits: Limits, now: Instant) -> bool {
        self.phase < Phase::Request || (now - self.since >= limits.grace && self.rate(now) < limits.slow)
    }

    /// Bytes a second since the phase began.
    fn rate(&self, now: Instant) -> f64 {
        let transferred = self.transferred.load(Ordering::Relaxed).saturating_sub(self.transferred_before);
        transferred as f64 / (now - self.since).as_secs_f64().max(1e-3)
    }

    /// The one that is to give way before the other is less: by its phase, then by its rate while a request is served, and by how long it
    /// has waited otherwise.
    fn eviction_order(&self, other: &Self, now: Instant) -> std::cmp::Ordering {
        self.phase.cmp(&other.phase).then_with(|| match self.phase {
            Phase::Request => self.rate(now).total_cmp(&other.rate(now)),
            Phase::Unfinished | Phase::Idle => self.since.cmp(&other.since),
        })
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
        self.transferred_before = self.transferred.load(Ordering::Relaxed);
    }
}

impl ConnectionPermit {
    /// A request begins. False beside it where a trusted proxy forwards it for an address that has its share of requests already.
    pub(super) fn begin_request(self: &Arc<Self>, forwarded: Option<ClientNetwork>) -> (ActiveRequest, bool) {
        let mut state = self.limit.lock_state();
        let is_allowed = forwarded.is_none_or(|source| {
            let own = state.connections.values().filter(|connection| connection.forwarded == Some(source));
            own.count() < self.limit.limits.per_address
        });
        if let Some(connection) = state.connections.get_mut(&self.id) {
            connection.forwarded = forwarded.filter(|_| is_allowed);
            connection.enter(Phase::Request);
        }
        if !is_allowed {
            self.limit.metrics.connection_ended("was_refused", "address");
        }
        (ActiveRequest(Arc::clone(self)), is_allowed)
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        if let Some(connection) = self.0.limit.lock_state().connections.get_mut(&self.0.id) {
            connection.forwarded = None;
            connection.enter(Phase::Idle);
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.limit.lock_state().connections.remove(&self.id);
        self.limit.metrics.connection_closed();
    }
}
