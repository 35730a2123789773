//! Limits how many direct uploads become contents at once: each has portions of its object in memory, and takes the network to the store.
//! The limit for each user is lower than that for all, so that the uploads of one user do not delay those of the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Uploads of all users at once. Of each, up to three portions of 4 MiB are in memory.
const AT_ONCE: usize = 16;
/// Uploads of one user at once.
const PER_USER: usize = 2;

/// The turns of all uploads of this server.
#[derive(Debug)]
pub struct UploadTurns {
    all: Arc<Semaphore>,
    users: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to make a content of an upload, until it is dropped.
#[derive(Debug)]
pub struct UploadTurn {
    _user: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Default for UploadTurns {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), users: Mutex::default() }
    }
}

impl UploadTurns {
    /// Waits for the turn of an upload of this user.
    ///
    /// # Errors
    ///
    /// None: nothing closes the semaphores.
    pub async fn wait(&self, user: &str) -> Result<UploadTurn, AcquireError> {
        // Only who has a turn among the uploads of the user waits among those of all.
        let user = self.user(user).acquire_owned().await?;
        Ok(UploadTurn { _user: user, _all: Arc::clone(&self.all).acquire_owned().await? })
    }

    fn user(&self, user: &str) -> Arc<Semaphore> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|_, turns| turns.strong_count() > 0);
        let known = users.get(user).and_then(Weak::upgrade);
        let turns = known.unwrap_or_else(|| Arc::new(Semaphore::new(PER_USER)));
        users.insert(user.to_owned(), Arc::downgrade(&turns));
        turns
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::{AT_ONCE, PER_USER, UploadTurns};

    #[tokio::test]
    async fn a_user_waits_for_their_own_uploads_and_others_do_not() {
        let turns = UploadTurns::default();
        let mut held = Vec::new();
        for _ in 0..PER_USER {
            held.push(turns.wait("a").await.unwrap());
        }
        assert!(turns.wait("a").now_or_never().is_none());
        let other = turns.wait("b").now_or_never().unwrap().unwrap();
        held.pop();
        held.push(turns.wait("a").now_or_never().unwrap().unwrap());
        drop((held, other));
        drop(turns.wait("c").await.unwrap());
        assert_eq!(turns.users.lock().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn all_users_together_have_a_limit() {
        let turns = UploadTurns::default();
        let mut held = Vec::new();
        for user in 0..AT_ONCE {
            held.push(turns.wait(&user.to_string()).await.unwrap());
        }
        assert!(turns.wait("z").now_or_never().is_none());
        held.pop();
        assert!(turns.wait("z").now_or_never().is_some());
    }
}
