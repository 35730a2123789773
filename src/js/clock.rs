//! Time and chance, by the host.

use js_sys::{Date, Math};

use super::calls::Ticket;
use super::fetch::Host;
use crate::remote::{Clock, Millis};

/// The host's clock.
pub(super) struct HostClock(pub(super) Host);

/// A timer of the host, cleared when it is dropped.
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
        // Longer timers than this end at once.
        self.0.sleep(timer.ticket.0, time.min(f64::from(i32::MAX)));
        let _ = timer.ticket.outcome().await;
    }

    fn until(&self, date: &str) -> Option<Millis> {
        // Engines read a date into almost any number; dates of HTTP end so.
        let at = Date::parse(date.ends_with("GMT").then_some(date)?);
        (!at.is_nan()).then(|| (at - Date::now()).max(0.0))
    }

    fn random(&self) -> f64 {
        Math::random()
    }
}
