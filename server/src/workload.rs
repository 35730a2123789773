//! How a task is scheduled: which workers run it, and how much work it is. The queue, the workers and the planner share
//! these terms.

/// Which workers a task is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Images, by the engine.
    Image,
    /// Video, audio and PDF, by tools that take processors for minutes.
    Heavy,
}

/// How much work a task is, as far as could be told at its creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Seconds.
    Short,
    /// Anything else.
    Long,
}

impl Lane {
    /// The word in the database and in metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Heavy => "heavy",
        }
    }
}

impl Class {
    /// The word in the database and in metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}
