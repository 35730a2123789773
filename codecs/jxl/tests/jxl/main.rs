//! JPEG XL files of Debian's cjxl, compared with the pictures that they were made from and with Debian's djxl.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod animation;
mod color;
mod hostile;
mod pixels;
mod tools;
