//! `/v1/files/{id}/content`: the bytes of files, by signed URLs alone; `Authorization` is not looked at.

mod download;
mod range;
mod upload;

pub use download::download;
pub use upload::upload;

use filepress_wire::ErrorCode;

use crate::app::App;
use crate::clock::Timestamp;
use crate::http::error::{ApiError, Result};
use crate::http::links::content_path;
use crate::signing::{SignatureError, UrlGrant};
use crate::store::records::File;

/// Checks the signature before anything is looked up, then finds the file.
async fn verify_signed_url(
    app: &App,
    method: &str,
    id: &str,
    query: &str,
    now: Timestamp,
) -> Result<(UrlGrant, File)> {
    let grant = app.signer.verify(method, &content_path(id), query, now);
    if grant == Err(SignatureError::Invalid) {
        let detail = "This URL was not made here, or was changed, or is for another method.";
        return Err(ApiError::new(ErrorCode::InvalidSignature, detail));
    }
    // A proper signature proves that there was such a file: if it is no more, it has expired or was
    // deleted. That goes before the end of the
    // URL, which never outlives its file: another URL would be of no use.
    let file = app.store.file_by_id(id).await?.filter(|file| now < file.expires_at);
    let expired = || {
        ApiError::new(
            ErrorCode::FileExpired,
            "This file was deleted by its owner, or when its time was over.",
        )
    };
    let file = file.ok_or_else(expired)?;
    let over = "The time of this URL is over: get a new one from the file.";
    grant.map(|grant| (grant, file)).map_err(|_| ApiError::new(ErrorCode::UrlExpired, over))
}

/// The entity tag of bytes (RFC 9110, section 8.8.3): strong, since it is their hash.
fn etag(sha256: &str) -> String {
    format!("\"{sha256}\"")
}
