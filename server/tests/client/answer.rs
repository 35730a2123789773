//! A response, possibly cut off.

use filepress::remote::{Error, Method, Response, TransportError};

use crate::doc::Doc;

/// What a call ends with that did not succeed.
pub(crate) type Failure = Error<Doc>;

/// A method as it is sent.
pub(crate) const fn name_of(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    }
}

/// What every transport of these tests hands back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// What happens when the body is read.
    pub(crate) end: End,
}

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Whole,
    /// The connection breaks.
    Cut,
    /// Nothing more comes.
    Never,
}

impl Response for Answer {
    type Json = Doc;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    async fn document(self) -> Result<Option<Doc>, TransportError> {
        match self.end {
            End::Whole => Ok(serde_json::from_slice(&self.body).ok().map(Doc)),
            End::Cut => Err(TransportError::Network("the connection was closed".to_owned())),
            End::Never => std::future::pending().await,
        }
    }
}
