//! The interface from outside: real connections to a real service, one test a row of its status table and more.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod binary;
mod bytes;
mod cancel;
mod connections;
mod cors;
mod crowd;
mod documented;
mod heads;
mod idempotency;
mod lists;
mod operator;
mod order;
#[path = "../reach/mod.rs"]
mod reach;
mod root;
mod schema;
mod service;
mod settings;
mod signals;
mod table;
mod tasks;
mod tls;
