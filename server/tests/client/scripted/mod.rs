//! Scripted responses, a manual clock, and the tests that need them.

mod deletion;
mod documents;
mod links;
mod manual_clock;
mod network_errors;
mod polling;
mod retry_delays;
mod scripted_transport;
mod secrets;
mod statuses;
mod tokens;
mod uploads;

pub(crate) use documents::{
    bytes, created, failed_task, file, file_document, list, refusal, task, task_document, task_list,
    user_document,
};
pub(crate) use manual_clock::run;
pub(crate) use scripted_transport::{Scripted, Step};
