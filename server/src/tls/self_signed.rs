//! A self-signed certificate for development. It is stored in `DATA/tls/`, so that its fingerprint stays the same.

use std::fs::{File, OpenOptions};
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
    if !(has_content(&files.certificate)? && has_content(&files.key)?) {
        create_private_dir(&folder)?;
        // The certificate goes first and comes last: if this is cut off, the next start makes both again.
        remove(&files.certificate)?;
        let CertifiedKey::<KeyPair> { cert, signing_key } =
            generate_simple_self_signed(names(config)).map_err(io::Error::other)?;
        write(&folder, &files.key, &signing_key.serialize_pem())?;
        write(&folder, &files.certificate, &cert.pem())?;
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

/// Whether there is a file that is not empty.
fn has_content(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(metadata) => Ok(metadata.len() > 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file of the folder whole or not at all.
fn write(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&new, path)?;
    File::open(folder)?.sync_all()
}
