//! Converts records to JSON:API resources.

use filepress_wire::documents::{
    CallbackMeta, FileAttributes, FileKind, FileLinks, FileMeta, FileResource, Format, Identifier,
    ManyRelationship, Relationship, RelationshipLinks, TaskAttributes, TaskKind, TaskLinks, TaskMeta,
    TaskRelationships, TaskResource, TaskStatus, UserAttributes, UserKind, UserResource,
};

use crate::app::App;
use crate::clock::Timestamp;
use crate::http::document::{ZIP_MEDIA_TYPE, link};
use crate::store::records::{File, Status, Task, TaskInput, User};

/// A file resource. `fresh`: for the response to its creation, with both the upload and the download link.
pub async fn file(app: &App, file: &File, fresh: bool, now: Timestamp) -> FileResource {
    let has_bytes = file.blob.is_some();
    let upload = if fresh || !has_bytes { Some(app.upload_url(file, now).await) } else { None };
    let resumable = (!has_bytes).then(|| app.resumable_url(file));
    let download = (fresh || has_bytes).then(|| app.download_url(file, now));
    FileResource {
        kind: FileKind::Only,
        id: file.id.clone(),
        attributes: FileAttributes {
            format: match file.is_archive {
                true => Some(ZIP_MEDIA_TYPE.to_owned()),
                false => file.format.map(|format| format.to_string()),
            },
            size: file.size,
            created_at: file.created_at.to_seconds_text(),
            updated_at: file.updated_at.to_seconds_text(),
        },
        links: FileLinks { this: Some(app.file_url(&file.id)), upload, resumable, download },
        meta: Some(FileMeta {
            expires_at: Some(file.expires_at.to_seconds_text()),
            sha256: file.sha256.clone(),
        }),
    }
}

/// The resources of several files.
pub async fn files(app: &App, files: &[&File], now: Timestamp) -> Vec<FileResource> {
    let mut resources = Vec::new();
    for item in files {
        resources.push(file(app, item, false, now).await);
    }
    resources
}

/// A task resource; `output` is its output file, if it exists. `more_inputs`: the inputs after the first; lists leave them out.
pub fn task(
    app: &App,
    task: &Task,
    more_inputs: Option<&[TaskInput]>,
    output: Option<&File>,
    now: Timestamp,
) -> TaskResource {
    let url = app.task_url(&task.id);
    let relationship = |name: &str, id: Option<&str>| relationship(&url, name, id);
    TaskResource {
        kind: TaskKind::Only,
        id: task.id.clone(),
        attributes: TaskAttributes {
            public: task.public,
            created_at: task.created_at.to_micros_text(),
            updated_at: task.updated_at.to_micros_text(),
            settings: task.settings.clone(),
            status: status(task.status),
            format: Format {
                input: Some(task.input_format.to_string()),
                output: Some(task.output_format.to_string()),
            },
            started_at: task.started_at.map(Timestamp::to_micros_text),
            processed_at: task.processed_at.map(Timestamp::to_micros_text),
            processing_metadata: task.metadata.clone(),
            callback_url: task.callback.as_ref().map(|callback| callback.url.clone()),
        },
        relationships: TaskRelationships {
            input: relationship("input", Some(&task.input)),
            inputs: (task.input_count > 1).then(|| ManyRelationship {
                data: more_inputs.map(|more| input_identifiers(task, more)),
                links: Some(relationship_links(&url, "inputs")),
            }),
            output: relationship("output", task.output.as_deref()),
        },
        links: TaskLinks {
            download: output.filter(|file| file.blob.is_some()).map(|file| app.download_url(file, now)),
            this: Some(url),
        },
        meta: task.callback.as_ref().map(|callback| TaskMeta {
            callback: Some(CallbackMeta {
                status: callback.status.as_str().to_owned(),
                attempts: callback.attempts,
                failure: callback.failure.clone(),
            }),
        }),
    }
}

/// The relationship `input` or `output` of a task.
pub fn relationship(task_url: &str, name: &str, id: Option<&str>) -> Relationship {
    Relationship { data: id.map(identifier), links: Some(relationship_links(task_url, name)) }
}

/// The identifiers of all inputs of a task, in order.
pub fn input_identifiers(task: &Task, more_inputs: &[TaskInput]) -> Vec<Identifier<FileKind>> {
    let more = more_inputs.iter().map(|input| input.file.as_str());
    std::iter::once(task.input.as_str()).chain(more).map(identifier).collect()
}

/// The links of a relationship of a task.
pub fn relationship_links(task_url: &str, name: &str) -> RelationshipLinks {
    RelationshipLinks {
        this: Some(format!("{task_url}/relationships/{name}")),
        related: Some(format!("{task_url}/{name}")),
    }
}

fn identifier(id: &str) -> Identifier<FileKind> {
    Identifier { kind: FileKind::Only, id: id.to_owned() }
}

/// A user resource.
pub fn user(app: &App, user: &User) -> UserResource {
    UserResource {
        kind: UserKind::Only,
        id: user.id.clone(),
        attributes: UserAttributes {
            email: user.email.clone(),
            name: user.name.clone(),
            created_at: user.created_at.to_seconds_text(),
            updated_at: user.updated_at.to_seconds_text(),
        },
        links: Some(link(format!("{}/v1/users/me", app.public_url))),
    }
}

fn status(status: Status) -> TaskStatus {
    match status {
        Status::Pending => TaskStatus::Pending,
        Status::Processing => TaskStatus::Processing,
        Status::Completed => TaskStatus::Completed,
        Status::Failed => TaskStatus::Failed,
    }
}
