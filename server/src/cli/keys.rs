//! `keys`: creates, lists and revokes API keys, and shows what they were used for; works while the service runs.

use std::pin::pin;
use std::time::Duration;

use clap::{Args, Subcommand};
use futures_util::TryStreamExt;

use super::{Result, print_line, users};
use crate::clock::Timestamp;
use crate::config::{DataFolder, DurationText};
use crate::http::api_key::ApiKey;
use crate::key_input::{check_email, check_name};
use crate::scopes::Scopes;
use crate::store::records::{Key, KeyEvent, KeyRights, User};

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Create a key and print it; it cannot be shown again
    Create {
        #[command(flatten)]
        folder: DataFolder,
        /// E-mail address of the key's owner; creates the user if there is none
        #[arg(long)]
        email: String,
        #[command(flatten)]
        rights: Rights,
    },
    /// List all keys: id, first characters, user, creation time, revocation time, end, last use, scopes, name
    List {
        #[command(flatten)]
        folder: DataFolder,
    },
    /// Revoke a key immediately
    Revoke {
        #[command(flatten)]
        folder: DataFolder,
        /// Id or first characters of the key, as `list` prints them
        key: String,
    },
    /// List what happened: time, first characters, event, method, path, status, address, request id
    Log {
        #[command(flatten)]
        folder: DataFolder,
        /// Only of this key: id or first characters, as `list` prints them
        #[arg(long)]
        key: Option<String>,
        /// How far to go back
        #[arg(long, value_name = "TIME", default_value = "7d")]
        since: DurationText,
    },
}

/// What a new key may do, and until when.
#[derive(Debug, Args)]
pub(super) struct Rights {
    /// What the key is for
    #[arg(long, default_value = "", value_parser = check_name)]
    name: String,
    /// How long the key is valid [default: until it is revoked]
    #[arg(long, value_name = "TIME")]
    expires: Option<DurationText>,
    /// What the key may do: all (without admin), or some of files:read, files:write, tasks:read, tasks:write, admin
    #[arg(long, default_value = "all")]
    scopes: Scopes,
}

impl Keys {
    pub(super) fn folder(&self) -> &DataFolder {
        match self {
            Self::Create { folder, .. }
            | Self::List { folder }
            | Self::Revoke { folder, .. }
            | Self::Log { folder, .. } => folder,
        }
    }

    pub(super) async fn run(self) -> Result<()> {
        match self {
            Self::Create { folder, email, rights } => create(folder, &email, rights).await,
            Self::List { folder } => {
                let keys = users::open_existing(folder).await?.keys().await?;
                keys.iter().try_for_each(|(key, user)| print_key(key, user))
            }
            Self::Revoke { folder, key } => {
                let given = without_ellipsis(&key);
                let store = users::open_existing(folder).await?;
                match store.revoke_key(given, users::now(&store)).await? {
                    true => print_line(format_args!("revoked {given}…")),
                    false => Err("no active key has this id or these first characters".into()),
                }
            }
            Self::Log { folder, key, since } => {
                let store = users::open_existing(folder).await?;
                let start = users::now(&store).before(since.into());
                let mut events = pin!(store.key_log(key.as_deref().map(without_ellipsis), start));
                while let Some((event, prefix)) = events.try_next().await? {
                    print_event(&event, &prefix)?;
                }
                Ok(())
            }
        }
    }
}

async fn create(folder: DataFolder, email: &str, rights: Rights) -> Result<()> {
    let lifetime = rights.expires.map(Duration::from);
    if lifetime.is_some_and(|lifetime| lifetime.is_zero()) {
        return Err("expires: the key would never be valid".into());
    }
    let store = users::open(folder).await?;
    let now = users::now(&store);
    let expires_at = lifetime.map(|lifetime| now.after(lifetime));
    let rights = KeyRights { name: rights.name, scopes: rights.scopes, expires_at };
    let user = store.user_for_email(check_email(email)?, "", now).await?;
    let key = ApiKey::generate()?;
    store.add_key(&user.id, key.prefix(), &key.hash(), &rights, now).await?;
    print_line(key.expose())
}

fn print_key(key: &Key, user: &User) -> Result<()> {
    let KeyRights { name, scopes, expires_at } = &key.rights;
    print_line(format_args!(
        "{}\t{}…\t{}\t{}\t{}\t{}\t{}\t{scopes}\t{name}",
        key.id,
        key.prefix,
        user.email,
        key.created_at.to_seconds_text(),
        text(key.revoked_at),
        text(*expires_at),
        text(key.used_at),
    ))
}

fn print_event(KeyEvent { at, kind, request, .. }: &KeyEvent, prefix: &str) -> Result<()> {
    let start = format!("{}\t{prefix}…\t{}", at.to_seconds_text(), kind.as_str());
    match request {
        None => print_line(start),
        Some(request) => print_line(format_args!(
            "{start}\t{}\t{}\t{}\t{}\t{}",
            request.method,
            request.path,
            request.status,
            request.address.as_deref().unwrap_or_default(),
            request.request_id
        )),
    }
}

fn text(time: Option<Timestamp>) -> String {
    time.map_or_else(String::new, Timestamp::to_seconds_text)
}

fn without_ellipsis(key: &str) -> &str {
    key.trim_end_matches('…')
}
