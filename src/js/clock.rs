//! The clock of [`crate::remote`] over the host's timers, `Date` and `Math.random`.

use js_sys::{Date, Math};

use super::executor::Ticket;
use super::fetch::Host;
use crate::remote::{Clock, Millis};

/// The host's clock.
pub(super) struct HostClock(pub(super) Host);

/// A timer of the host, cleared when dropped.
struct Timer<'a> {
    host: &'a Host,
    ticket: Ticket,
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.host.clear(self.ticket.0);
    }
}

impl Clock for HostClock {
    fn now(&self) -> Millis {
        Date::now()
    }

    async fn sleep(&self, time: Millis) {
        let timer = Timer { host: &self.0, ticket: Ticket::new() };
        // A longer timer would fire at once.
        self.0.sleep(timer.ticket.0, time.min(f64::from(i32::MAX)));
        let _ = timer.ticket.outcome().await;
    }

    fn time_until(&self, date: &str) -> Option<Millis> {
        // `Date.parse` accepts almost any string with a number; an HTTP date ends with GMT.
        let at = Date::parse(date.ends_with("GMT").then_some(date)?);
        (!at.is_nan()).then(|| (at - Date::now()).max(0.0))
    }

    fn random(&self) -> f64 {
        Math::random()
    }
}
