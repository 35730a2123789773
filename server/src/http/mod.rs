//! What all requests share: documents, errors, who asks, how often, and which part of a list.

pub mod api_key;
pub mod body;
pub mod caller;
pub mod cors;
pub mod document;
pub mod error;
pub mod host;
pub mod idempotency;
pub mod links;
pub mod members;
pub mod negotiate;
pub mod page;
pub mod path;
pub mod query;
pub mod rate;
pub mod ready;
pub mod request_id;
pub mod respond;
