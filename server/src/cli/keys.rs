//! `keys`: creates, lists and revokes API keys; works while the service runs.

use clap::Subcommand;

use super::{Result, print_line, users};
use crate::config::DataFolder;
use crate::http::api_key::ApiKey;

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Create a key and print it; it cannot be shown again
    Create {
        #[command(flatten)]
        folder: DataFolder,
        /// E-mail address of the key's owner; creates the user if there is none
        #[arg(long)]
        email: String,
    },
    /// List all keys: id, first characters, user, creation time, revocation time
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
}

impl Keys {
    pub(super) fn folder(&self) -> &DataFolder {
        match self {
            Self::Create { folder, .. } | Self::List { folder } | Self::Revoke { folder, .. } => folder,
        }
    }

    pub(super) async fn run(self) -> Result<()> {
        match self {
            Self::Create { folder, email } => {
                let store = users::open(folder).await?;
                let now = users::now(&store);
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
                let store = users::open_existing(folder).await?;
                match store.revoke_key(given, users::now(&store)).await? {
                    true => print_line(format_args!("revoked {given}…")),
                    false => Err("no active key has this id or these first characters".into()),
                }
            }
        }
    }
}
