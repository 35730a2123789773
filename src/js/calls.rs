//! Runs futures for JavaScript, which polls them one at a time, and lets them wait for JavaScript.
//!
//! Nothing here is a promise or a closure of Rust: a promise whose future traps is never settled, and a closure of an instance that
//! has trapped throws wherever it is called, which ends a process of Node. A future asks its host to do something under a ticket;
//! the host delivers what came of it by a plain call of an export, as long as the instance lives, and polls the call anew.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

type Call = Pin<Box<dyn Future<Output = Outcome>>>;

/// What JavaScript gave or threw.
pub(super) type Outcome = Result<JsValue, JsValue>;

/// The calls under way and what they wait for, by their ids; both count up and wrap.
struct Calls {
    next: u32,
    running: Vec<(u32, Call)>,
    /// The calls that are polled: one within another where a caller's function begins one. 0 is in the place of one that was ended.
    polled: Vec<u32>,
    tickets: Vec<Awaited>,
}

/// Something that a call waits for.
struct Awaited {
    ticket: u32,
    call: u32,
    outcome: Option<Outcome>,
}

thread_local! {
    static CALLS: RefCell<Calls> =
        const { RefCell::new(Calls { next: 0, running: Vec::new(), polled: Vec::new(), tickets: Vec::new() }) };
}

fn with<V>(work: impl FnOnce(&mut Calls) -> V) -> V {
    CALLS.with(|calls| work(&mut calls.borrow_mut()))
}

impl Calls {
    fn id(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next
    }

    fn take(&mut self, id: u32) -> Option<Call> {
        let at = self.running.iter().position(|(known, _)| *known == id)?;
        Some(self.running.swap_remove(at).1)
    }
}

/// Takes a call in; it does nothing before its first [`poll`].
pub(super) fn begin(call: impl Future<Output = Outcome> + 'static) -> u32 {
    with(|calls| {
        let id = calls.id();
        calls.running.push((id, Box::pin(call)));
        id
    })
}

/// Drives a call on: `{ value }` when it has succeeded, `{ error }` when it has failed, undefined while it waits.
#[wasm_bindgen]
pub fn poll(id: u32) -> Result<JsValue, JsValue> {
    // Taken out meanwhile, since what it does may come back here.
    let taken = with(|calls| {
        let call = calls.take(id)?;
        calls.polled.push(id);
        Some(call)
    });
    let Some(mut call) = taken else { return Ok(JsValue::UNDEFINED) };
    let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let is_wanted = with(|calls| calls.polled.pop()) == Some(id);
    let (name, outcome) = match polled {
        Poll::Pending => {
            if is_wanted {
                with(|calls| calls.running.push((id, call)));
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

/// Ends a call: its request is aborted, its timer cleared.
#[wasm_bindgen]
pub fn cancel(id: u32) {
    let call = with(|calls| {
        calls.polled.iter_mut().filter(|polled| **polled == id).for_each(|polled| *polled = 0);
        calls.take(id)
    });
    drop(call);
}

/// Hands over what came of a ticket. The call that is to be polled now, if one still waits for it.
#[wasm_bindgen]
pub fn deliver(ticket: u32, failed: bool, value: JsValue) -> Option<u32> {
    with(|calls| {
        let awaited = calls.tickets.iter_mut().find(|awaited| awaited.ticket == ticket)?;
        awaited.outcome = Some(if failed { Err(value) } else { Ok(value) });
        Some(awaited.call)
    })
}

/// A ticket that is given back when it is dropped.
pub(super) struct Ticket(pub(super) u32);

impl Ticket {
    /// A ticket for the call that is polled.
    pub(super) fn new() -> Self {
        Self(with(|calls| {
            let (ticket, call) = (calls.id(), calls.polled.last().copied().unwrap_or_default());
            calls.tickets.push(Awaited { ticket, call, outcome: None });
            ticket
        }))
    }

    /// What the host delivers.
    pub(super) async fn outcome(&self) -> Outcome {
        let find = |calls: &mut Calls| {
            let awaited = calls.tickets.iter_mut().find(|awaited| awaited.ticket == self.0);
            awaited.and_then(|awaited| awaited.outcome.take())
        };
        poll_fn(|_| with(find).map_or(Poll::Pending, Poll::Ready)).await
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        with(|calls| calls.tickets.retain(|awaited| awaited.ticket != self.0));
    }
}
