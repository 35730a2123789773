//! Users: the owner of the key that is used.

use serde::{Deserialize, Serialize};

use super::SelfLink;
use super::envelope::kind;

kind! {
    /// The type of users.
    UserKind, "users"
}

/// Where a user is.
pub type UserLinks = SelfLink;

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserResource {
    /// `users`.
    #[serde(rename = "type")]
    pub kind: UserKind,
    /// Unique among users.
    pub id: String,
    /// Their facts.
    pub attributes: UserAttributes,
    /// Where the resource is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<UserLinks>,
}

/// Facts of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserAttributes {
    /// Unique.
    pub email: String,
    /// For people; may be empty.
    #[serde(default)]
    pub name: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
}
