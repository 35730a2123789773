//! The codes of error objects with their status and title, in the order in which the service checks a request.

use serde::{Deserialize, Serialize};

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident, $code:literal, $status:literal, $title:literal;)+) => {
        /// Why a request was refused. Codes are stable; the serde form is the code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ #[serde(rename = $code)] $name,)+
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as it is sent: snake_case, stable.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// The HTTP status of the response (RFC 9110, section 15; 429: RFC 6585; 460: tus 1.0).
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

            /// A short summary for people, the same for every occurrence.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }
        }
    };
}

error_codes! {
    /// Plain HTTP on a service that requires HTTPS.
    HttpsRequired, "https_required", 403, "HTTPS is required";
    /// No such path, or no such resource of this user.
    NotFound, "not_found", 404, "Not found";
    /// The path does not support the method; `Allow` lists the supported ones.
    MethodNotAllowed, "method_not_allowed", 405, "Method not allowed";
    /// `Accept` excludes `application/vnd.api+json`.
    NotAcceptable, "not_acceptable", 406, "Not acceptable";
    /// The request has no valid API key.
    Unauthorized, "unauthorized", 401, "A valid API key is required";
    /// The API key has expired.
    KeyExpired, "key_expired", 401, "The API key has expired";
    /// The IP address has the maximum number of requests in progress.
    TooManyConnections, "too_many_connections", 429, "Too many connections";
    /// More requests a minute than allowed.
    RateLimited, "rate_limited", 429, "Too many requests";
    /// The API key does not have the scope that the request needs.
    MissingScope, "missing_scope", 403, "The API key does not have this right";
    /// A query parameter that the path does not have.
    UnknownParameter, "unknown_parameter", 400, "Unknown query parameter";
    /// A query parameter with an invalid value.
    InvalidParameter, "invalid_parameter", 400, "Invalid query parameter";
    /// The request violates HTTP/1.1, or has no `Host` header, or several.
    MalformedRequest, "malformed_request", 400, "Malformed request";
    /// The request line and headers are too long.
    HeadTooLarge, "head_too_large", 431, "The request headers are too large";
    /// A header with an invalid value.
    InvalidHeader, "invalid_header", 400, "Invalid header";
    /// `Content-Type` is not `application/vnd.api+json`.
    UnsupportedMediaType, "unsupported_media_type", 415, "Unsupported media type";
    /// A JSON document over the limit.
    DocumentTooLarge, "document_too_large", 413, "The document is too large";
    /// The request did not arrive in time.
    RequestTimeout, "request_timeout", 408, "The request took too long";
    /// The body is not JSON.
    InvalidJson, "invalid_json", 400, "Invalid JSON";
    /// `data` or another top-level member is missing or of the wrong JSON type.
    InvalidDocument, "invalid_document", 400, "Invalid JSON:API document";
    /// `data.type` is not that of the collection.
    TypeMismatch, "type_mismatch", 409, "Wrong resource type";
    /// `data.id` is not that of the URL.
    IdMismatch, "id_mismatch", 409, "Wrong resource id";
    /// A member that an update cannot change.
    ReadOnlyMember, "read_only_member", 403, "The member cannot be changed";
    /// The request contains an `id`.
    ClientGeneratedId, "client_generated_id", 403, "Ids are assigned by the service";
    /// A required member of the resource is missing.
    MissingMember, "missing_member", 422, "A required member is missing";
    /// A member of the resource with an invalid value.
    InvalidValue, "invalid_value", 422, "Invalid value";
    /// The declared size is above the maximum.
    MaxFileSizeExceeded, "max_file_size_exceeded", 400, "The maximum file size was exceeded";
    /// The Idempotency-Key was used for another request.
    IdempotencyMismatch, "idempotency_mismatch", 422, "The idempotency key belongs to another request";
    /// A request with this Idempotency-Key is in progress.
    IdempotencyInFlight, "idempotency_in_flight", 409, "The same request is being processed";
    /// The task to be canceled has finished.
    TaskEnded, "task_ended", 409, "The task has finished";
    /// An unfinished task reads the file.
    FileInUse, "file_in_use", 409, "The file is in use";
    /// The input file has no bytes yet.
    FileNotUploaded, "file_not_uploaded", 409, "The file has no bytes yet";
    /// The stated type and the file's differ, or the file's bytes are of another type than declared.
    FormatMismatch, "format_mismatch", 422, "The format does not match the file";
    /// The format was neither declared nor recognized.
    UnknownFormat, "unknown_format", 422, "The format of the file is unknown";
    /// The service does not support this pair of input and output formats.
    UnsupportedPair, "unsupported_pair", 422, "Unsupported conversion";
    /// A member of `settings` that this pair does not support.
    UnknownSetting, "unknown_setting", 422, "Unknown setting";
    /// A setting of the wrong type or out of range.
    InvalidSetting, "invalid_setting", 422, "Invalid setting";
    /// The user has the maximum number of unfinished tasks.
    TooManyPendingTasks, "too_many_pending_tasks", 429, "Too many unfinished tasks";
    /// The callback URL is not `https:`, or leads to an address that is not allowed.
    CallbackNotAllowed, "callback_not_allowed", 422, "The callback URL is not allowed";
    /// The user has the maximum number of callbacks that were not delivered yet.
    TooManyCallbacks, "too_many_callbacks", 429, "Too many callbacks were not delivered";
    /// The user's files would exceed the storage quota.
    StorageQuotaExceeded, "storage_quota_exceeded", 429, "Too many bytes are stored";
    /// The user's tasks have used up today's processor time.
    ProcessingQuotaExceeded, "processing_quota_exceeded", 429, "Too much processor time was used";
    /// The queue is full.
    QueueFull, "queue_full", 503, "The queue is full";
    /// A signed URL that was not issued by this service, or was altered.
    InvalidSignature, "invalid_signature", 403, "Invalid signature";
    /// A signed URL that has expired.
    UrlExpired, "url_expired", 403, "The URL has expired";
    /// The file of a signed URL has been deleted or is about to be.
    FileExpired, "file_expired", 410, "The file has expired";
    /// The file has been uploaded already.
    AlreadyUploaded, "already_uploaded", 409, "The file has already been uploaded";
    /// An upload without `Content-Length`.
    LengthRequired, "length_required", 411, "Content-Length is required";
    /// An upload longer than declared.
    UploadTooLarge, "upload_too_large", 413, "More bytes than declared";
    /// An upload shorter than declared, or interrupted.
    SizeMismatch, "size_mismatch", 400, "Fewer bytes than declared";
    /// A request of a resumable upload without `Tus-Resumable: 1.0.0`.
    UnsupportedTusVersion, "unsupported_tus_version", 412, "Unsupported version of tus";
    /// `Upload-Offset` is not the number of bytes that have come, or another request continues the upload.
    OffsetMismatch, "upload_offset_mismatch", 409, "The upload is at another offset";
    /// The bytes of a request of a resumable upload have another hash than `Upload-Checksum` says.
    ChecksumMismatch, "checksum_mismatch", 460, "Checksum mismatch";
    /// The length of a resumable upload is above the maximum.
    UploadOverMaximum, "upload_over_maximum", 413, "The resumable upload is too long";
    /// The requested range lies outside the file.
    RangeNotSatisfiable, "range_not_satisfiable", 416, "Range not satisfiable";
    /// The disk of the service is full.
    DiskFull, "disk_full", 503, "The disk of the service is full";
    /// The database or the store of the files cannot be reached at the moment.
    StorageUnavailable, "storage_unavailable", 503, "The storage of the service is unavailable";
    /// The service is shutting down and accepts no more work.
    ShuttingDown, "shutting_down", 503, "The service is shutting down";
    /// An internal error; the log of the service has the cause under the request id.
    Internal, "internal", 500, "Internal error";
}
