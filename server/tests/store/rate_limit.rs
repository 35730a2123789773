//! The rate limit of a key: bursts, even spacing after them, and processes that share the database.

use std::time::Duration;

use crate::fixture::{Fixture, HOUR, START};
use filepress_server::store::{RateDecision, RateLimit};

const KEY: [u8; 32] = [7; 32];
const QUOTA: RateLimit = RateLimit { per_minute: 300, burst: 50 };
/// 60 s ÷ 300.
const INTERVAL: Duration = Duration::from_millis(200);

async fn after_a_burst_calls_are_evenly_spaced(fixture: Fixture) {
    let call = |now| fixture.store.check_rate_limit(&KEY, QUOTA, now);
    for remaining in (0..50).rev() {
        assert_eq!(call(START).await.unwrap(), RateDecision { remaining, wait: None });
    }
    for _ in 0..3 {
        assert_eq!(call(START).await.unwrap(), RateDecision { remaining: 0, wait: Some(INTERVAL) });
    }
    // What it was told is true, and not a nanosecond less would do.
    let early = START.after(INTERVAL - Duration::from_nanos(1));
    assert_eq!(call(early).await.unwrap().wait, Some(Duration::from_nanos(1)));
    assert_eq!(call(START.after(INTERVAL)).await.unwrap(), RateDecision { remaining: 0, wait: None });
    assert!(call(START.after(INTERVAL)).await.unwrap().wait.is_some());
    // Another key is another matter.
    assert_eq!(fixture.store.check_rate_limit(&[8; 32], QUOTA, START).await.unwrap().remaining, 49);
    // After a pause the burst is whole again, and no more than that.
    assert_eq!(call(START.after(HOUR)).await.unwrap().remaining, 49);
}

async fn a_minute_has_no_more_calls_than_the_limit_and_one_burst(fixture: Fixture) {
    let mut through = 0;
    for step in 0..6000_u32 {
        let now = START.after(Duration::from_millis(10) * step);
        through += u32::from(fixture.store.check_rate_limit(&KEY, QUOTA, now).await.unwrap().wait.is_none());
    }
    assert_eq!(through, 300 + 50 - 1);
}

async fn processes_share_the_rate_limit(fixture: Fixture) {
    let other = fixture.place.open().await;
    let calls = (0..120).map(|number| {
        let store = if number % 2 == 0 { fixture.store.clone() } else { other.clone() };
        tokio::spawn(async move { store.check_rate_limit(&KEY, QUOTA, START).await.unwrap().wait.is_none() })
    });
    let mut through = 0;
    for call in calls.collect::<Vec<_>>() {
        through += u32::from(call.await.unwrap());
    }
    assert_eq!(through, QUOTA.burst);
}

async fn a_call_that_is_counted_after_a_later_one_gets_no_new_burst(fixture: Fixture) {
    let call = |now| fixture.store.check_rate_limit(&KEY, QUOTA, now);
    for _ in 0..50 {
        call(START).await.unwrap();
    }
    let due = START.after(INTERVAL);
    assert_eq!(call(due).await.unwrap().wait, None);
    // The clocks of two servers differ a little, and a thread may pause between the clock and the database.
    for late in [1, 20, 199, 2000] {
        let before = due.before(Duration::from_millis(late));
        let wait = INTERVAL + Duration::from_millis(late);
        assert_eq!(call(before).await.unwrap(), RateDecision { remaining: 0, wait: Some(wait) });
    }
    assert_eq!(call(due.after(INTERVAL)).await.unwrap(), RateDecision { remaining: 0, wait: None });
}

async fn setting_the_clock_back_blocks_no_key(fixture: Fixture) {
    let late = START.after(10 * HOUR);
    for _ in 0..60 {
        fixture.store.check_rate_limit(&KEY, QUOTA, late).await.unwrap();
    }
    assert_eq!(
        fixture.store.check_rate_limit(&KEY, QUOTA, START).await.unwrap(),
        RateDecision { remaining: 49, wait: None }
    );
}

on_both!(
    after_a_burst_calls_are_evenly_spaced,
    a_minute_has_no_more_calls_than_the_limit_and_one_burst,
    processes_share_the_rate_limit,
    a_call_that_is_counted_after_a_later_one_gets_no_new_burst,
    setting_the_clock_back_blocks_no_key,
);
