//! The client against three services: scripted responses with a manual clock, the router in this process, and a
//! listening service over TLS. The contract runs against all three. Tests that need particular responses run against
//! the script only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod answer;
mod contract;
mod doc;
mod harness;
mod live;
mod routed;
mod scripted;
mod service;
