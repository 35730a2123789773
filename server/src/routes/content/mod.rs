//! `/v1/files/{id}/content`: the content of files. Access is by signed URL only; `Authorization` is ignored.

mod direct;
mod download;
mod range;
mod upload;

pub(super) use direct::{arrived, is_refusal};
pub use download::download;
pub use upload::upload;
pub(super) use upload::{RateWindow, Room, already_uploaded, record, too_many};

use filepress_wire::ErrorCode;

use crate::app::App;
use crate::clock::Timestamp;
use crate::http::error::{ApiError, Result};
use crate::signing::{SignatureError, UrlGrant};
use crate::store::records::File;

/// Verifies the signature before any lookup, then finds the file.
pub(super) async fn verify_signed_url(
    app: &App,
    method: &str,
    path: &str,
    id: &str,
    query: &str,
    now: Timestamp,
) -> Result<(UrlGrant, File)> {
    let grant = app.signer.verify(method, path, query, now);
    if grant == Err(SignatureError::Invalid) {
        let detail = "The signature does not match: the URL was changed, is for another method, or was not issued by this service.";
        return Err(ApiError::new(ErrorCode::InvalidSignature, detail));
    }
    // A valid signature proves that the file existed, so a missing file has expired or was deleted. This is checked before the expiry of
    // the URL: without the file, a new URL would not help.
    let file = app.store.file_by_id(id).await?.filter(|file| now < file.expires_at);
    let expired =
        || ApiError::new(ErrorCode::FileExpired, "This file has expired or was deleted by its owner.");
    let file = file.ok_or_else(expired)?;
    let over = "This URL has expired; get a new one from the file resource.";
    grant.map(|grant| (grant, file)).map_err(|_| ApiError::new(ErrorCode::UrlExpired, over))
}

/// The file as it is now.
pub(super) async fn current(app: &App, id: &str) -> Result<File> {
    let now = app.clock.now();
    app.store.file_by_id(id).await?.filter(|file| now < file.expires_at).ok_or_else(gone)
}

fn gone() -> ApiError {
    ApiError::new(ErrorCode::FileExpired, "The file record has expired or was deleted.")
}

/// The entity tag of a content (RFC 9110, section 8.8.3). It is strong because it is the hash.
fn etag(sha256: &str) -> String {
    format!("\"{sha256}\"")
}
