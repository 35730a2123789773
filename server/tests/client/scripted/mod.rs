//! Answers that a test writes down, a clock that is turned by hand, and what can only be shown with them.

mod delays;
mod documents;
mod faults;
mod hand;
mod links;
mod removal;
mod script;
mod secrets;
mod statuses;
mod tokens;
mod uploads;
mod waiting;

pub(crate) use documents::{
    bytes, created, failed_task, file, file_document, list, refusal, task, task_document, task_list,
    user_document,
};
pub(crate) use hand::run;
pub(crate) use script::{Scripted, Step};
