//! The service of filepress: clients upload files by signed URLs, tasks convert them, and clients download the results by signed
//! URLs.
//!
//! Data flows one way. A request ([`router`], [`routes`], [`http`]) becomes rows ([`store`]) and bytes ([`blobs`]). A
//! [`worker`] claims a row and has [`media`] convert its file; `media` knows files and tools, but no requests and no
//! database. [`serve`] builds the parts and connects them.
//!
//! Dependencies point one way too. The modules below stand in layers, the lowest first: a module uses only modules of the
//! layers above it in this file. The test `layers` checks this.

// Layer 1: the clock, names, units and settings; they use nothing of this crate.
pub mod clock;
pub mod config;
pub mod ids;
pub mod json_member;
pub mod key_input;
pub mod lanes;
mod private_dir;
mod process_name;
pub mod scopes;
pub mod telemetry;
pub mod upload_locks;
pub mod upload_state;
pub mod upload_turns;

// Layer 2: what the service keeps, runs and calls: rows, bytes, keys, certificates, tools, URLs.
pub mod blobs;
pub mod callbacks;
pub mod media;
pub mod signing;
pub mod store;
pub mod tls;

// Layer 3: what is measured over them.
pub mod metrics;
pub mod readiness;

// Layer 4: the parts together, shared by handlers and workers.
pub mod app;

// Layer 5: what every request shares, the workers, and the test of the object store.
mod direct_links;
pub mod http;
pub mod worker;

// Layer 6: connections, and the description of the API.
pub mod listen;
pub mod openapi;

// Layer 7: the handlers.
pub mod routes;

// Layer 8: paths to handlers, and who calls others with what handlers answer.
pub mod callback_worker;
pub mod router;

// Layer 9: a running service.
pub mod serve;

// Layer 10: the command line.
pub mod cli;
