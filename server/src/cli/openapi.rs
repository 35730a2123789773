//! `openapi`: the description of the interface.

use super::{Result, line};

pub(super) fn run() -> Result<()> {
    line(serde_json::to_string_pretty(&crate::openapi::description())?)
}
