//! The service's documents as `serde_json` values, for these tests and for `fuzz/`, which includes this file.

#![allow(unreachable_pub, reason = "in fuzz/ it is reached from outside")]

use filepress::remote::Json;
use serde_json::{Map, Value};

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub struct Doc(pub Value);

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
