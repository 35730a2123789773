//! The scheduler: users alternate, short tasks do not wait behind long ones, and no task starves.

use std::time::Duration;

use crate::fixture::{Fixture, LEASE, START, finished, received};
use filepress_server::clock::Timestamp;
use filepress_server::store::records::{Class, Lane};
use filepress_server::store::{Claim, EnqueueResult, MAX_LONG_WAIT, NewFile, NewTask, UploadResult};

const SECOND: Duration = Duration::from_secs(1);

async fn user(fixture: &Fixture, name: &str) -> String {
    fixture.store.user_for_email(&format!("{name}@example.org"), name, START).await.unwrap().id
}

async fn add(fixture: &Fixture, user: &str, class: Class, now: Timestamp) -> String {
    let expires_at = now.after(LEASE * 1000);
    let file = NewFile { user: user.to_owned(), ..fixture.new_file(expires_at) };
    let file = fixture.store.add_file(file, now).await.unwrap();
    match fixture.store.upload(&file.id, received(), expires_at, now).await.unwrap() {
        UploadResult::Kept(_) => {}
        other => panic!("{other:?}"),
    }
    let task = NewTask { user: user.to_owned(), class, ..fixture.new_task(&file, Lane::Heavy) };
    match fixture.store.add_task(task, 10_000, 10_000, now).await.unwrap() {
        EnqueueResult::Task(task) => task.id,
        other => panic!("{other:?}"),
    }
}

async fn claim(fixture: &Fixture, only_short: bool, now: Timestamp) -> Option<Claim> {
    fixture.store.claim(Lane::Heavy, "worker", only_short, LEASE, None, now).await.unwrap()
}

async fn end(fixture: &Fixture, claim: &Claim, now: Timestamp) {
    assert!(fixture.store.complete(claim, finished(now), now).await.unwrap().is_some());
}

async fn users_take_turns_however_many_tasks_one_has(fixture: Fixture) {
    let (one, two, three) =
        (fixture.user.clone(), user(&fixture, "two").await, user(&fixture, "three").await);
    for _ in 0..10 {
        add(&fixture, &one, Class::Long, START).await;
    }
    for (user, seconds) in [(&two, 1), (&three, 2)] {
        for _ in 0..2 {
            add(&fixture, user, Class::Long, START.after(SECOND * seconds)).await;
        }
    }
    let mut order = Vec::new();
    while let Some(next) = claim(&fixture, false, START.after(5 * SECOND)).await {
        order.push(next.task.user.clone());
        end(&fixture, &next, START.after(5 * SECOND)).await;
    }
    assert_eq!(order[..6], [&one, &two, &three, &one, &two, &three].map(Clone::clone));
    assert_eq!(order.len(), 14);
}

async fn the_user_with_the_fewest_running_tasks_comes_first(fixture: Fixture) {
    let (one, two) = (fixture.user.clone(), user(&fixture, "two").await);
    for _ in 0..4 {
        add(&fixture, &one, Class::Long, START).await;
    }
    for _ in 0..2 {
        assert_eq!(claim(&fixture, false, START).await.unwrap().task.user, one);
    }
    for _ in 0..3 {
        add(&fixture, &two, Class::Long, START).await;
    }
    for expected in [&two, &two, &one] {
        assert_eq!(claim(&fixture, false, START).await.unwrap().task.user, *expected);
    }
}

async fn short_tasks_overtake_long_ones_for_a_limited_time(fixture: Fixture) {
    let (one, two) = (fixture.user.clone(), user(&fixture, "two").await);
    let long = add(&fixture, &one, Class::Long, START).await;
    let mut now = START;
    let mut passed = 0;
    loop {
        // There is always a short task of somebody else, and one that is about to come.
        add(&fixture, &two, Class::Short, now).await;
        let next = claim(&fixture, false, now).await.unwrap();
        if next.task.id == long {
            break;
        }
        passed += 1;
        end(&fixture, &next, now).await;
        now = now.after(SECOND);
        assert!(now <= START.after(MAX_LONG_WAIT + SECOND), "the long task starves");
    }
    assert_eq!(passed, MAX_LONG_WAIT.as_secs());
}

/// One worker; a user whose long tasks are all old, and one who comes again and again.
async fn old_long_tasks_of_one_user_do_not_block_other_users(fixture: Fixture) {
    let (one, two) = (fixture.user.clone(), user(&fixture, "two").await);
    for _ in 0..10 {
        add(&fixture, &one, Class::Long, START).await;
    }
    let now = START.after(MAX_LONG_WAIT * 5);
    let mut order = Vec::new();
    for _ in 0..6 {
        add(&fixture, &two, Class::Long, START.after(SECOND)).await;
        let next = claim(&fixture, false, now).await.unwrap();
        order.push(next.task.user.clone());
        end(&fixture, &next, now).await;
    }
    assert_eq!(order, [&one, &two, &one, &two, &one, &two].map(Clone::clone));
}

async fn a_worker_for_short_tasks_skips_and_returns_long_ones(fixture: Fixture) {
    let one = fixture.user.clone();
    add(&fixture, &one, Class::Long, START).await;
    assert!(claim(&fixture, true, START).await.is_none());
    let short = add(&fixture, &one, Class::Short, START).await;
    let taken = claim(&fixture, true, START).await.unwrap();
    assert_eq!(taken.task.id, short);
    assert!(fixture.store.release_as_long(&taken, START).await.unwrap());
    assert!(!fixture.store.release_as_long(&taken, START).await.unwrap());
    assert!(claim(&fixture, true, START).await.is_none());
    assert_eq!(claim(&fixture, false, START).await.unwrap().task.user, one);
    assert_eq!(claim(&fixture, false, START).await.unwrap().task.id, short);
}

on_both!(
    users_take_turns_however_many_tasks_one_has,
    the_user_with_the_fewest_running_tasks_comes_first,
    short_tasks_overtake_long_ones_for_a_limited_time,
    old_long_tasks_of_one_user_do_not_block_other_users,
    a_worker_for_short_tasks_skips_and_returns_long_ones,
);
