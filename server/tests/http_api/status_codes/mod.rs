//! A test for each row of the status table, in the order in which the service checks a request.

mod documents;
mod quotas;
mod requests;
mod resources;
mod signed;
mod successes;
