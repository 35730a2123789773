//! The documents of the interface, JSON:API 1.1, written and read by the same types.
//!
//! Reading is tolerant: unknown members are ignored, what may be absent may be absent, links may be objects, and times stay
//! text, since services write them with different precision. Only what has no meaning when absent is required.

mod envelope;
mod error;
mod file;
mod link;
mod task;
mod user;

pub use envelope::{Document, Identifier, JsonApi, ListMeta, MEDIA_TYPE, PageLinks, SelfLink, VERSION};
pub use error::{ErrorDocument, ErrorObject, ErrorSource};
pub use file::{FileAttributes, FileKind, FileLinks, FileMeta, FileResource, NewFile};
pub use task::{
    Format, NewTask, Relationship, RelationshipLinks, TaskAttributes, TaskKind, TaskLinks, TaskRelationships,
    TaskResource, TaskStatus,
};
pub use user::{UserAttributes, UserKind, UserLinks, UserResource};
