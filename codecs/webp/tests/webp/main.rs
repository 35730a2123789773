//! The encoder as its callers have it, held against an independent decoder.

#![allow(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod alpha;
mod pictures;
mod prepared;
mod settings;
mod sizes;
