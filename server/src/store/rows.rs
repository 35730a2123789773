//! Converts rows to records, and values to columns.

use filepress_wire::MediaType;
use serde_json::{Map, Value};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::StoreError;
use super::error::Result;
use super::records::{File, Key, Lane, Secrets, Status, Task, User};
use crate::clock::Timestamp;

pub(super) fn user(row: &SqliteRow) -> Result<User> {
    Ok(User {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
    })
}

pub(super) fn key(row: &SqliteRow) -> Result<Key> {
    Ok(Key {
        id: row.try_get("id")?,
        user: row.try_get("user")?,
        prefix: row.try_get("prefix")?,
        created_at: time(row, "created_at")?,
        revoked_at: time_or_none(row, "revoked_at")?,
    })
}

pub(super) fn file(row: &SqliteRow) -> Result<File> {
    Ok(File {
        id: row.try_get("id")?,
        user: row.try_get("user")?,
        format: media_type_or_none(row, "format")?,
        is_archive: row.try_get("is_archive")?,
        sniffed: media_type_or_none(row, "sniffed")?,
        size: row.try_get("size")?,
        blob: row.try_get("blob")?,
        sha256: row.try_get("sha256")?,
        public: row.try_get("public")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        uploaded_at: time_or_none(row, "uploaded_at")?,
        expires_at: time(row, "expires_at")?,
    })
}

pub(super) fn task(row: &SqliteRow) -> Result<Task> {
    Ok(Task {
        id: row.try_get("id")?,
        user: row.try_get("user")?,
        public: row.try_get("public")?,
        status: status(row.try_get("status")?)?,
        lane: if row.try_get::<&str, _>("lane")? == Lane::Image.as_str() { Lane::Image } else { Lane::Heavy },
        input_format: media_type(row.try_get("input_format")?)?,
        output_format: media_type(row.try_get("output_format")?)?,
        settings: object(row.try_get("settings")?)?,
        input: row.try_get("input")?,
        input_count: row.try_get("input_count")?,
        output: row.try_get("output")?,
        metadata: object(row.try_get("metadata")?)?,
        attempt: row.try_get("attempt")?,
        request_id: row.try_get("request_id")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        started_at: time_or_none(row, "started_at")?,
        processed_at: time_or_none(row, "processed_at")?,
    })
}

/// The secret settings of a task.
pub(super) fn secrets(row: &SqliteRow) -> Result<Secrets> {
    row.try_get::<Option<&str>, _>("secrets")?.map_or_else(|| Ok(Map::new()), object).map(Secrets)
}

/// Whether a worker holds a claim on the task.
pub(super) fn is_claimed(row: &SqliteRow) -> Result<bool> {
    Ok(row.try_get::<Option<&str>, _>("worker")?.is_some())
}

/// A JSON object as a column.
pub(super) fn text(object: &Map<String, Value>) -> Result<String> {
    serde_json::to_string(object).map_err(|error| StoreError::Row(error.to_string()))
}

/// A number of bytes as a column.
pub(super) fn size(bytes: u64) -> Result<i64> {
    i64::try_from(bytes).map_err(|error| StoreError::Row(error.to_string()))
}

fn time(row: &SqliteRow, column: &str) -> Result<Timestamp> {
    Ok(Timestamp(row.try_get(column)?))
}

fn time_or_none(row: &SqliteRow, column: &str) -> Result<Option<Timestamp>> {
    Ok(row.try_get::<Option<i64>, _>(column)?.map(Timestamp))
}

fn media_type_or_none(row: &SqliteRow, column: &str) -> Result<Option<MediaType>> {
    row.try_get::<Option<&str>, _>(column)?.map(media_type).transpose()
}

pub(super) fn media_type(text: &str) -> Result<MediaType> {
    MediaType::from_mime(text).ok_or_else(|| StoreError::Row(format!("unknown media type {text}")))
}

fn object(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(|error| StoreError::Row(error.to_string()))
}

fn status(text: &str) -> Result<Status> {
    [Status::Pending, Status::Processing, Status::Completed, Status::Failed]
        .into_iter()
        .find(|status| status.as_str() == text)
        .ok_or_else(|| StoreError::Row(format!("unknown status {text}")))
}
