//! Attacks from within the confinement of the tools: a program that tries to get out, and one that takes more than it may. Both run
//! as a tool does, as root and as nobody, on each rung of the ladder.
//!
//! Only root can be several users: run by anyone else, the tests try that user alone and say so on standard error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

mod cgroup;
mod consume;
mod escape;
mod program;
