//! The crate beside the crate `dds`: the same files, the same pixels.

#![allow(clippy::expect_used, clippy::panic)]

mod blocks;
mod formats;
mod headers;
mod support;
