//! A self-signed certificate for development. It is stored in `DATA/tls/`, so that its fingerprint stays the same.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};

use crate::config::{Config, TlsFiles};
use crate::private_dir::create_private_dir;

/// The files of the certificate; creates them if they do not exist.
pub(super) fn files(config: &Config) -> io::Result<TlsFiles> {
    let folder = config.data.join("tls");
    let files = TlsFiles { certificate: folder.join("self-signed.crt"), key: folder.join("self-signed.key") };
    if !(files.certificate.try_exists()? && files.key.try_exists()?) {
        create_private_dir(&folder)?;
        let CertifiedKey::<KeyPair> { cert, signing_key } =
            generate_simple_self_signed(names(config)).map_err(io::Error::other)?;
        write(&files.key, &signing_key.serialize_pem())?;
        write(&files.certificate, &cert.pem())?;
    }
    Ok(files)
}

/// The subject names of the certificate: loopback, the listening address, and the host of `public-url`.
fn names(config: &Config) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    if !config.listen.ip().is_unspecified() {
        names.push(config.listen.ip().to_string());
    }
    let public = config.public_url.as_deref().and_then(|url| url.parse::<http::Uri>().ok());
    names.extend(
        public.as_ref().and_then(http::Uri::host).map(|host| host.trim_matches(['[', ']']).to_owned()),
    );
    names.sort();
    names.dedup();
    names
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
