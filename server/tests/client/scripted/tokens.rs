//! Tokens: requested before each request, and once more after a 401.

use filepress::remote::{Credentials, TransportError};

use super::documents::{refusal, user_document};
use super::manual_clock::run;
use super::scripted_transport::{Scripted, raw};
use crate::answer::Failure;
use crate::harness::Harness;

fn token(text: &str) -> Result<Credentials, TransportError> {
    Ok(Credentials::Token(text.to_owned()))
}

fn authorizations(scripted: &Scripted) -> Vec<Option<String>> {
    scripted.sent().iter().map(|sent| sent.header("authorization").map(str::to_owned)).collect()
}

#[test]
fn a_token_is_asked_for_before_each_attempt() {
    let scripted = Scripted::new(vec![raw(503, ""), user_document(), user_document()]);
    scripted.tokens(vec![token("one"), token("two"), token("three")]);
    let client = scripted.client();
    run(scripted.clock(), client.me()).unwrap();
    run(scripted.clock(), client.me()).unwrap();
    let expected = ["one", "two", "three"].map(|token| Some(format!("Bearer {token}")));
    assert_eq!(authorizations(&scripted), expected);
}

#[test]
fn a_token_that_was_refused_is_asked_for_once_more_at_once() {
    for client in [Scripted::client, |scripted: &Scripted| scripted.once()] {
        let scripted = Scripted::new(vec![refusal(401, "unauthorized", None), user_document()]);
        scripted.tokens(vec![token("stale"), token("fresh")]);
        run(scripted.clock(), client(&scripted).me()).unwrap();
        assert!(scripted.clock().slept().is_empty());
        let scripted = Scripted::new(vec![refusal(401, "unauthorized", None); 2]);
        scripted.tokens(vec![token("stale"), token("stale")]);
        let error = run(scripted.clock(), client(&scripted).me()).unwrap_err();
        assert_eq!((error.status, scripted.left()), (Some(401), 0));
    }
}

#[test]
fn a_key_that_was_refused_is_not_sent_again() {
    let scripted = Scripted::new(vec![refusal(401, "unauthorized", None)]);
    run(scripted.clock(), scripted.client().me()).unwrap_err();
    assert_eq!(scripted.sent().len(), 1);
}

#[test]
fn nothing_is_sent_where_there_is_no_token() {
    let scripted = Scripted::default();
    scripted.tokens(vec![Err(TransportError::Token("logged out".to_owned()))]);
    let error = run(scripted.clock(), scripted.client().me()).unwrap_err();
    assert_eq!((error.code.as_ref(), error.retryable), (Failure::NO_TOKEN, false));
    assert!(error.message.contains("logged out"), "{}", error.message);
    assert!(scripted.sent().is_empty());
}

#[test]
fn without_credentials_there_is_no_header() {
    let scripted = Scripted::new(vec![user_document()]);
    run(scripted.clock(), scripted.client_as(Credentials::None).me()).unwrap();
    assert_eq!(authorizations(&scripted), [None]);
}
