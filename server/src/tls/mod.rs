//! The certificate of the service: loaded from files, or self-signed and stored.

mod self_signed;

use std::fmt::{self, Write};
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};

use crate::config::{Config, TlsFiles};

/// The current certificate.
pub struct Certificates {
    files: TlsFiles,
    provider: Arc<CryptoProvider>,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Certificates {
    /// Loads the configured files, else the self-signed certificate of the data directory, which is created if needed.
    ///
    /// # Errors
    /// If the files cannot be read, or the key does not belong to the certificate.
    pub fn open(config: &Config) -> io::Result<Arc<Self>> {
        let files = match &config.tls {
            Some(files) => files.clone(),
            None => self_signed::files(config)?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let current = RwLock::new(Arc::new(read(&files, &provider)?));
        Ok(Arc::new(Self { files, provider, current }))
    }

    /// Reloads the files. Open connections keep the old certificate.
    ///
    /// # Errors
    /// As [`Certificates::open`]; the old certificate stays in use.
    pub fn reload(&self) -> io::Result<()> {
        let read = Arc::new(read(&self.files, &self.provider)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }

    /// The SHA-256 of the certificate, as browsers and OpenSSL print it: `AB:CD:…`.
    pub fn fingerprint(&self) -> String {
        let digest = self.current().cert.first().map(Sha256::digest).unwrap_or_default();
        digest.iter().enumerate().fold(String::new(), |mut text, (index, byte)| {
            let separator = if index == 0 { "" } else { ":" };
            let _ = write!(text, "{separator}{byte:02X}");
            text
        })
    }

    /// TLS 1.2 and 1.3 with these certificates, for HTTP/1.1.
    ///
    /// # Errors
    /// If the crypto provider does not support these versions.
    pub fn server_config(self: &Arc<Self>) -> io::Result<Arc<ServerConfig>> {
        let builder = ServerConfig::builder_with_provider(Arc::clone(&self.provider));
        let builder = builder.with_safe_default_protocol_versions().map_err(io::Error::other)?;
        let resolver = Arc::<Self>::clone(self);
        let mut config = builder.with_no_client_auth().with_cert_resolver(resolver);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }

    fn current(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current())
    }
}

impl fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Certificates").field("files", &self.files).finish_non_exhaustive()
    }
}

fn read(files: &TlsFiles, provider: &CryptoProvider) -> io::Result<CertifiedKey> {
    let chain = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| named(&files.certificate, error))?;
    if chain.is_empty() {
        return Err(named(&files.certificate, "the file contains no certificate"));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| named(&files.key, error))?;
    CertifiedKey::from_der(chain, key, provider).map_err(|error| named(&files.key, error))
}

fn named(path: &std::path::Path, error: impl fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
}
