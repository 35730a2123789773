//! Traces in the form of OpenTelemetry, which are sent to a collector (OTLP over HTTP). Without a collector nothing of this runs.
//!
//! What becomes a span is written where it happens, with the target [`TARGET`]. Attributes are chosen there one by one: no URL, no address, no
//! setting of a task and nothing else that a user has written.

mod collector;
mod late_processor;

use std::time::Duration;

use http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use late_processor::LateProcessor;

/// The target of spans that are sent; the log does not show them.
pub const TARGET: &str = "filepress_traces";

/// How long the last spans may take to be sent when the service stops.
const LAST_SPANS: Duration = Duration::from_secs(5);

/// The header of the span that a request belongs to (W3C Trace Context, section 3.2).
const TRACEPARENT: &str = "traceparent";

/// Makes the span of a request, which has not begun, a part of the trace that the client names. Headers that are not valid name none.
pub(crate) fn join_trace(span: &Span, headers: &HeaderMap) {
    if headers.contains_key(TRACEPARENT) {
        let context = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
        // It fails without a collector, where there is no trace to join.
        let _ = span.set_parent(context);
    }
}

/// The traces of this process.
#[derive(Debug, Clone)]
pub struct Telemetry {
    provider: SdkTracerProvider,
    processor: LateProcessor,
    resource: Resource,
    endpoint: String,
}

impl Telemetry {
    /// Traces for the collector with this base URL. Spans are dropped until [`Self::start`], because no thread may be started before the
    /// process has switched its user.
    pub fn new(endpoint: &str) -> Self {
        let processor = LateProcessor::default();
        let resource = Resource::builder()
            .with_service_name("filepress-server")
            .with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource.clone())
            .with_span_processor(processor.clone())
            .build();
        let endpoint = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        Self { provider, processor, resource, endpoint }
    }

    /// Makes spans of what the program says with [`TARGET`].
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("filepress-server"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target(TARGET, tracing::Level::INFO))
    }

    /// Begins to send, from the runtime that this is called in.
    ///
    /// # Errors
    /// If the URL cannot be used.
    pub fn start(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.processor.start(collector::exporter(&self.endpoint)?, &self.resource);
        Ok(())
    }

    /// Sends what is left.
    pub async fn stop(self) {
        let provider = self.provider;
        let stopped = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(LAST_SPANS)).await;
        if let Ok(Err(error)) = stopped {
            tracing::warn!(%error, "cannot send the last traces");
        }
    }
}
