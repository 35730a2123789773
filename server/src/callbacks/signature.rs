//! Signs callbacks as the specification Standard Webhooks does (version `v1`, symmetric): HMAC-SHA-256 over the id, the time and the body.
//! There are libraries for receivers in many languages.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// What a secret begins with.
const PREFIX: &str = "whsec_";
/// Random bytes of a secret.
const LENGTH: usize = 32;

/// A secret of a user. Not shown by `Debug`.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

/// Why a secret cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// It is not `whsec_` and base64.
    #[error("a secret of callbacks is malformed")]
    Malformed,
    /// The system provides no random numbers.
    #[error("the system provides no random numbers")]
    NoRandom,
}

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// [`SecretError::NoRandom`]
    pub fn generate() -> Result<Self, SecretError> {
        let mut bytes = vec![0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|_| SecretError::NoRandom)?;
        Ok(Self(bytes))
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// [`SecretError::Malformed`]
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError::Malformed)?;
        STANDARD.decode(encoded).map(Self).map_err(|_| SecretError::Malformed)
    }

    /// The text form, for the receiver: `whsec_` and base64.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// The signature of a call at a time in seconds since 1970, as in the header `webhook-signature`.
    pub fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        // HMAC takes a key of any length.
        let Ok(mut hmac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        hmac.update(format!("{id}.{seconds}.").as_bytes());
        hmac.update(body);
        format!("v1,{}", STANDARD.encode(hmac.finalize().into_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::{Secret, SecretError};

    /// The example of the specification.
    #[test]
    fn the_signature_is_that_of_the_specification() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(secret.expose(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn secrets_differ_and_are_not_shown() {
        let (one, other) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        assert_ne!(one.expose(), other.expose());
        assert_eq!(format!("{one:?}"), "Secret(…)");
        assert_eq!(Secret::parse(&one.expose()).unwrap().expose(), one.expose());
        for wrong in ["", "whsec_", "abc", "whsec_!"] {
            let parsed = Secret::parse(wrong).map(|secret| secret.0.len());
            assert!(parsed == Err(SecretError::Malformed) || parsed == Ok(0), "{wrong}");
        }
    }
}
