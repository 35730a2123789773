//! Attacks from inside the sandbox: one program tries to escape, another exceeds its resource limits. Both run as a
//! tool does, as root and as nobody, at each level of the sandbox.
//!
//! Only root can switch users. Run by another user, the tests use only that user and say so on standard error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod cgroup;
mod consume;
mod escape;
mod program;
