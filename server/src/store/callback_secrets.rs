//! What the callbacks of each user are signed with.

use std::time::Duration;

use super::Store;
use super::engine::query;
use super::error::Result;
use crate::clock::Timestamp;

/// The secrets of a user, in the text form that receivers have. Not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct CallbackSecrets {
    /// The current one.
    pub current: String,
    /// The one before, for as long as it signs too.
    pub previous: Option<String>,
}

impl std::fmt::Debug for CallbackSecrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CallbackSecrets(…)")
    }
}

impl Store {
    /// The secrets of a user. `fresh` becomes the first one if there is none.
    ///
    /// # Errors
    ///
    /// If the user does not exist or the database fails.
    pub async fn callback_secrets(&self, user: &str, fresh: &str, now: Timestamp) -> Result<CallbackSecrets> {
        let select = "SELECT * FROM callback_secrets WHERE user_id = ?";
        let row = match query(select).bind(user).fetch_optional(&self.reads).await? {
            Some(row) => row,
            None => {
                query(
                    "INSERT INTO callback_secrets (user_id, secret, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                )
                .bind(user)
                .bind(fresh)
                .bind(now.0)
                .execute(&self.writes)
                .await?;
                query(select).bind(user).fetch_one(&self.writes).await?
            }
        };
        let until: Option<i64> = row.get("previous_until")?;
        let previous: Option<String> = row.get("previous")?;
        let previous = previous.filter(|_| until.is_some_and(|until| now.0 < until));
        Ok(CallbackSecrets { current: row.get("secret")?, previous })
    }

    /// Replaces the secret of a user by `fresh`. The one before signs too for `keep`; none that is older does.
    ///
    /// # Errors
    ///
    /// If the user does not exist or the database fails.
    pub async fn rotate_callback_secret(
        &self,
        user: &str,
        fresh: &str,
        keep: Duration,
        now: Timestamp,
    ) -> Result<()> {
        query(
            "INSERT INTO callback_secrets (user_id, secret, created_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, previous = callback_secrets.secret,
                 previous_until = ?4, created_at = excluded.created_at",
        )
        .bind(user)
        .bind(fresh)
        .bind(now.0)
        .bind(now.after(keep).0)
        .execute(&self.writes)
        .await?;
        Ok(())
    }
}
