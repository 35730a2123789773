//! A claim of a task: a lease with a fencing number.

use super::records::{File, Secrets, Task};

/// How often a task is tried before a fault of the infrastructure makes it FAILED.
pub const MAX_ATTEMPTS: u32 = 3;

/// A claimed task. Its attempt number fences off every older claim.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The task as it was claimed.
    pub task: Task,
    /// Its input.
    pub input: File,
    /// Settings that are not shown.
    pub secrets: Secrets,
}

/// Holds while a claim is the newest and its lease has not run out; binds the task's id, the attempt, and now.
macro_rules! held {
    () => {
        "id = ? AND attempt = ? AND worker IS NOT NULL AND ready_at > ?"
    };
}
pub(super) use held;
