//! The contents of files: what both stores have to do, in one suite that runs on a folder and on an S3 server, and what only one has.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod both;
mod folder;
mod forgetful;
mod objects;
#[path = "../s3/mod.rs"]
mod s3;
mod streamed;
