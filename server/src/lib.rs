//! The service of filepress: files come in by signed URLs, tasks convert them, results go out by signed URLs.
//!
//! Data flows one way: a request ([`router`], [`routes`], [`http`]) becomes rows ([`store`]) and bytes ([`blobs`]); a
//! [`worker`] claims a row and has it carried out by [`media`], which knows files and tools and nothing of requests.
//! [`serve`] puts the parts together.

pub mod clock;
pub mod config;
pub mod ids;
mod private_dir;

pub mod blobs;
pub mod store;

pub mod media;

pub mod worker;

pub mod app;
pub mod http;
pub mod listen;
pub mod metrics;
pub mod openapi;
pub mod router;
pub mod routes;
pub mod signing;
pub mod tls;

pub mod cli;
pub mod serve;
