//! The engine through its public interface, natively: options, plans, the pipeline, hostile input.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that can not go on has failed")]

mod corpus;
mod hostile;
mod orientation;
mod pictures;
mod plan;
mod resize;
mod support;
mod truth;
