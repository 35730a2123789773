//! Limits connections in total and per client. When a limit is reached, the slowest connection is closed for the new one. No request
//! is read here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

use super::client_network::ClientNetwork;
use crate::config::Config;
use crate::metrics::Metrics;

/// A request is not evicted during this fraction of the rate window.
const GRACE_FRACTION: f64 = 1.0 / 6.0;
/// A request slower than this multiple of the minimum transfer rate may be evicted.
const SLOW_FACTOR: f64 = 8.0;

/// The state of a connection, in the order in which connections are evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// The TLS handshake, or the head of the first request, is not complete.
    Unfinished,
    /// It waits for another request.
    Idle,
    /// It serves a request.
    Request,
}

/// The limits.
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
    /// `None` for a trusted proxy, which forwards requests of many clients.
    source: Option<ClientNetwork>,
    /// The client whose request a trusted proxy is forwarding.
    forwarded: Option<ClientNetwork>,
    phase: Phase,
    since: Instant,
    transferred: Arc<AtomicU64>,
    /// What `transferred` was when the phase began.
    transferred_before: u64,
    evicted: CancellationToken,
}

/// Permission to hold a connection; dropping it frees the place.
pub(super) struct ConnectionPermit {
    limit: Arc<ConnectionLimit>,
    id: u64,
    /// Bytes read and written.
    pub(super) transferred: Arc<AtomicU64>,
    /// Cancelled when the connection must close for a new one.
    pub(super) evicted: CancellationToken,
}

/// A request in progress; dropping it makes the connection idle.
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

    /// Admits a new connection; `None` if a limit is reached and no connection is slow enough to evict.
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

    /// If `max` connections match `counts`, evicts the slowest of them; `None` if none may be evicted.
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

    /// Bytes per second since the phase began.
    fn rate(&self, now: Instant) -> f64 {
        let transferred = self.transferred.load(Ordering::Relaxed).saturating_sub(self.transferred_before);
        transferred as f64 / (now - self.since).as_secs_f64().max(1e-3)
    }

    /// Connections that compare as less are evicted first: by phase, then requests by rate, and other connections by waiting time.
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
    /// Marks the start of a request. The flag is false if a trusted proxy forwards it for a client that has reached its limit.
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
