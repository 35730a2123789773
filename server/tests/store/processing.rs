//! The processor time that a user may take per day.

use std::time::Duration;

use filepress_server::store::records::Lane;

use crate::fixture::{Fixture, HOUR, LEASE, Place, START};

async fn tasks_wait_until_their_user_may_take_processor_time_again(fixture: Fixture) {
    let (store, max) = (&fixture.store, Duration::from_secs(60));
    let claim = async |now| {
        let max = Some(max);
        store.claim(Lane::Image, "worker", false, LEASE, max, now).await.unwrap()
    };
    let [first, second] = [fixture.queue(START).await, fixture.queue(START).await];
    assert_eq!(claim(START).await.unwrap().task.id, first.id);
    store.charge(&fixture.user, max - Duration::from_millis(1), START).await.unwrap();
    assert_eq!(claim(START).await.unwrap().task.id, second.id);
    let waiting = fixture.queue(START).await;
    store.charge(&fixture.user, Duration::from_millis(1), START).await.unwrap();
    assert!(claim(START).await.is_none());

    let user = store.user_for_email("other@example.org", "", START).await.unwrap().id;
    let other = Fixture { store: store.clone(), user, place: Place::Postgres(String::new()) };
    let theirs = other.queue(START).await;
    assert_eq!(claim(START).await.unwrap().task.id, theirs.id);
    assert!(claim(START).await.is_none());
    // START is midnight.
    for task in [first, second, theirs] {
        store.cancel(&task.user, &task.id, START).await.unwrap();
    }
    assert!(claim(START.after(24 * HOUR).before(Duration::from_nanos(1))).await.is_none());
    assert_eq!(claim(START.after(24 * HOUR)).await.unwrap().task.id, waiting.id);
}

on_both!(tasks_wait_until_their_user_may_take_processor_time_again);
