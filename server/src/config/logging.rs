//! What is logged, and how it is written.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What is logged, and how it is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogSettings {
    /// The least severe events. Those of libraries are logged from `warn` on, whatever is chosen: below it they show
    /// requests as they came, and signed URLs are secret.
    pub level: LogLevel,
    /// How a line is written.
    pub format: LogFormat,
}

/// How severe an event is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// The operator has to act, or something went wrong and was handled. Never less: what a start has to tell, such as
    /// development mode, is told.
    Warn,
    /// Requests, tasks, start and stop.
    #[default]
    Info,
    /// Steps of these.
    Debug,
    /// Everything.
    Trace,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One object a line.
    Json,
}
