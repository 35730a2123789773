//! The public interface, against Debian's cjpeg and djpeg (libjpeg-turbo).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod corpus;
mod damaged;
mod limits;
mod oracle;
mod pictures;
#[path = "../../../../tests/common/seed.rs"]
mod seed;
