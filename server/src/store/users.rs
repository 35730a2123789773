//! Users and their API keys. A key itself is never stored.

use super::engine::query;
use super::error::Result;
use super::records::{Key, User};
use super::{Store, rows};
use crate::clock::Timestamp;
use crate::ids;

impl Store {
    /// The user with this e-mail address, compared without case; creates the user if there is none.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn user_for_email(&self, email: &str, name: &str, now: Timestamp) -> Result<User> {
        let mut transaction = self.begin().await?;
        query(
            "INSERT INTO users (id, email, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING",
        )
        .bind(ids::uuid()?)
        .bind(email)
        .bind(name)
        .bind(now.0)
        .bind(now.0)
        .execute(&mut transaction)
        .await?;
        let row = query("SELECT * FROM users WHERE lower(email) = lower(?)")
            .bind(email)
            .fetch_one(&mut transaction)
            .await?;
        transaction.commit().await?;
        rows::user(&row)
    }

    /// The user with this e-mail address, compared without case.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn user_with_email(&self, email: &str) -> Result<Option<User>> {
        let select = "SELECT * FROM users WHERE lower(email) = lower(?)";
        let row = query(select).bind(email).fetch_optional(&self.reads).await?;
        row.as_ref().map(rows::user).transpose()
    }

    /// The user with this id.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn user(&self, id: &str) -> Result<Option<User>> {
        let row = query("SELECT * FROM users WHERE id = ?").bind(id).fetch_optional(&self.reads).await?;
        row.as_ref().map(rows::user).transpose()
    }

    /// Stores a key by its SHA-256.
    ///
    /// # Errors
    ///
    /// If the user does not exist, the hash already exists, or the database fails.
    pub async fn add_key(&self, user: &str, prefix: &str, hash: &[u8; 32], now: Timestamp) -> Result<Key> {
        let row = query(
            "INSERT INTO keys (id, user_id, prefix, hash, created_at) VALUES (?, ?, ?, ?, ?) RETURNING *",
        )
        .bind(ids::uuid()?)
        .bind(user)
        .bind(prefix)
        .bind(hash.as_slice())
        .bind(now.0)
        .fetch_one(&self.writes)
        .await?;
        rows::key(&row)
    }

    /// Every key with its user, newest first.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn keys(&self) -> Result<Vec<(Key, User)>> {
        let mut all = Vec::new();
        for row in query("SELECT * FROM keys ORDER BY created_at DESC, id").fetch_all(&self.reads).await? {
            let key = rows::key(&row)?;
            let user = self.user(&key.user).await?;
            // A foreign key guarantees that the user exists.
            all.extend(user.map(|user| (key, user)));
        }
        Ok(all)
    }

    /// Revokes the key with this id or prefix; false if there is no such active key.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn revoke_key(&self, id_or_prefix: &str, now: Timestamp) -> Result<bool> {
        let done = query("UPDATE keys SET revoked_at = ? WHERE ? IN (id, prefix) AND revoked_at IS NULL")
            .bind(now.0)
            .bind(id_or_prefix)
            .execute(&self.writes)
            .await?;
        Ok(done > 0)
    }

    /// The owner of the active key with this hash.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn user_by_key(&self, hash: &[u8; 32]) -> Result<Option<User>> {
        let row = query(
            "SELECT users.* FROM keys JOIN users ON users.id = keys.user_id
             WHERE keys.hash = ? AND keys.revoked_at IS NULL",
        )
        .bind(hash.as_slice())
        .fetch_optional(&self.reads)
        .await?;
        row.as_ref().map(rows::user).transpose()
    }
}
