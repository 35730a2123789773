//! The client of the service against three others: answers that a test writes down, with a clock that is turned by hand; the
//! router within this process; and a service that listens, over TLS. One contract holds for all three, and what only an
//! obedient service can show is held against the first alone.

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
