//! A call of one endpoint: built at once, sent when it is awaited. All calls have one type, so that the module has one future for all of
//! them and stays small.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use super::percent_encode::percent_encode;
use super::response::PrimaryData;
use super::{Client, Clock, Error, Method, Result, Transport};

/// A call to be awaited. Its output is the document of the response, or an empty object where the response has none.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<'a, T: Transport, C> {
    client: &'a Client<T, C>,
    /// The request, or the reason why none is sent.
    request: Result<ApiRequest<T::Json>, Error<T::Json>>,
}

/// A request to the API, sent with the key.
pub(super) struct ApiRequest<J> {
    method: Method,
    url: String,
    document: Option<J>,
    /// The idempotency key of a POST, else empty.
    key: String,
    expected: PrimaryData<'static>,
}

impl<J> ApiRequest<J> {
    /// A GET of `url`.
    pub(super) fn get(url: String, expected: PrimaryData<'static>) -> Self {
        Self { method: Method::Get, url, document: None, key: String::new(), expected }
    }
}

impl<T: Transport, C: Clock> Client<T, C> {
    pub(super) fn call(&self, request: Result<ApiRequest<T::Json>, Error<T::Json>>) -> Call<'_, T, C> {
        Call { client: self, request }
    }

    /// A GET of `path` followed by `id`; the response holds a resource of type `kind`.
    pub(super) fn get(&self, path: &str, id: &str, kind: &'static str) -> Call<'_, T, C> {
        self.call(Ok(ApiRequest::get(
            self.base.join(path) + &percent_encode(id),
            PrimaryData::Resource(kind),
        )))
    }

    /// A POST that creates one resource, however often it is retried with the same `key`.
    pub(super) fn post(
        &self,
        path: &str,
        document: T::Json,
        key: &str,
        kind: &'static str,
    ) -> Call<'_, T, C> {
        self.call(Ok(ApiRequest {
            method: Method::Post,
            url: self.base.join(path),
            document: Some(document),
            key: key.to_owned(),
            expected: PrimaryData::Resource(kind),
        }))
    }

    /// A PATCH of `path` followed by `id`.
    pub(super) fn patch(
        &self,
        path: &str,
        id: &str,
        document: T::Json,
        kind: &'static str,
    ) -> Call<'_, T, C> {
        let request =
            ApiRequest::get(self.base.join(path) + &percent_encode(id), PrimaryData::Resource(kind));
        self.call(Ok(ApiRequest { method: Method::Patch, document: Some(document), ..request }))
    }

    /// A DELETE of `path` followed by `id`.
    pub(super) fn delete(&self, path: &str, id: &str) -> Call<'_, T, C> {
        let request = ApiRequest::get(self.base.join(path) + &percent_encode(id), PrimaryData::None);
        self.call(Ok(ApiRequest { method: Method::Delete, ..request }))
    }
}

impl<'a, T: Transport, C: Clock> IntoFuture for Call<'a, T, C> {
    type Output = Result<T::Json, Error<T::Json>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { client, request } = self;
        Box::pin(async move {
            let ApiRequest { method, url, document, key, expected } = request?;
            Ok(client.request(method, &url, document.as_ref(), &key, expected).await?.document)
        })
    }
}
