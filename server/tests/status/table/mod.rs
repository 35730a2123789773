//! One test a row of the interface's status table, in the order of a request's way through the service.

mod documents;
mod quotas;
mod requests;
mod resources;
mod signed;
mod successes;
