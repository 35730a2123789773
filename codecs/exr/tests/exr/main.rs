//! The decoder compared with the crate `exr`, and on damaged files.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod corpus;
mod files;
mod halves;
mod hostile;
mod oracle;
mod parts;
mod wavelets;
