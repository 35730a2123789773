//! Where an object store is, and the variables that say how it is reached. They have secrets, so they are never printed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ObjectStoreUrl {
    bucket: String,
    prefix: String,
}

/// An object store and how it is reached.
#[derive(Clone)]
pub struct ObjectStoreConfig {
    /// The bucket and the prefix in it.
    pub url: ObjectStoreUrl,
    /// Region, endpoint, credentials: by the names of environment variables, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and so on.
    pub variables: Vec<(String, String)>,
}

impl ObjectStoreUrl {
    /// The bucket.
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// What the names of all objects begin with, up to a slash; may be empty.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl ObjectStoreConfig {
    /// The store at a URL, reached as the environment of this process says.
    pub fn from_environment(url: ObjectStoreUrl) -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let variables = std::env::vars_os().filter_map(text).filter(|(name, _)| name.starts_with("AWS_"));
        Self { url, variables: variables.collect() }
    }

    /// Whether the store is reached by plain HTTP. One on this machine or in a network of its own may have no certificate; its address says
    /// so.
    pub fn is_unencrypted(&self) -> bool {
        let is_plain = |url: &str| url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"));
        self.variables.iter().any(|(name, value)| name.starts_with("AWS_ENDPOINT") && is_plain(value))
    }
}

impl fmt::Debug for ObjectStoreConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ObjectStoreConfig").field("url", &self.url).finish_non_exhaustive()
    }
}

impl FromStr for ObjectStoreUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong =
            || format!("{text:?} does not name an object store; expected, for example, s3://bucket/prefix");
        let place = text.strip_prefix("s3://").ok_or_else(wrong)?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let named = |character: char| character.is_ascii_alphanumeric() || "-._".contains(character);
        let prefix = prefix.trim_end_matches('/');
        let parts = prefix.is_empty()
            || prefix.split('/').all(|part| !["", ".", ".."].contains(&part) && part.chars().all(named));
        match !bucket.is_empty() && bucket.chars().all(named) && parts {
            true => Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() }),
            false => Err(wrong()),
        }
    }
}

impl TryFrom<String> for ObjectStoreUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ObjectStoreUrl> for String {
    fn from(url: ObjectStoreUrl) -> Self {
        format!("s3://{}/{}", url.bucket, url.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::{ObjectStoreConfig, ObjectStoreUrl};

    #[test]
    fn a_url_is_a_bucket_and_a_prefix() {
        for (text, bucket, prefix) in
            [("s3://files", "files", ""), ("s3://files/", "files", ""), ("s3://a.b/c/d_e/", "a.b", "c/d_e")]
        {
            let url: ObjectStoreUrl = text.parse().unwrap();
            assert_eq!((url.bucket(), url.prefix()), (bucket, prefix));
            assert_eq!(String::from(url.clone()).parse(), Ok(url));
        }
        for wrong in [
            "",
            "files",
            "s3://",
            "s3:///a",
            "https://files",
            "s3://files/a//b",
            "s3://files/a/../b",
            "s3://files/.",
            "s3://fi les",
            "s3://f?x=1",
        ] {
            assert!(wrong.parse::<ObjectStoreUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn plain_http_is_noticed_in_every_variable_that_is_understood() {
        for (name, value, expected) in [
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000", true),
            ("AWS_ENDPOINT_URL", "HTTP://s3.example.org", true),
            ("AWS_ENDPOINT", "http://s3.example.org", true),
            ("AWS_ENDPOINT_URL", "https://s3.example.org", false),
            ("AWS_ENDPOINT_URL", "", false),
            ("AWS_REGION", "http://s3.example.org", false),
        ] {
            let variables = vec![(name.to_owned(), value.to_owned())];
            let config = ObjectStoreConfig { url: "s3://files".parse().unwrap(), variables };
            assert_eq!(config.is_unencrypted(), expected, "{name}={value}");
        }
    }

    #[test]
    fn credentials_are_not_printed() {
        let variables = vec![("AWS_SECRET_ACCESS_KEY".to_owned(), "secret".to_owned())];
        let config = ObjectStoreConfig { url: "s3://files".parse().unwrap(), variables };
        assert!(!format!("{config:?}").contains("secret"));
    }
}
