//! The interface by which the contract reaches each of the three services.

use filepress::remote::{Client, Clock, Credentials, Transport};

use crate::answer::Answer;
use crate::doc::Doc;
use crate::scripted::Step;

/// A service, and clients of it.
pub(crate) trait Harness {
    type Transport: Transport<Json = Doc, Bytes = Vec<u8>, Response = Answer>;
    type Clock: Clock;

    /// A client with the key of a user who has nothing yet.
    fn client(&self) -> Client<Self::Transport, Self::Clock> {
        self.client_as(self.key())
    }

    /// A client that identifies itself otherwise.
    fn client_as(&self, credentials: Credentials) -> Client<Self::Transport, Self::Clock>;

    /// That user's key.
    fn key(&self) -> Credentials;

    /// What a service is going to answer: for the one that does not know by itself.
    fn script(&self, steps: Vec<Step>);
}
