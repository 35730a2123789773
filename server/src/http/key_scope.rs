//! Which scope of an API key a request needs: the table that the service checks and that the OpenAPI description shows.

use http::Method;

use crate::scopes::Scope;

/// What a request on a path of the router needs besides a valid key; `None` if it needs nothing more.
pub fn needed(method: &Method, route: &str) -> Option<Scope> {
    let reads = [Method::GET, Method::HEAD].contains(method);
    match route.split('/').nth(2) {
        Some("files" | "uploads") => Some(if reads { Scope::FilesRead } else { Scope::FilesWrite }),
        Some("tasks") => Some(if reads { Scope::TasksRead } else { Scope::TasksWrite }),
        _ => None,
    }
}
