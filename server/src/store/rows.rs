//! Converts rows to records, and values to columns.

use filepress_wire::MediaType;
use serde_json::{Map, Value};

use super::StoreError;
use super::engine::Row;
use super::error::Result;
use super::records::{
    File, Key, KeyEvent, KeyEventKind, KeyRequest, KeyRights, Lane, Secrets, Status, Task, User,
};
use crate::clock::Timestamp;
use crate::scopes::Scopes;

pub(super) fn user(row: &Row) -> Result<User> {
    Ok(User {
        id: row.get("id")?,
        email: row.get("email")?,
        name: row.get("name")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
    })
}

/// The owner of a key, in a row of both.
pub(super) fn owner(row: &Row) -> Result<User> {
    Ok(User {
        id: row.get("user_id")?,
        email: row.get("email")?,
        name: row.get("user_name")?,
        created_at: time(row, "user_created_at")?,
        updated_at: time(row, "user_updated_at")?,
    })
}

pub(super) fn key(row: &Row) -> Result<Key> {
    Ok(Key {
        id: row.get("id")?,
        user: row.get("user_id")?,
        prefix: row.get("prefix")?,
        rights: KeyRights {
            name: row.get("name")?,
            scopes: Scopes::from_column(row.get("scopes")?),
            expires_at: time_or_none(row, "expires_at")?,
        },
        created_at: time(row, "created_at")?,
        revoked_at: time_or_none(row, "revoked_at")?,
        used_at: time_or_none(row, "used_at")?,
    })
}

pub(super) fn key_event(row: &Row) -> Result<KeyEvent> {
    let kind = row.get::<&str>("event")?;
    let request = match row.get::<Option<String>>("method")? {
        None => None,
        Some(method) => Some(KeyRequest {
            method,
            path: row.get("path")?,
            status: row.count("status")?,
            address: row.get("address")?,
            request_id: row.get("request_id")?,
        }),
    };
    Ok(KeyEvent {
        key: row.get("key_id")?,
        at: time(row, "at")?,
        kind: [KeyEventKind::Created, KeyEventKind::Revoked, KeyEventKind::Used, KeyEventKind::Refused]
            .into_iter()
            .find(|known| known.as_str() == kind)
            .ok_or_else(|| StoreError::Row(format!("unknown event {kind}")))?,
        request,
    })
}

pub(super) fn file(row: &Row) -> Result<File> {
    Ok(File {
        id: row.get("id")?,
        user: row.get("user_id")?,
        format: media_type_or_none(row, "format")?,
        is_archive: row.get("is_archive")?,
        sniffed: media_type_or_none(row, "sniffed")?,
        size: row.count("size")?,
        blob: row.get("blob")?,
        sha256: row.get("sha256")?,
        public: row.get("public")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        uploaded_at: time_or_none(row, "uploaded_at")?,
        expires_at: time(row, "expires_at")?,
    })
}

pub(super) fn task(row: &Row) -> Result<Task> {
    Ok(Task {
        id: row.get("id")?,
        user: row.get("user_id")?,
        public: row.get("public")?,
        status: status(row.get("status")?)?,
        lane: if row.get::<&str>("lane")? == Lane::Image.as_str() { Lane::Image } else { Lane::Heavy },
        input_format: media_type(row.get("input_format")?)?,
        output_format: media_type(row.get("output_format")?)?,
        settings: object(row.get("settings")?)?,
        input: row.get("input")?,
        input_count: row.count("input_count")?,
        output: row.get("output")?,
        metadata: object(row.get("metadata")?)?,
        attempt: row.count("attempt")?,
        callback: None,
        request_id: row.get("request_id")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        started_at: time_or_none(row, "started_at")?,
        processed_at: time_or_none(row, "processed_at")?,
    })
}

/// The secret settings of a task.
pub(super) fn secrets(row: &Row) -> Result<Secrets> {
    row.get::<Option<&str>>("secrets")?.map_or_else(|| Ok(Map::new()), object).map(Secrets)
}

/// Whether a worker holds a claim on the task.
pub(super) fn is_claimed(row: &Row) -> Result<bool> {
    Ok(row.get::<Option<&str>>("worker")?.is_some())
}

/// A JSON object as a column.
pub(super) fn text(object: &Map<String, Value>) -> Result<String> {
    serde_json::to_string(object).map_err(|error| StoreError::Row(error.to_string()))
}

/// A number of bytes as a column.
pub(super) fn size(bytes: u64) -> Result<i64> {
    i64::try_from(bytes).map_err(|error| StoreError::Row(error.to_string()))
}

fn time(row: &Row, column: &str) -> Result<Timestamp> {
    Ok(Timestamp(row.get(column)?))
}

fn time_or_none(row: &Row, column: &str) -> Result<Option<Timestamp>> {
    Ok(row.get::<Option<i64>>(column)?.map(Timestamp))
}

fn media_type_or_none(row: &Row, column: &str) -> Result<Option<MediaType>> {
    row.get::<Option<&str>>(column)?.map(media_type).transpose()
}

pub(super) fn media_type(text: &str) -> Result<MediaType> {
    MediaType::from_mime(text).ok_or_else(|| StoreError::Row(format!("unknown media type {text}")))
}

fn object(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(|error| StoreError::Row(error.to_string()))
}

fn status(text: &str) -> Result<Status> {
    Status::ALL
        .into_iter()
        .find(|status| status.as_str() == text)
        .ok_or_else(|| StoreError::Row(format!("unknown status {text}")))
}
