//! URLs with headers in the signature: Signature Version 4 in the query (Amazon S3 API Reference, "Authenticating Requests: Using Query
//! Parameters"). `object_store` signs URLs too, but no header except `Host`.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use hmac::{Hmac, Mac};
use object_store::aws::AwsCredential;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use url::{Position, Url};

use crate::blobs::folder::hex_digest;
use crate::clock::Timestamp;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// Everything but the unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The longest time that a URL may be valid.
const MAX_LIFETIME: Duration = Duration::from_secs(7 * 24 * 3600);

/// A request that a URL allows.
pub(super) struct Presigned<'a> {
    pub(super) method: &'a str,
    /// The headers that it must have beside `Host`, in lower case and in the order of the alphabet, in which they come before that.
    pub(super) headers: &'a [(&'a str, String)],
    pub(super) region: &'a str,
    pub(super) lifetime: Duration,
}

impl Presigned<'_> {
    /// Signs a URL, which has no query.
    pub(super) fn sign(&self, url: &Url, credential: &AwsCredential, now: Timestamp) -> io::Result<String> {
        let date = now.to_seconds_text().replace(['-', ':'], "");
        let day = date.split('T').next().unwrap_or_default();
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let (mut headers, mut names) = (String::new(), String::new());
        for (name, value) in self.headers {
            headers.push_str(&format!("{name}:{value}\n"));
            names.push_str(&format!("{name};"));
        }
        headers.push_str(&format!("host:{}\n", &url[Position::BeforeHost..Position::AfterPort]));
        names.push_str("host");
        let lifetime = self.lifetime.min(MAX_LIFETIME).as_secs().to_string();
        let key = format!("{}/{scope}", credential.key_id);
        // In the order that the signature demands.
        let query = [
            ("X-Amz-Algorithm", Some(ALGORITHM)),
            ("X-Amz-Credential", Some(&key)),
            ("X-Amz-Date", Some(&date)),
            ("X-Amz-Expires", Some(&lifetime)),
            ("X-Amz-Security-Token", credential.token.as_deref()),
            ("X-Amz-SignedHeaders", Some(&names)),
        ];
        let pairs = query
            .iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", utf8_percent_encode((*value)?, RESERVED))));
        let query = pairs.collect::<Vec<_>>().join("&");
        let request =
            format!("{}\n{}\n{query}\n{headers}\n{names}\nUNSIGNED-PAYLOAD", self.method, url.path());
        let hash = hex_digest(Sha256::new_with_prefix(request));
        let mut secret = format!("AWS4{}", credential.secret_key).into_bytes();
        for part in scope.split('/') {
            secret = mac(&secret, part)?;
        }
        let signature = mac(&secret, &format!("{ALGORITHM}\n{date}\n{scope}\n{hash}"))?;
        let mut signed = format!("{url}?{query}&X-Amz-Signature=");
        for byte in signature {
            write!(signed, "{byte:02x}").map_err(io::Error::other)?;
        }
        Ok(signed)
    }
}

fn mac(secret: &[u8], message: &str) -> io::Result<Vec<u8>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(io::Error::other)?;
    mac.update(message.as_bytes());
    Ok(mac.finalize().into_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use object_store::aws::AwsCredential;

    use super::Presigned;
    use crate::clock::Timestamp;

    /// 24 May 2013.
    const NOW: Timestamp = Timestamp(1_369_353_600_000_000_000);

    fn credential(token: Option<&str>) -> AwsCredential {
        AwsCredential {
            key_id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            token: token.map(str::to_owned),
        }
    }

    /// The example of the reference.
    #[test]
    fn the_signature_is_that_of_the_reference() {
        let request = Presigned {
            method: "GET",
            headers: &[],
            region: "us-east-1",
            lifetime: Duration::from_secs(86_400),
        };
        let url = "https://examplebucket.s3.amazonaws.com/test.txt".parse().unwrap();
        let signed = request.sign(&url, &credential(None), NOW).unwrap();
        assert_eq!(
            signed,
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
             &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z\
             &X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
             &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        );
    }

    #[test]
    fn the_size_and_the_token_are_signed() {
        let signed = |size: u64, token: Option<&str>| {
            let headers = [("content-length", size.to_string())];
            let lifetime = Duration::from_secs(1 << 40);
            let put = Presigned { method: "PUT", headers: &headers, region: "eu-central-1", lifetime };
            put.sign(&"http://127.0.0.1:9000/files/a".parse().unwrap(), &credential(token), NOW).unwrap()
        };
        let url = signed(7, Some("a/b+c"));
        assert!(url.contains(
            "&X-Amz-Expires=604800&X-Amz-Security-Token=a%2Fb%2Bc&X-Amz-SignedHeaders=content-length%3Bhost&"
        ));
        assert!(!url.contains("wJalr"));
        assert_ne!(url, signed(8, Some("a/b+c")));
        assert_ne!(signed(7, None), signed(8, None));
    }
}
