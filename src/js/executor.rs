//! An executor whose futures JavaScript polls, and the tickets by which futures wait for JavaScript.
//!
//! wasm-bindgen's promises and closures are not used: after a trap, pending promises would never settle, and closures would call into
//! a dead instance. Instead, a future starts an operation of the host with a ticket. The host delivers the outcome for that ticket
//! through an export, as long as the instance lives, and polls the call again.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

type CallFuture = Pin<Box<dyn Future<Output = Outcome>>>;

/// What JavaScript returned or threw.
pub(super) type Outcome = Result<JsValue, JsValue>;

/// Running calls and open tickets. Both have ids from one wrapping counter.
struct Executor {
    last_id: u32,
    running: Vec<(u32, CallFuture)>,
    /// The stack of calls being polled: nested if a function of the caller starts a call. 0 replaces a canceled call.
    polling: Vec<u32>,
    tickets: Vec<PendingTicket>,
}

/// A ticket whose outcome a call waits for.
struct PendingTicket {
    ticket: u32,
    call: u32,
    outcome: Option<Outcome>,
}

thread_local! {
    static EXECUTOR: RefCell<Executor> =
        const { RefCell::new(Executor { last_id: 0, running: Vec::new(), polling: Vec::new(), tickets: Vec::new() }) };
}

fn with_executor<V>(work: impl FnOnce(&mut Executor) -> V) -> V {
    EXECUTOR.with(|executor| work(&mut executor.borrow_mut()))
}

impl Executor {
    fn new_id(&mut self) -> u32 {
        self.last_id = self.last_id.wrapping_add(1);
        self.last_id
    }

    fn take(&mut self, id: u32) -> Option<CallFuture> {
        let at = self.running.iter().position(|(known, _)| *known == id)?;
        Some(self.running.swap_remove(at).1)
    }
}

/// Adds a call and returns its id. It does nothing before its first [`poll`].
pub(super) fn spawn(call: impl Future<Output = Outcome> + 'static) -> u32 {
    with_executor(|executor| {
        let id = executor.new_id();
        executor.running.push((id, Box::pin(call)));
        id
    })
}

/// Polls a call: `{ value }` if it has succeeded, `{ error }` if it has failed, undefined while it is pending.
#[wasm_bindgen]
pub fn poll(id: u32) -> Result<JsValue, JsValue> {
    // Removed while it is polled, since it may call back into the executor.
    let call = with_executor(|executor| {
        let call = executor.take(id)?;
        executor.polling.push(id);
        Some(call)
    });
    let Some(mut call) = call else { return Ok(JsValue::UNDEFINED) };
    let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let is_alive = with_executor(|executor| executor.polling.pop()) == Some(id);
    let (name, outcome) = match polled {
        Poll::Pending => {
            if is_alive {
                with_executor(|executor| executor.running.push((id, call)));
            }
            return Ok(JsValue::UNDEFINED);
        }
        Poll::Ready(Ok(value)) => ("value", value),
        Poll::Ready(Err(error)) => ("error", error),
    };
    let settled = Object::new();
    Reflect::set(&settled, &name.into(), &outcome)?;
    Ok(settled.into())
}

/// Cancels a call: its request is aborted, its timer cleared.
#[wasm_bindgen]
pub fn cancel(id: u32) {
    let call = with_executor(|executor| {
        executor.polling.iter_mut().filter(|running| **running == id).for_each(|canceled| *canceled = 0);
        executor.take(id)
    });
    drop(call);
}

/// Delivers the outcome for a ticket. Returns the call to poll, if one still waits for the ticket.
#[wasm_bindgen]
pub fn deliver(ticket: u32, failed: bool, value: JsValue) -> Option<u32> {
    with_executor(|executor| {
        let pending = executor.tickets.iter_mut().find(|pending| pending.ticket == ticket)?;
        pending.outcome = Some(if failed { Err(value) } else { Ok(value) });
        Some(pending.call)
    })
}

/// A ticket for one operation of the host; dropping it discards the outcome.
pub(super) struct Ticket(pub(super) u32);

impl Ticket {
    /// Creates a ticket for the call being polled.
    pub(super) fn new() -> Self {
        Self(with_executor(|executor| {
            let (ticket, call) = (executor.new_id(), executor.polling.last().copied().unwrap_or_default());
            executor.tickets.push(PendingTicket { ticket, call, outcome: None });
            ticket
        }))
    }

    /// Waits for the outcome that the host delivers.
    pub(super) async fn outcome(&self) -> Outcome {
        let find = |executor: &mut Executor| {
            let pending = executor.tickets.iter_mut().find(|pending| pending.ticket == self.0);
            pending.and_then(|pending| pending.outcome.take())
        };
        poll_fn(|_| with_executor(find).map_or(Poll::Pending, Poll::Ready)).await
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        with_executor(|executor| executor.tickets.retain(|pending| pending.ticket != self.0));
    }
}
