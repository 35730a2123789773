//! Users, the owners of API keys.

use super::engine::query;
use super::error::Result;
use super::records::User;
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
}
