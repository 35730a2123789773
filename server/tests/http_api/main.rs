//! The HTTP API from outside: real connections to a real service. `status_codes` has a test for each row of the table of status
//! codes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod admin;
mod binary;
mod cancel;
mod connection_limits;
mod connections;
mod cors;
mod downloads;
mod drop_privileges;
mod idempotency;
mod keys;
mod malformed_requests;
mod openapi;
mod operations;
mod pagination;
#[path = "../reach/mod.rs"]
mod reach;
mod resumable;
mod schema;
mod service;
mod settings;
mod several_inputs;
mod signals;
mod status_codes;
mod tasks;
mod tls;
mod validation_order;
