//! `openapi`: prints the description of the API.

use super::{Result, print_line};

pub(super) fn run() -> Result<()> {
    print_line(serde_json::to_string_pretty(&crate::openapi::description())?)
}
