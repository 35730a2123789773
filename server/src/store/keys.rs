//! API keys and what happened with them. A key itself is never stored.

use futures_util::stream::{iter, try_unfold};
use futures_util::{Stream, TryStreamExt};

use super::engine::{Executor, LockMode, Row, Transaction, query};
use super::error::Result;
use super::records::{
    KEY_PATH_BYTES, KEY_REFUSAL_PAUSE, KEY_USE_RESOLUTION, Key, KeyEvent, KeyEventKind, KeyRights, User,
};
use super::{Store, StoreError, rows};
use crate::clock::Timestamp;
use crate::ids;

/// Keys with their owners.
pub(super) const SELECT_KEYS: &str =
    "SELECT keys.id, keys.user_id, keys.prefix, keys.name, keys.scopes, keys.expires_at, keys.created_at,
         keys.revoked_at, keys.used_at, users.email, users.name AS user_name, users.created_at AS user_created_at,
         users.updated_at AS user_updated_at
     FROM keys JOIN users ON users.id = keys.user_id";

/// Entries of the log that are read at once.
const LOG_PAGE: usize = 500;

impl Store {
    /// Stores a key by its SHA-256.
    ///
    /// # Errors
    ///
    /// If the user does not exist, the hash already exists, or the database fails.
    pub async fn add_key(
        &self,
        user: &str,
        prefix: &str,
        hash: &[u8; 32],
        rights: &KeyRights,
        now: Timestamp,
    ) -> Result<Key> {
        let mut transaction = self.begin().await?;
        let row = query(
            "INSERT INTO keys (id, user_id, prefix, hash, name, scopes, expires_at, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)
             RETURNING id, user_id, prefix, name, scopes, expires_at, created_at, revoked_at, used_at",
        )
        .bind(ids::uuid()?)
        .bind(user)
        .bind(prefix)
        .bind(hash.as_slice())
        .bind(&rights.name)
        .bind(rights.scopes.to_column())
        .bind(rights.expires_at.map(|at| at.0))
        .bind(now.0)
        .fetch_one(&mut transaction)
        .await?;
        let key = rows::key(&row)?;
        let event = KeyEvent { key: key.id.clone(), at: now, kind: KeyEventKind::Created, request: None };
        log(&mut transaction, &event).await?;
        transaction.commit().await?;
        Ok(key)
    }

    /// Every key with its user, newest first.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn keys(&self) -> Result<Vec<(Key, User)>> {
        let select = format!("{SELECT_KEYS} ORDER BY keys.created_at DESC, keys.id DESC");
        let rows = query(select).fetch_all(&self.reads).await?;
        rows.iter().map(|row| Ok((rows::key(row)?, rows::owner(row)?))).collect()
    }

    /// Revokes the keys with this id or prefix; false if no such key is active.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn revoke_key(&self, id_or_prefix: &str, now: Timestamp) -> Result<bool> {
        let mut transaction = self.begin().await?;
        let revoked: Vec<String> = query(
            "UPDATE keys SET revoked_at = ? WHERE ? IN (id, prefix) AND revoked_at IS NULL RETURNING id",
        )
        .bind(now.0)
        .bind(id_or_prefix)
        .scalars(&mut transaction)
        .await?;
        for key in &revoked {
            let event = KeyEvent { key: key.clone(), at: now, kind: KeyEventKind::Revoked, request: None };
            log(&mut transaction, &event).await?;
        }
        transaction.commit().await?;
        Ok(!revoked.is_empty())
    }

    /// The key with this hash and its owner, even if it is revoked or has expired.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn key_by_hash(&self, hash: &[u8; 32]) -> Result<Option<(Key, User)>> {
        let select = format!("{SELECT_KEYS} WHERE keys.hash = ?");
        let row = query(select).bind(hash.as_slice()).fetch_optional(&self.reads).await?;
        row.as_ref().map(|row| Ok((rows::key(row)?, rows::owner(row)?))).transpose()
    }

    /// Notes that a key is used, if the last use that was noted is [`KEY_USE_RESOLUTION`] ago.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn touch_key(&self, key: &Key, now: Timestamp) -> Result<()> {
        let due = now.before(KEY_USE_RESOLUTION);
        if key.used_at.is_some_and(|used| used > due) {
            return Ok(());
        }
        query("UPDATE keys SET used_at = ?1 WHERE id = ?2 AND (used_at IS NULL OR used_at <= ?3)")
            .bind(now.0)
            .bind(&key.id)
            .bind(due.0)
            .execute(&self.writes)
            .await?;
        Ok(())
    }

    /// Adds an entry to the log of keys.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn log_key(&self, event: &KeyEvent) -> Result<()> {
        let mut transaction = self.begin().await?;
        log(&mut transaction, event).await?;
        transaction.commit().await
    }

    /// Adds an entry about a request that was refused because the key does not count any more. Nobody limits such requests but the rate
    /// limit of the key, so there is at most one entry for each [`KEY_REFUSAL_PAUSE`].
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn log_refusal(&self, event: &KeyEvent) -> Result<()> {
        // Almost always there is one, and nothing need be locked to find that out.
        if is_refused(&self.reads, event).await? {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        let key = format!("SELECT id FROM keys WHERE id = ?{}", transaction.lock(LockMode::Change, "keys"));
        query(key).bind(&event.key).fetch_optional(&mut transaction).await?;
        if !is_refused(&mut transaction, event).await? {
            log(&mut transaction, event).await?;
        }
        transaction.commit().await
    }

    /// The entries of the log since `since`, oldest first, of the key with this id or prefix or of all keys; each with the first
    /// characters of its key. They are read in pages.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub fn key_log<'a>(
        &'a self,
        key: Option<&'a str>,
        since: Timestamp,
    ) -> impl Stream<Item = Result<(KeyEvent, String)>> + 'a {
        let pages = try_unfold(Some((since.0, String::new())), move |from| async move {
            let Some((at, id)) = from else { return Ok(None) };
            let rows = self.key_log_page(key, at, &id).await?;
            let next = match rows.last() {
                Some(last) if rows.len() == LOG_PAGE => Some((last.get("at")?, last.get("id")?)),
                _ => None,
            };
            let event = |row: &Row| Ok((rows::key_event(row)?, row.get("prefix")?));
            let page: Vec<_> = rows.iter().map(event).collect();
            Ok::<_, StoreError>(Some((iter(page), next)))
        });
        pages.try_flatten()
    }

    /// The entries after the one with this time and id.
    async fn key_log_page(&self, key: Option<&str>, at: i64, id: &str) -> Result<Vec<Row>> {
        let of_key = match key {
            Some(_) => "key_log.key_id IN (SELECT id FROM keys WHERE ? IN (id, prefix))",
            None => "? = ''",
        };
        query(format!(
            "SELECT key_log.*, keys.prefix FROM key_log JOIN keys ON keys.id = key_log.key_id
             WHERE {of_key} AND (key_log.at, key_log.id) > (?, ?) ORDER BY key_log.at, key_log.id LIMIT {LOG_PAGE}"
        ))
        .bind(key.unwrap_or_default())
        .bind(at)
        .bind(id)
        .fetch_all(&self.reads)
        .await
    }
}

/// Whether the log has an entry about such a refusal from the last [`KEY_REFUSAL_PAUSE`].
async fn is_refused(on: impl Into<Executor<'_>>, event: &KeyEvent) -> Result<bool> {
    let select =
        "SELECT id FROM key_log WHERE key_id = ? AND at > ? AND at <= ? AND event = ? AND status = ? LIMIT 1";
    let found = query(select)
        .bind(&event.key)
        .bind(event.at.before(KEY_REFUSAL_PAUSE).0)
        .bind(event.at.0)
        .bind(event.kind.as_str())
        .bind(event.request.as_ref().map(|request| i64::from(request.status)))
        .fetch_optional(on)
        .await?;
    Ok(found.is_some())
}

async fn log(transaction: &mut Transaction, event: &KeyEvent) -> Result<()> {
    let request = event.request.as_ref();
    query(
        "INSERT INTO key_log (id, key_id, at, event, method, path, status, address, request_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(ids::uuid()?)
    .bind(&event.key)
    .bind(event.at.0)
    .bind(event.kind.as_str())
    .bind(request.map(|request| request.method.as_str()))
    .bind(request.map(|request| &request.path[..request.path.floor_char_boundary(KEY_PATH_BYTES)]))
    .bind(request.map(|request| i64::from(request.status)))
    .bind(request.and_then(|request| request.address.as_deref()))
    .bind(request.map(|request| request.request_id.as_str()))
    .execute(transaction)
    .await?;
    Ok(())
}
