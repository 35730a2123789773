//! The lane of a task (images, or other media), which has its own workers, and its class (short or long). `media/plan.rs` chooses the
//! lane, `media/work_class.rs` estimates the class, and `store/fair_queue.rs` orders the tasks of a lane.

/// Which workers run a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// One image into an image or a PDF, converted by the engine.
    Image,
    /// Everything else, which may run for minutes: video, audio, PDF, and several images into one PDF.
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
