//! Contents as objects of an S3 store or a compatible one: `PREFIX/<name>` in a bucket.
//!
//! An object appears when it is complete. What an upload that broke has left is aborted, or, if this process is killed, deleted by the
//! bucket's own rule for incomplete uploads, which the operator sets.

mod direct;
mod part_hash;
mod partial;
mod parts;
mod probe;
mod put;
mod put_client;
mod read;
mod upload;

pub(super) use partial::PartialObject;
pub(super) use upload::IncomingObject;

use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::path::Path;
use object_store::{ClientOptions, Error, ObjectMeta, ObjectStore, RetryConfig};
use tokio::io::AsyncReadExt;

use super::folder::open_regular;
use super::{BlobRef, StoredBlob, blocking};
use crate::clock::Timestamp;
use crate::config::ObjectStoreConfig;
use crate::ids;
use put_client::PutConnector;

/// How long one request may take: at most a part is sent or received.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For how long and how often a failed request is repeated.
const RETRY_TIME: Duration = Duration::from_secs(30);
const RETRIES: usize = 6;
/// The largest object that S3 copies by itself.
const MAX_COPY: u64 = 5 << 30;
/// The region that `object_store` takes if none is set.
const DEFAULT_REGION: &str = "us-east-1";
/// What the errors of `object_store` call an S3 store.
const STORE: &str = "S3";
/// Bytes per read of a local file.
const READ_SIZE: usize = 1 << 20;

/// An object store, and the prefix of this service in it. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Objects {
    store: Arc<AmazonS3>,
    /// The same, for objects whose bytes are sent while they come. Their checksum is not known when the request is signed.
    streaming: Arc<AmazonS3>,
    bucket: String,
    prefix: Path,
    region: String,
}

impl Objects {
    /// Opens the store.
    pub(super) fn open(config: &ObjectStoreConfig) -> io::Result<Self> {
        let options = ClientOptions::new()
            .with_timeout(REQUEST_TIMEOUT)
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_allow_http(config.is_unencrypted());
        let mut builder = AmazonS3Builder::new().with_client_options(options);
        for (name, value) in &config.variables {
            match name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                // Below, for each way to upload.
                Ok(AmazonS3ConfigKey::Checksum) => {}
                Ok(key) => builder = builder.with_config(key, value),
                // There are variables of other programs too.
                Err(_) => {}
            }
        }
        let region =
            builder.get_config_value(&AmazonS3ConfigKey::Region).unwrap_or_else(|| DEFAULT_REGION.to_owned());
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_TIME, ..RetryConfig::default() };
        // The checksum is a signed header: the payload need not be hashed again for the signature.
        let builder =
            builder.with_bucket_name(config.url.bucket()).with_retry(retry).with_unsigned_payload(true);
        let checked = builder.clone().with_checksum_algorithm(Checksum::SHA256);
        let store = checked.build().map_err(io_error)?;
        let streaming = builder.with_credentials(Arc::clone(store.credentials()));
        let streaming = streaming.with_http_connector(PutConnector).build().map_err(io_error)?;
        let bucket = config.url.bucket().to_owned();
        let (store, streaming) = (Arc::new(store), Arc::new(streaming));
        Ok(Self { store, streaming, bucket, prefix: Path::from(config.url.prefix()), region })
    }

    /// Copies a content within the store.
    pub(super) async fn duplicate(&self, blob: BlobRef<'_>) -> io::Result<String> {
        if blob.size <= MAX_COPY {
            return self.copy(blob.name).await;
        }
        let mut bytes = self.read(blob.name, 0, blob.size).await?;
        let mut copy = self.receive(None)?;
        while let Some(chunk) = bytes.try_next().await? {
            copy.write(&chunk).await?;
        }
        Ok(copy.commit().await?.name)
    }

    /// Copies an object of at most [`MAX_COPY`] bytes; the name of the copy.
    async fn copy(&self, name: &str) -> io::Result<String> {
        let copy = ids::uuid()?;
        self.store.copy(&self.path(name), &self.path(&copy)).await.map_err(io_error)?;
        Ok(copy)
    }

    /// The size of an object; `None` if there is none.
    pub(super) async fn size(&self, name: &str) -> io::Result<Option<u64>> {
        match self.store.head(&self.path(name)).await {
            Ok(object) => Ok(Some(object.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(io_error(error)),
        }
    }

    pub(super) async fn remove(&self, name: &str) -> io::Result<()> {
        match self.store.delete(&self.path(name)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(io_error(error)),
        }
    }

    /// Uploads a file that a tool has written.
    pub(super) async fn store_output(&self, file: &FilePath) -> io::Result<StoredBlob> {
        send(self.receive(None)?, file).await
    }

    /// Uploads a file under a name that its content has already, unless that is there; false if it is.
    pub(super) async fn adopt(&self, blob: BlobRef<'_>, file: &FilePath) -> io::Result<bool> {
        if self.size(blob.name).await? == Some(blob.size) {
            return Ok(false);
        }
        let stored = send(self.receive_as(blob.name.to_owned(), None), file).await?;
        if stored.size == blob.size && stored.sha256 == blob.sha256 {
            return Ok(true);
        }
        self.remove(blob.name).await?;
        Err(io::Error::new(io::ErrorKind::InvalidData, "a content is not what was stored"))
    }

    /// The names of the objects that were stored before this time, by the store's clock.
    pub(super) async fn older(&self, before: Timestamp) -> io::Result<Vec<String>> {
        let old = |meta: ObjectMeta| {
            let stored = meta.last_modified.timestamp_nanos_opt().unwrap_or(i64::MAX);
            let name = meta.location.filename().filter(|_| stored < before.0);
            std::future::ready(Ok(name.map(str::to_owned)))
        };
        self.store.list(Some(&self.prefix)).map_err(io_error).try_filter_map(old).boxed().try_collect().await
    }

    fn path(&self, name: &str) -> Path {
        self.prefix.child(name)
    }
}

/// Sends a file to the end of an upload, and completes that.
async fn send(mut upload: IncomingObject, file: &FilePath) -> io::Result<StoredBlob> {
    let path = file.to_owned();
    let mut file = tokio::fs::File::from_std(blocking(move || open_regular(&path)).await?);
    file.set_max_buf_size(READ_SIZE);
    loop {
        let mut chunk = bytes::BytesMut::with_capacity(READ_SIZE);
        if file.read_buf(&mut chunk).await? == 0 {
            return upload.commit().await;
        }
        upload.write(&chunk.freeze()).await?;
    }
}

/// An error of the store. One that may pass gets a kind of its own.
fn io_error(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        // The store did not answer, or had an error itself, and that again and again.
        Error::Generic { .. } => io::ErrorKind::NotConnected,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, text(&error))
}

/// An error with its first cause, which its own text leaves out: that a certificate is not trusted, for example.
fn text(error: &Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let (text, cause) = (error.to_string(), cause.to_string());
    if text.contains(&cause) { text } else { format!("{text}: {cause}") }
}
