//! A processor of spans that does nothing before it is started.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{BatchSpanProcessor, Span, SpanData, SpanProcessor};

/// Gathers spans and sends them from a thread of its own. When more come than are sent, it drops them. Clones are the same processor.
#[derive(Debug, Clone, Default)]
pub(super) struct LateProcessor(Arc<OnceLock<BatchSpanProcessor>>);

impl LateProcessor {
    /// `resource`: what the spans are about.
    pub(super) fn start(&self, exporter: SpanExporter, resource: &Resource) {
        let mut batches = BatchSpanProcessor::builder(exporter).build();
        batches.set_resource(resource);
        // A second start changes nothing.
        let _ = self.0.set(batches);
    }
}

impl SpanProcessor for LateProcessor {
    fn on_start(&self, span: &mut Span, context: &Context) {
        if let Some(batches) = self.0.get() {
            batches.on_start(span, context);
        }
    }

    fn on_end(&self, span: SpanData) {
        if let Some(batches) = self.0.get() {
            batches.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.get().map_or(Ok(()), SpanProcessor::force_flush)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.get().map_or(Ok(()), |batches| batches.shutdown_with_timeout(timeout))
    }
}
