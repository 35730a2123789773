//! Which scope of an API key a request needs: the table that the service checks and that the OpenAPI description shows.

use http::Method;

use crate::scopes::{Scope, Scopes};

/// What a request needs besides a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing more.
    Nothing,
    /// A key with this scope.
    Scope(Scope),
    /// A key that may do everything.
    Everything,
}

impl Need {
    /// What a request on a path of the router needs. A path that the table does not have is closed to limited keys.
    pub fn of(method: &Method, route: &str) -> Self {
        let reads = [Method::GET, Method::HEAD].contains(method);
        match route.split('/').nth(2) {
            Some("files" | "uploads") => {
                Self::Scope(if reads { Scope::FilesRead } else { Scope::FilesWrite })
            }
            Some("tasks") => Self::Scope(if reads { Scope::TasksRead } else { Scope::TasksWrite }),
            Some("users") => Self::Nothing,
            Some("admin") => Self::Scope(Scope::Admin),
            _ => Self::Everything,
        }
    }

    /// Whether a key with these scopes has it.
    pub fn is_met_by(self, scopes: &Scopes) -> bool {
        match self {
            Self::Nothing => true,
            Self::Scope(scope) => scopes.allow(scope),
            Self::Everything => *scopes == Scopes::ALL,
        }
    }
}
