//! What all handlers share: documents, errors, authentication, rate limits and pagination.

pub mod api_key;
pub mod auth;
pub mod body;
pub mod cors;
pub mod document;
pub mod document_reader;
pub mod error;
pub mod host;
pub mod idempotency;
mod key_log;
pub mod key_scope;
pub mod links;
pub mod middleware;
pub mod negotiate;
pub mod pagination;
pub mod path_params;
pub mod peer;
pub mod query;
pub mod rate_limit;
pub mod request_id;
