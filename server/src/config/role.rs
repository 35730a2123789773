//! What a server does of what the service does.

use serde::{Deserialize, Serialize};

/// What a server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Everything.
    All,
    /// Answers requests; others run the tasks.
    Api,
    /// Runs tasks; it listens on the address of metrics only.
    Worker,
}

impl Role {
    /// Whether it answers requests of clients.
    pub const fn serves(self) -> bool {
        matches!(self, Self::All | Self::Api)
    }

    /// Whether it runs tasks.
    pub const fn works(self) -> bool {
        matches!(self, Self::All | Self::Worker)
    }
}
