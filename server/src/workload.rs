//! How a task is scheduled: which workers run it, and how much work it is. The queue, the workers and the planner share
//! these terms.

/// Which workers run a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Images, converted by the engine.
    Image,
    /// Video, audio and PDF, converted by tools that may run for minutes.
    Heavy,
}

/// How much work a task is, as estimated at its creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Seconds.
    Short,
    /// Anything else.
    Long,
}

impl Lane {
    /// The name in the database and in metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Heavy => "heavy",
        }
    }
}

impl Class {
    /// The name in the database and in metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}
