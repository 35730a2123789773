//! The request handlers, one file per kind of resource.

pub mod admin;
pub mod content;
pub mod files;
pub mod health;
pub mod openapi;
pub mod resources;
pub mod resumable;
mod task_inputs;
pub mod tasks;
pub mod tasks_cancel;
pub mod tasks_create;
pub mod users;
