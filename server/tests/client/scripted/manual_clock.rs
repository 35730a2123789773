//! A clock that stands still while anything can run, then jumps to the next timer.

use std::cell::{Cell, RefCell};
use std::future::{Future, IntoFuture};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use filepress::remote::{Clock, Millis};

use crate::service::until;

/// When the clock begins: Thu, 01 Jan 2026 10:00:00 GMT.
const START: i64 = 1_767_261_600;

/// Clones are the same clock.
#[derive(Clone, Default)]
pub(crate) struct HandClock(Rc<Hand>);

#[derive(Default)]
struct Hand {
    now: Cell<Millis>,
    chance: Cell<f64>,
    sleepers: RefCell<Vec<Sleeper>>,
    count: Cell<u64>,
    slept: RefCell<Vec<Millis>>,
}

struct Sleeper {
    id: u64,
    until: Millis,
    time: Millis,
}

impl HandClock {
    /// What `random` gives from now on.
    pub(crate) fn set_chance(&self, chance: f64) {
        self.0.chance.set(chance);
    }

    /// The milliseconds of each sleep that came to its end, in their order.
    pub(crate) fn slept(&self) -> Vec<Millis> {
        self.0.slept.borrow().clone()
    }

    /// Goes to the next moment that a sleep ends.
    fn turn(&self) {
        let sleepers = self.0.sleepers.borrow();
        let next = sleepers.iter().min_by(|one, other| one.until.total_cmp(&other.until));
        let next = next.expect("nothing can happen any more, and nobody waits for the time");
        self.0.slept.borrow_mut().push(next.time);
        self.0.now.set(next.until);
    }
}

/// Carries a future out; whenever it waits, the clock is turned.
pub(crate) fn run<V>(clock: &HandClock, future: impl IntoFuture<Output = V>) -> V {
    let mut future = pin!(future.into_future());
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        clock.turn();
    }
}

impl Clock for HandClock {
    fn now(&self) -> Millis {
        self.0.now.get()
    }

    fn sleep(&self, time: Millis) -> impl Future<Output = ()> {
        let id = self.0.count.get();
        self.0.count.set(id + 1);
        Sleep { clock: self.clone(), id, until: self.now() + time, time }
    }

    fn time_until(&self, date: &str) -> Option<Millis> {
        Some((until(date, START)? - self.now()).max(0.0))
    }

    fn random(&self) -> f64 {
        self.0.chance.get()
    }
}

struct Sleep {
    clock: HandClock,
    id: u64,
    until: Millis,
    time: Millis,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let (id, until, time) = (self.id, self.until, self.time);
        let mut sleepers = self.clock.0.sleepers.borrow_mut();
        if self.clock.now() >= until {
            return Poll::Ready(());
        }
        if sleepers.iter().all(|sleeper| sleeper.id != id) {
            sleepers.push(Sleeper { id, until, time });
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clock.0.sleepers.borrow_mut().retain(|sleeper| sleeper.id != self.id);
    }
}
