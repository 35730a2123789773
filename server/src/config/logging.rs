//! What is logged, and how it is written.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What is logged, and how it is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogSettings {
    /// The lowest severity that is logged. Libraries always log from `warn` on: their lower levels print raw requests,
    /// which contain signed URLs.
    pub level: LogLevel,
    /// The format of a line.
    pub format: LogFormat,
}

/// How severe an event is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// The operator has to act, or an error was handled. This is the highest level, so that warnings at startup, such as
    /// development mode, are always logged.
    Warn,
    /// Requests, tasks, start and stop.
    #[default]
    Info,
    /// Details of these.
    Debug,
    /// Everything.
    Trace,
}

/// The format of a log line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}
