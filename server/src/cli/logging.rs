//! Sets up logging to standard error, and what becomes of traces.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::config::{LogFormat, LogLevel, LogSettings};
use crate::telemetry::Telemetry;

/// Starts logging, and hands spans to `telemetry` if there is one.
pub(super) fn start(log: LogSettings, telemetry: Option<&Telemetry>) {
    let level = match log.level {
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let targets = Targets::new().with_default(LevelFilter::WARN).with_target("filepress_server", level);
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match log.format {
        LogFormat::Text => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let spans = telemetry.map(Telemetry::layer::<Registry>);
    tracing_subscriber::registry().with(spans).with(lines.with_filter(targets)).init();
}
