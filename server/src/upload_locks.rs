//! One request at a time writes the content of a file. A client whose connection was cut asks again before this machine notices the cut: the
//! request that is under way is told to stop, and the new one waits until it has.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Queue, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;

/// The locks of all uploads. A service has only one process that writes to a data directory.
#[derive(Debug, Default)]
pub struct UploadLocks(Mutex<HashMap<String, Weak<Slot>>>);

#[derive(Debug, Default)]
struct Slot {
    queue: Arc<Queue<()>>,
    holder: Mutex<Holder>,
    waiting: AtomicUsize,
}

/// What the request that has the lock listens to.
#[derive(Debug, Clone, Default)]
struct Holder {
    preempted: CancellationToken,
    ended: CancellationToken,
}

/// The right to write to an upload, which has the id of its file, until it is dropped.
#[derive(Debug)]
pub struct UploadLock {
    _slot: Arc<Slot>,
    _turn: OwnedMutexGuard<()>,
    /// Cancelled when another request wants the upload.
    pub preempted: CancellationToken,
    /// Cancelled when the file is deleted.
    pub ended: CancellationToken,
}

/// Counts a request that waits, until it is dropped.
struct Waiting<'a>(&'a Slot);

impl<'a> Waiting<'a> {
    fn new(slot: &'a Slot) -> Self {
        slot.waiting.fetch_add(1, Ordering::SeqCst);
        slot.holder.lock().unwrap_or_else(PoisonError::into_inner).preempted.cancel();
        Self(slot)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl UploadLocks {
    /// Waits for the lock of an upload, and makes its holder give it up.
    pub async fn lock(&self, upload: &str) -> UploadLock {
        let slot = self.slot(upload);
        let waiting = Waiting::new(&slot);
        let turn = Arc::clone(&slot.queue).lock_owned().await;
        let Holder { preempted, ended } = Holder::default();
        *slot.holder.lock().unwrap_or_else(PoisonError::into_inner) =
            Holder { preempted: preempted.clone(), ended: ended.clone() };
        drop(waiting);
        // Whoever came meanwhile could not tell this one.
        if slot.waiting.load(Ordering::SeqCst) > 0 {
            preempted.cancel();
        }
        UploadLock { _slot: slot, _turn: turn, preempted, ended }
    }

    /// Makes the holder of the lock of an upload give it up at once, because the file was deleted. Does not wait. Whoever takes the lock later
    /// looks for the file itself.
    pub fn end(&self, upload: &str) {
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(upload).and_then(Weak::upgrade) {
            let holder = slot.holder.lock().unwrap_or_else(PoisonError::into_inner);
            holder.preempted.cancel();
            holder.ended.cancel();
        }
    }

    fn slot(&self, upload: &str) -> Arc<Slot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| slot.strong_count() > 0);
        let slot = slots.get(upload).and_then(Weak::upgrade).unwrap_or_default();
        slots.insert(upload.to_owned(), Arc::downgrade(&slot));
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::UploadLocks;

    #[tokio::test]
    async fn the_holder_is_told_and_the_next_one_waits_for_it() {
        let locks = UploadLocks::default();
        let first = locks.lock("a").await;
        let other = locks.lock("b").await;
        assert!(!first.preempted.is_cancelled());
        let second = async {
            let second = locks.lock("a").await;
            assert!(!second.preempted.is_cancelled());
        };
        let give_up = async {
            first.preempted.cancelled().await;
            drop(first);
        };
        tokio::join!(second, give_up);
        assert!(!other.preempted.is_cancelled());
        drop(other);
        locks.lock("c").await;
        assert_eq!(locks.0.lock().unwrap().len(), 1);
    }
}
