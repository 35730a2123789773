//! Metrics in the OpenMetrics text format, which Prometheus reads.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use filepress_wire::MediaType;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::clock::Timestamp;
use crate::lanes::Lane;
use crate::store::{Store, StoreError};

type Labels<const N: usize> = [(&'static str, String); N];

/// All metrics of the service. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Labels<3>, Counter>,
    request_seconds: Family<Labels<1>, Histogram, Buckets>,
    rejections: Family<Labels<1>, Counter>,
    bytes: Family<Labels<1>, Counter>,
    tasks: Family<Labels<3>, Counter>,
    task_seconds: Family<Labels<2>, Histogram, Buckets>,
    task_inputs: Family<Labels<2>, Counter>,
    callbacks: Family<Labels<1>, Counter>,
    callback_seconds: Histogram,
    callbacks_pending: Gauge,
    connections: Gauge,
    connections_ended: Family<Labels<2>, Counter>,
    queue: Family<Labels<2>, Gauge>,
    oldest: Family<Labels<1>, Gauge>,
}

/// Upper bounds in seconds.
#[derive(Debug, Clone, Copy)]
struct Buckets(&'static [f64]);

impl MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(self.0.iter().copied())
    }
}

const REQUEST_SECONDS: Buckets = Buckets(&[0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0]);
const CALLBACK_SECONDS: Buckets = Buckets(&[0.01, 0.05, 0.25, 1.0, 2.5, 5.0, 10.0, 30.0]);
const TASK_SECONDS: Buckets = Buckets(&[0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1800.0]);

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("filepress");
        let requests = Family::default();
        registry.register("requests", "Requests by method, route and status", requests.clone());
        let request_seconds = Family::new_with_constructor(REQUEST_SECONDS);
        let help = "Time until the response head";
        registry.register_with_unit("request_duration", help, Unit::Seconds, request_seconds.clone());
        let rejections = Family::default();
        registry.register("rejections", "Refused requests by error code", rejections.clone());
        let bytes = Family::default();
        registry.register_with_unit(
            "transferred",
            "Bytes of files uploaded and downloaded",
            Unit::Bytes,
            bytes.clone(),
        );
        let tasks = Family::default();
        registry.register("tasks", "Attempts at tasks by types and outcome", tasks.clone());
        let task_seconds = Family::new_with_constructor(TASK_SECONDS);
        let help = "Duration of attempts at tasks";
        registry.register_with_unit("task_duration", help, Unit::Seconds, task_seconds.clone());
        let task_inputs = Family::default();
        registry.register("task_inputs", "Input files of completed tasks by types", task_inputs.clone());
        let callbacks = Family::default();
        registry.register("callbacks", "Attempts at callbacks by outcome", callbacks.clone());
        let callback_seconds = CALLBACK_SECONDS.new_metric();
        let help = "Duration of attempts at callbacks";
        registry.register_with_unit("callback_duration", help, Unit::Seconds, callback_seconds.clone());
        let callbacks_pending = Gauge::default();
        let help = "Callbacks of ended tasks that were not delivered yet";
        registry.register("callbacks_pending", help, callbacks_pending.clone());
        let connections = Gauge::default();
        registry.register("connections", "Open connections", connections.clone());
        let connections_ended = Family::default();
        let help = "Connections that were closed for a new one or refused, by the limit that was reached";
        registry.register("connections_ended", help, connections_ended.clone());
        let queue = Family::default();
        registry.register("queue_tasks", "Unfinished tasks by lane and status", queue.clone());
        let oldest = Family::default();
        let help = "Age of the oldest waiting task";
        registry.register_with_unit("queue_oldest_age", help, Unit::Seconds, oldest.clone());
        let registry = Arc::new(registry);
        Self {
            registry,
            requests,
            request_seconds,
            rejections,
            bytes,
            tasks,
            task_seconds,
            task_inputs,
            callbacks,
            callback_seconds,
            callbacks_pending,
            connections,
            connections_ended,
            queue,
            oldest,
        }
    }
}

impl Metrics {
    /// Counts the end of an attempt: its types, its outcome (`completed`, `failed`, `canceled`, `retried`, `released`,
    /// `reclassed`, `fenced`) and its duration.
    pub fn task(&self, input: MediaType, output: MediaType, outcome: &'static str, took: Duration) {
        let pair = [("input", input.to_string()), ("output", output.to_string())];
        self.task_seconds.get_or_create(&pair).observe(took.as_secs_f64());
        self.tasks.get_or_create(&outcome_of(pair, outcome)).inc();
    }

    /// Counts the input files of a completed task; the type is that of the first.
    pub fn inputs(&self, input: MediaType, output: MediaType, count: u32) {
        let pair = [("input", input.to_string()), ("output", output.to_string())];
        self.task_inputs.get_or_create(&pair).inc_by(count.into());
    }

    /// Counts a task that was canceled while it waited.
    pub fn canceled(&self, input: MediaType, output: MediaType) {
        let pair = [("input", input.to_string()), ("output", output.to_string())];
        self.tasks.get_or_create(&outcome_of(pair, "canceled")).inc();
    }

    /// Counts an attempt at a callback, its outcome (`delivered`, `retried`, `failed`, `fenced`, `unrecorded`) and its duration.
    pub fn callback(&self, outcome: &'static str, took: Duration) {
        self.callback_seconds.observe(took.as_secs_f64());
        self.callbacks.get_or_create(&[("outcome", outcome.to_owned())]).inc();
    }

    /// Counts transferred bytes of files; `direction` is `in` or `out`.
    pub fn bytes(&self, direction: &'static str, count: u64) {
        self.bytes.get_or_create(&[("direction", direction.to_owned())]).inc_by(count);
    }

    /// Counts an accepted connection.
    pub fn connection_opened(&self) {
        self.connections.inc();
    }

    /// Counts a connection that ended for any reason.
    pub fn connection_closed(&self) {
        self.connections.dec();
    }

    /// Counts a connection that `gave_way` or `was_refused` because a limit was reached: `all`, `address` or `unfinished`.
    pub fn connection_ended(&self, how: &'static str, share: &'static str) {
        self.connections_ended.get_or_create(&[("how", how.to_owned()), ("share", share.to_owned())]).inc();
    }

    /// Counts a request that was refused with this code.
    pub fn rejected(&self, code: &'static str) {
        self.rejections.get_or_create(&[("code", code.to_owned())]).inc();
    }

    /// Counts a request and its response.
    pub fn request(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let labels =
            [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        self.request_seconds.get_or_create(&[("route", route.to_owned())]).observe(took.as_secs_f64());
    }

    /// All metrics as text; reads the current state of the queue.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn text(&self, store: &Store, now: Timestamp) -> Result<String, StoreError> {
        for (lane, name) in [(Lane::Image, "image"), (Lane::Heavy, "heavy")] {
            let depth = store.depth(lane).await?;
            let set = |status: &str, count: u64| {
                let labels = [("lane", name.to_owned()), ("status", status.to_owned())];
                self.queue.get_or_create(&labels).set(i64::try_from(count).unwrap_or(i64::MAX));
            };
            set("PENDING", depth.pending);
            set("PROCESSING", depth.processing);
            let age = depth.oldest.map_or(0, |oldest| now.since(oldest).as_secs());
            let age = i64::try_from(age).unwrap_or(i64::MAX);
            self.oldest.get_or_create(&[("lane", name.to_owned())]).set(age);
        }
        let pending = store.pending_callbacks().await?;
        self.callbacks_pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = encode(&mut text, &self.registry);
        Ok(text)
    }
}

fn outcome_of([input, output]: Labels<2>, outcome: &str) -> Labels<3> {
    [input, output, ("outcome", outcome.to_owned())]
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}
