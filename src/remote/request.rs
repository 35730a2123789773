//! One request and its answer, with the attempts that it takes.

use std::borrow::Cow;
use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use filepress_wire::documents::MEDIA_TYPE;

use super::json::{at, text_at};
use super::redact::redact;
use super::retry::is_transient;
use super::{
    Client, Clock, Content, Credentials, Error, Fault, Json, Method, Millis, Reply, Request, Result, Source,
    Transport,
};

/// A document that came with a 2xx.
pub(super) struct Answer<J> {
    pub(super) document: J,
    /// How long the service asks to wait before the next request.
    pub(super) retry_after: Option<Millis>,
}

/// An attempt that failed.
pub(super) struct Failure<J> {
    pub(super) error: Error<J>,
    /// What `Retry-After` said.
    asked: Option<Millis>,
    /// A token that may be asked for again was refused.
    refused_token: bool,
    /// Worth another attempt within this call, whatever the error is to the caller.
    pub(super) again: bool,
}

impl<J> From<Error<J>> for Failure<J> {
    fn from(error: Error<J>) -> Self {
        Self { again: error.retryable, error, asked: None, refused_token: false }
    }
}

/// How the attempts of a call stand.
pub(super) struct Attempts {
    started: Millis,
    failed: u32,
    renewed: bool,
    excused: bool,
}

impl Attempts {
    /// True the first time: some refusals are worth one more attempt, not several.
    pub(super) fn excuse(&mut self) -> bool {
        !std::mem::replace(&mut self.excused, true)
    }
}

impl<T: Transport, C: Clock> Client<T, C> {
    /// A request to the service with the key; `url` is of its origin.
    pub(super) async fn exchange(
        &self,
        method: Method,
        url: &str,
        document: Option<&T::Json>,
        key: &str,
        data: Data<'_>,
    ) -> Result<Answer<T::Json>, Error<T::Json>> {
        let mut attempts = self.attempts();
        loop {
            match self.attempt(method, url, document, key, data).await {
                Ok(answer) => return Ok(answer),
                // An earlier attempt removed it, and its answer was lost.
                Err(failure)
                    if data == Data::None && attempts.failed > 0 && failure.error.status == Some(404) =>
                {
                    return Ok(Answer { document: T::Json::object(&[]), retry_after: None });
                }
                Err(failure) => self.pause(&mut attempts, failure).await?,
            }
        }
    }

    pub(super) fn attempts(&self) -> Attempts {
        Attempts { started: self.clock.now(), failed: 0, renewed: false, excused: false }
    }

    /// Waits until the next attempt may be made; hands the error back where there is none.
    pub(super) async fn pause(
        &self,
        attempts: &mut Attempts,
        failure: Failure<T::Json>,
    ) -> Result<(), Error<T::Json>> {
        if failure.refused_token && !attempts.renewed {
            attempts.renewed = true;
            return Ok(());
        }
        attempts.failed += 1;
        let elapsed = self.clock.now() - attempts.started;
        let delay = self.settings.retry.delay(attempts.failed, elapsed, failure.asked, self.clock.random());
        match delay.filter(|_| failure.again) {
            Some(delay) => {
                self.clock.sleep(delay).await;
                Ok(())
            }
            None => Err(failure.error),
        }
    }

    async fn attempt(
        &self,
        method: Method,
        url: &str,
        document: Option<&T::Json>,
        key: &str,
        data: Data<'_>,
    ) -> Result<Answer<T::Json>, Failure<T::Json>> {
        let time = self.settings.timeout;
        let credentials = self.in_time(time, self.transport.credentials()).await.map_err(|fault| {
            let late = || Fault::Token("it did not settle in time".to_owned());
            failed(Some(fault.unwrap_or_else(late)), "")
        })?;
        let refreshes = matches!(credentials, Credentials::Token(_));
        let token = match credentials {
            Credentials::None => String::new(),
            Credentials::Key(token) | Credentials::Token(token) => token,
        };
        self.secret.set(token.clone());
        let mut headers = vec![("accept", MEDIA_TYPE.to_owned())];
        if !token.is_empty() {
            headers.push(("authorization", "Bearer ".to_owned() + &token));
        }
        let mut content = Content::None;
        if let Some(document) = document {
            headers.push(("content-type", MEDIA_TYPE.to_owned()));
            if !key.is_empty() {
                headers.push(("idempotency-key", key.to_owned()));
            }
            content = Content::Document(document);
        }
        let request = Request { method, url, headers: &headers, content, follows: false };
        let exchange = async {
            let reply = self.transport.send(request).await?;
            let head = self.head(&reply);
            Ok((head, reply.document().await?))
        };
        let (head, document) = self.in_time(time, exchange).await.map_err(|fault| failed(fault, &token))?;
        if !(200..300).contains(&head.status) {
            let refused_token = head.status == 401 && refreshes;
            return Err(Failure { refused_token, ..head.refusal(document, &token) });
        }
        let document = match data {
            Data::None => Some(T::Json::object(&[])),
            Data::One(_) | Data::List(_) => document.filter(|document| data.is_in(document)),
        };
        match document {
            Some(document) => Ok(Answer { document, retry_after: head.retry_after }),
            None => Err(head.unexpected(data).into()),
        }
    }

    /// The key that was last sent.
    pub(super) fn secret(&self) -> String {
        let secret = self.secret.take();
        self.secret.set(secret.clone());
        secret
    }

    fn head(&self, reply: &T::Reply) -> Head {
        // Seconds or a date (RFC 9110, section 10.2.3).
        let retry_after = reply.header("retry-after").and_then(|text| match text.parse::<u64>() {
            Ok(seconds) => Some(seconds as f64 * 1000.0),
            Err(_) => self.clock.until(&text),
        });
        let request_id = reply.header("x-request-id").filter(|id| id.len() <= 200);
        Head { status: reply.status(), retry_after, request_id }
    }

    /// What `work` comes to, or a fault when it takes longer than `time`.
    pub(super) async fn in_time<V>(
        &self,
        time: Millis,
        work: impl Future<Output = Result<V, Fault>>,
    ) -> Result<V, Option<Fault>> {
        self.until(time, work).await.ok_or(None)?.map_err(Some)
    }

    /// What `work` comes to, if it does so within `time`.
    pub(super) async fn until<V>(&self, time: Millis, work: impl Future<Output = V>) -> Option<V> {
        let (mut work, mut alarm) = (pin!(work), pin!(self.clock.sleep(time)));
        std::future::poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => alarm.as_mut().poll(context).map(|()| None),
        })
        .await
    }

    /// A request to a signed URL: the answer to a success, else what went wrong.
    pub(super) async fn fetch(
        &self,
        time: Millis,
        request: Request<'_, T::Json, T::Bytes>,
    ) -> Result<T::Reply, Failure<T::Json>> {
        let reply = self.in_time(time, self.transport.send(request)).await;
        let reply = reply.map_err(|fault| failed(fault, &self.secret()))?;
        if (200..300).contains(&reply.status()) {
            return Ok(reply);
        }
        let head = self.head(&reply);
        let document = self.in_time(self.settings.timeout, reply.document()).await.ok().flatten();
        Err(head.refusal(document, &self.secret()))
    }
}

/// What is known of an answer before its body.
struct Head {
    status: u16,
    retry_after: Option<Millis>,
    request_id: Option<String>,
}

impl Head {
    /// The error for a document that is not what was asked for.
    fn unexpected<J>(self, data: Data<'_>) -> Error<J> {
        let kind = data.kind();
        let message = format!("The service answered {} without {kind}.", u64::from(self.status));
        Error {
            status: Some(self.status),
            request_id: self.request_id,
            ..Error::new(Error::<J>::BAD_ANSWER, message)
        }
    }

    /// What a status of failure and its document stand for.
    fn refusal<J: Json>(self, document: Option<J>, secret: &str) -> Failure<J> {
        let errors = document.and_then(|document| document.get("errors"));
        let object = errors.and_then(|errors| errors.items().into_iter().next());
        // A service that quotes what it was sent may quote the key.
        let text_of = |path: &[&str]| {
            let text = text_at(object.as_ref()?, path)?;
            Some(redact(&text, secret))
        };
        let text = |name: &str| text_of(&[name]);
        let source = |name: &str| text_of(&["source", name]);
        let words = text("detail").filter(|words| !words.is_empty()).or_else(|| text("title"));
        // Printed as another number is already: each width has code of its own.
        let status = u64::from(self.status);
        let message = match words {
            _ if matches!(self.status, 0 | 300..=399) => {
                format!("The service redirects ({status}): give its final address as baseUrl.")
            }
            None => format!("The service answered {status}."),
            Some(words) => format!("The service answered {status}: {}", words),
        };
        let code = text("code").filter(|code| !code.is_empty() && code.len() <= 100);
        // The same request is being worked on: its answer can be had soon.
        let in_flight = code.as_deref() == Some("idempotency_in_flight");
        let error = Error {
            code: code.map_or(Cow::Borrowed(Error::<J>::HTTP_ERROR), Cow::Owned),
            status: Some(self.status),
            request_id: self.request_id.or_else(|| text("id")),
            source: Source {
                pointer: source("pointer"),
                parameter: source("parameter"),
                header: source("header"),
            },
            retryable: is_transient(self.status) || in_flight,
            ..Error::new("", message)
        };
        Failure { asked: self.retry_after, ..error.into() }
    }
}

/// What an answer has to have as its `data`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Data<'a> {
    /// Nothing: what was asked for is removed.
    None,
    /// A resource of that type.
    One(&'a str),
    /// Resources of that type, any number of them.
    List(&'a str),
}

impl Data<'_> {
    fn is_in<J: Json>(self, document: &J) -> bool {
        let is = |data: &J, kind| {
            text_at(data, &["type"]).as_deref() == Some(kind) && text_at(data, &["id"]).is_some()
        };
        let Some(data) = at(document, &["data"]) else { return false };
        match self {
            Self::None => true,
            Self::One(kind) => is(&data, kind),
            Self::List(kind) => data.is_list() && data.items().iter().all(|item| is(item, kind)),
        }
    }

    fn kind(&self) -> &str {
        match self {
            Self::None => "",
            Self::One(kind) | Self::List(kind) => kind,
        }
    }
}

/// The failure that no answer stands for; `None` is too late.
fn failed<J>(fault: Option<Fault>, secret: &str) -> Failure<J> {
    let (code, message) = match fault {
        None => (Error::<J>::TIMEOUT, "The service did not answer in time.".to_owned()),
        Some(Fault::Network(words)) => {
            let words = redact(&words, secret);
            (Error::<J>::NETWORK, ["The service cannot be reached (", &words, ")."].concat())
        }
        Some(Fault::Token(words)) => {
            let words = redact(&words, secret);
            (Error::<J>::NO_TOKEN, ["getToken gave no usable token (", &words, ")."].concat())
        }
    };
    Error { retryable: code != Error::<J>::NO_TOKEN, ..Error::new(code, message) }.into()
}
