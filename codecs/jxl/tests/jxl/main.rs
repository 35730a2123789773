//! JPEG XL files of Debian's cjxl, and codestreams made bit by bit, compared with the pictures that they were made from and with Debian's djxl.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod animation;
mod codestream;
mod color;
mod hostile;
mod layers;
mod pixels;
mod tools;
