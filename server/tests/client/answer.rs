//! An answer that has arrived as far as it came.

use filepress::remote::{Error, Fault, Json, Method, Reply};
use serde_json::{Map, Value};

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Doc(pub(crate) Value);

/// What a call ends with that did not succeed.
pub(crate) type Failure = Error<Doc>;

impl Json for Doc {
    fn text(text: &str) -> Self {
        Self(text.into())
    }

    fn number(number: f64) -> Self {
        // Sizes are whole, and are written as whole numbers.
        Self(if number.fract() == 0.0 { (number as u64).into() } else { number.into() })
    }

    fn object(members: &[(&str, Option<Self>)]) -> Self {
        let members = members.iter().filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?.0)));
        Self(members.collect::<Map<_, _>>().into())
    }

    fn get(&self, name: &str) -> Option<Self> {
        self.0.get(name).filter(|value| !value.is_null()).cloned().map(Self)
    }

    fn as_text(&self) -> Option<String> {
        self.0.as_str().map(str::to_owned)
    }

    fn as_number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn is_list(&self) -> bool {
        self.0.is_array()
    }

    fn items(&self) -> Vec<Self> {
        self.0.as_array().into_iter().flatten().cloned().map(Self).collect()
    }
}

/// A method as it is sent.
pub(crate) const fn name_of(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Put => "PUT",
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

impl Reply for Answer {
    type Json = Doc;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    async fn document(self) -> Result<Option<Doc>, Fault> {
        match self.end {
            End::Whole => Ok(serde_json::from_slice(&self.body).ok().map(Doc)),
            End::Cut => Err(Fault::Network("the connection was closed".to_owned())),
            End::Never => std::future::pending().await,
        }
    }
}
