//! Uploads that go to the object store itself. Nobody tells the server that one has ended: it looks when somebody asks for the file, and makes
//! what has come the content of the file.

use std::sync::Arc;

use filepress_wire::ErrorCode;

use super::current;
use super::upload::{coded, keep, too_few, too_many};
use crate::app::App;
use crate::blobs::Sent;
use crate::http::error::{ApiError, Result};
use crate::store::records::File;

/// The file, with its content if that has come to the object store.
///
/// # Errors
///
/// Those of a PUT of another size or with a `Content-Encoding` ([`is_refusal`]); what has come is deleted then. And if the database or the store
/// fails.
pub(in super::super) async fn arrived(app: &Arc<App>, file: File) -> Result<File> {
    if file.blob.is_some() || !app.config.direct_uploads {
        return Ok(file);
    }
    let app = Arc::clone(app);
    // A large content takes longer than some clients wait: when they ask again, it is there.
    tokio::spawn(async move { take(&app, file).await }).await.map_err(ApiError::internal)?
}

/// Whether an upload was refused: it had another size than was declared, or was coded.
pub(in super::super) fn is_refusal(error: &ApiError) -> bool {
    use ErrorCode::{SizeMismatch, UnsupportedMediaType, UploadTooLarge};
    matches!(error.code(), UploadTooLarge | SizeMismatch | UnsupportedMediaType)
}

async fn take(app: &App, file: File) -> Result<File> {
    let Some(Sent { size, is_coded }) = app.blobs.sent(&file.id).await? else {
        // Nothing has come, or another server has taken it since the file was looked up.
        return current(app, &file.id).await;
    };
    if size != file.size {
        app.blobs.remove(&file.id).await?;
        return Err(if size > file.size { too_many(file.size) } else { too_few(size, file.size) });
    }
    if is_coded {
        app.blobs.remove(&file.id).await?;
        return Err(coded());
    }
    // Requests that wait here find the content of the first.
    let _lock = app.upload_locks.lock(&file.id).await;
    let _turn = app.upload_turns.wait(&file.user).await.map_err(ApiError::internal)?;
    let file = current(app, &file.id).await?;
    if file.blob.is_some() {
        return Ok(file);
    }
    let Some(stored) = app.blobs.take_sent(&file.id, file.size).await? else {
        return current(app, &file.id).await;
    };
    match keep(app, &file, stored).await {
        Ok(_) => {}
        // Another server was faster.
        Err(error) if error.code() == ErrorCode::AlreadyUploaded => {}
        Err(error) => return Err(error),
    }
    if let Err(error) = app.blobs.remove(&file.id).await {
        tracing::warn!(%error, file = file.id, "cannot delete the original of a content; the garbage collector will");
    }
    current(app, &file.id).await
}
