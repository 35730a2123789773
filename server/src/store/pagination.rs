//! Cursor pagination, newest first. The cursor is the creation time, which is unique among a user's files and among their tasks.

use futures_util::future::BoxFuture;

use super::error::Result;
use crate::clock::Timestamp;

/// A request for a page of a list.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest {
    /// The maximum number of items.
    pub size: u32,
    /// The position at which it begins.
    pub from: PageStart,
}

/// The position at which a page begins.
#[derive(Debug, Clone, Copy)]
pub enum PageStart {
    /// With the newest item.
    Start,
    /// With the newest item that is older than this.
    After(Timestamp),
    /// The page ends with the oldest item that is newer than this.
    Before(Timestamp),
}

/// A page of a list, newest first.
#[derive(Debug, Clone)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// There are newer items.
    pub has_newer: bool,
    /// There are older items.
    pub has_older: bool,
}

/// The rows to query: those between `above` and `below`, both exclusive, and one more than the page holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) above: i64,
    pub(super) below: i64,
    pub(super) newest_first: bool,
    pub(super) limit: i64,
}

impl PageRequest {
    /// Reads a page; `rows` queries a range.
    pub(super) async fn take<'a, T>(
        self,
        created_at: impl Fn(&T) -> Timestamp,
        rows: impl Fn(Range) -> BoxFuture<'a, Result<Vec<T>>>,
    ) -> Result<Page<T>> {
        let (above, below, newest_first) = match self.from {
            PageStart::Start => (i64::MIN, i64::MAX, true),
            PageStart::After(cursor) => (i64::MIN, cursor.0, true),
            PageStart::Before(cursor) => (cursor.0, i64::MAX, false),
        };
        let size = self.size as usize;
        let mut items = rows(Range { above, below, newest_first, limit: i64::from(self.size) + 1 }).await?;
        let more = items.len() > size;
        items.truncate(size);
        if !newest_first {
            items.reverse();
        }
        // Checks for items on the other side of the page.
        let behind = match (self.from, items.first(), items.last()) {
            (PageStart::Start, ..) => None,
            (PageStart::After(_), Some(newest), _) => Some((created_at(newest).0, i64::MAX)),
            (PageStart::After(cursor), ..) => Some((cursor.0.saturating_sub(1), i64::MAX)),
            (PageStart::Before(_), _, Some(oldest)) => Some((i64::MIN, created_at(oldest).0)),
            (PageStart::Before(cursor), ..) => Some((i64::MIN, cursor.0.saturating_add(1))),
        };
        let behind = match behind {
            Some((above, below)) => !rows(Range { above, below, newest_first, limit: 1 }).await?.is_empty(),
            None => false,
        };
        let (has_newer, has_older) = if newest_first { (behind, more) } else { (more, behind) };
        Ok(Page { items, has_newer, has_older })
    }
}
