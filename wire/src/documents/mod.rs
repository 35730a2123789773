//! The documents of the API (JSON:API 1.1). The same types serialize and deserialize them.
//!
//! Deserializing is tolerant: unknown members are ignored, optional members may be absent, links may be objects, and times stay strings,
//! since services write them with different precision.

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
    CallbackMeta, Format, ManyRelationship, NewTask, Relationship, RelationshipLinks, TaskAttributes,
    TaskKind, TaskLinks, TaskMeta, TaskRelationships, TaskResource, TaskStatus,
};
pub use user::{UserAttributes, UserKind, UserLinks, UserResource};
