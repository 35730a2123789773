//! The lease of a claimed task: which worker may write the result of a task, and until when. The attempt number is the fencing number.
//! `queue.rs` takes and renews it, `completion.rs` ends it.

use filepress_wire::MediaType;

use super::records::{File, Secrets, Task};

/// How many attempts may fail because of the infrastructure before the task becomes FAILED.
pub const MAX_ATTEMPTS: u32 = 3;

/// A claimed task. Its attempt number fences off every older claim.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The task as it was claimed.
    pub task: Task,
    /// Its first input.
    pub input: File,
    /// The other inputs, with their types.
    pub more_inputs: Vec<(File, MediaType)>,
    /// Its secret settings.
    pub secrets: Secrets,
}

/// SQL condition: the claim is the newest and its lease has not expired. Binds the task's id, the attempt and the current time.
macro_rules! held {
    () => {
        "id = ? AND attempt = ? AND worker IS NOT NULL AND ready_at > ?"
    };
}
pub(super) use held;
