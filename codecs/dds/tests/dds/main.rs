//! The crate beside the crate `dds`: the same files, the same pixels.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod blocks;
mod encoder;
mod formats;
mod headers;
mod support;
