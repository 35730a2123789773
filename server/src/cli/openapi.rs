//! `openapi`: the description of the interface.

use super::{Result, print_line};

pub(super) fn run() -> Result<()> {
    print_line(serde_json::to_string_pretty(&crate::openapi::description())?)
}
