//! A call of one endpoint: made up at once, sent when it is awaited. All such calls are one type, and so one future in the module
//! that a page loads first.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use super::list::encode;
use super::request::Data;
use super::{Client, Clock, Error, Method, Result, Transport};

/// A call to be awaited. Its outcome is the document of the answer; an empty object where an answer has none.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<'a, T: Transport, C> {
    client: &'a Client<T, C>,
    /// What is sent, or why nothing is.
    asked: Result<Asked<T::Json>, Error<T::Json>>,
}

/// What is sent to the service with the key.
pub(super) struct Asked<J> {
    method: Method,
    url: String,
    document: Option<J>,
    /// Creates once; empty where nothing is created.
    key: String,
    data: Data<'static>,
}

impl<J> Asked<J> {
    /// Reads `url`.
    pub(super) fn get(url: String, data: Data<'static>) -> Self {
        Self { method: Method::Get, url, document: None, key: String::new(), data }
    }
}

impl<T: Transport, C: Clock> Client<T, C> {
    pub(super) fn call(&self, asked: Result<Asked<T::Json>, Error<T::Json>>) -> Call<'_, T, C> {
        Call { client: self, asked }
    }

    /// Reads `path` with `id` behind it; the document has a resource of that type.
    pub(super) fn get(&self, path: &str, id: &str, kind: &'static str) -> Call<'_, T, C> {
        self.call(Ok(Asked::get(self.base.at(path) + &encode(id), Data::One(kind))))
    }

    /// Creates something, once, however often it is sent.
    pub(super) fn post(
        &self,
        path: &str,
        document: T::Json,
        key: &str,
        kind: &'static str,
    ) -> Call<'_, T, C> {
        self.call(Ok(Asked {
            method: Method::Post,
            url: self.base.at(path),
            document: Some(document),
            key: key.to_owned(),
            data: Data::One(kind),
        }))
    }

    /// Changes what `path` with `id` behind it names.
    pub(super) fn patch(
        &self,
        path: &str,
        id: &str,
        document: T::Json,
        kind: &'static str,
    ) -> Call<'_, T, C> {
        let asked = Asked::get(self.base.at(path) + &encode(id), Data::One(kind));
        self.call(Ok(Asked { method: Method::Patch, document: Some(document), ..asked }))
    }

    /// Removes what `path` with `id` behind it names.
    pub(super) fn delete(&self, path: &str, id: &str) -> Call<'_, T, C> {
        let asked = Asked::get(self.base.at(path) + &encode(id), Data::None);
        self.call(Ok(Asked { method: Method::Delete, ..asked }))
    }
}

impl<'a, T: Transport, C: Clock> IntoFuture for Call<'a, T, C> {
    type Output = Result<T::Json, Error<T::Json>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { client, asked } = self;
        Box::pin(async move {
            let Asked { method, url, document, key, data } = asked?;
            Ok(client.exchange(method, &url, document.as_ref(), &key, data).await?.document)
        })
    }
}
