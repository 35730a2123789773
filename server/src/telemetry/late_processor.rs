//! A processor of spans that does nothing before it is started.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{BatchSpanProcessor, Span, SpanData, SpanProcessor};

/// Clones are the same processor.
#[derive(Debug, Clone, Default)]
pub(super) struct LateProcessor(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Gathers spans and sends them from a thread of its own. When more come than are sent, it drops them.
    batches: OnceLock<BatchSpanProcessor>,
    /// What the spans are about.
    resource: Mutex<Option<Resource>>,
}

impl LateProcessor {
    pub(super) fn start(&self, exporter: SpanExporter) {
        let mut batches = BatchSpanProcessor::builder(exporter).build();
        if let Some(resource) = &*self.0.resource.lock().unwrap_or_else(PoisonError::into_inner) {
            batches.set_resource(resource);
        }
        // A second start changes nothing.
        let _ = self.0.batches.set(batches);
    }
}

impl SpanProcessor for LateProcessor {
    fn on_start(&self, span: &mut Span, context: &Context) {
        if let Some(batches) = self.0.batches.get() {
            batches.on_start(span, context);
        }
    }

    fn on_end(&self, span: SpanData) {
        if let Some(batches) = self.0.batches.get() {
            batches.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.batches.get().map_or(Ok(()), SpanProcessor::force_flush)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.batches.get().map_or(Ok(()), |batches| batches.shutdown_with_timeout(timeout))
    }

    fn set_resource(&mut self, resource: &Resource) {
        *self.0.resource.lock().unwrap_or_else(PoisonError::into_inner) = Some(resource.clone());
    }
}
