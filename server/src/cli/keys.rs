//! `keys`: made, listed and revoked, also beside a running service.

use clap::Subcommand;

use super::{Result, print_line, users};
use crate::clock::{Clock, SystemClock};
use crate::config::DataFolder;
use crate::http::api_key::ApiKey;

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Make a key and print it, and nothing else: it cannot be shown again
    Create {
        #[command(flatten)]
        folder: DataFolder,
        /// Whose key it is; a user with this address is made where there is none
        #[arg(long)]
        email: String,
    },
    /// Print every key: id, first characters, user, when it was made and revoked
    List {
        #[command(flatten)]
        folder: DataFolder,
    },
    /// Revoke a key at once
    Revoke {
        #[command(flatten)]
        folder: DataFolder,
        /// Its id or its first characters, as `list` prints them
        key: String,
    },
}

impl Keys {
    pub(super) fn folder(&self) -> &DataFolder {
        match self {
            Self::Create { folder, .. } | Self::List { folder } | Self::Revoke { folder, .. } => folder,
        }
    }

    pub(super) async fn run(self) -> Result<()> {
        let now = SystemClock.now();
        match self {
            Self::Create { folder, email } => {
                let store = users::open(folder).await?;
                let user = store.user_for_email(users::check_email(&email)?, "", now).await?;
                let key = ApiKey::generate()?;
                store.add_key(&user.id, key.prefix(), &key.hash(), now).await?;
                print_line(key.expose())
            }
            Self::List { folder } => {
                for (key, user) in users::open_existing(folder).await?.keys().await? {
                    let revoked = key.revoked_at.map_or_else(String::new, |at| at.to_seconds_text());
                    let created = key.created_at.to_seconds_text();
                    print_line(format_args!(
                        "{}\t{}…\t{}\t{created}\t{revoked}",
                        key.id, key.prefix, user.email
                    ))?;
                }
                Ok(())
            }
            Self::Revoke { folder, key } => {
                let given = key.trim_end_matches('…');
                match users::open_existing(folder).await?.revoke_key(given, now).await? {
                    true => print_line(format_args!("revoked {given}…")),
                    false => Err("no valid key has this id or begins like this".into()),
                }
            }
        }
    }
}
