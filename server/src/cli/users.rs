//! `users`: the owners of keys.

use clap::Subcommand;

use super::{Result, print_line};
use crate::clock::{Clock, SystemClock};
use crate::config::{self, DataFolder};
use crate::store::Store;

#[derive(Debug, Subcommand)]
pub(super) enum Users {
    /// Make a user, or find the one with this address, and print the id
    Create {
        #[command(flatten)]
        folder: DataFolder,
        /// The address, unique
        #[arg(long)]
        email: String,
        /// A name for people
        #[arg(long, default_value = "")]
        name: String,
    },
}

impl Users {
    pub(super) fn folder(&self) -> &DataFolder {
        let Self::Create { folder, .. } = self;
        folder
    }

    pub(super) async fn run(self) -> Result<()> {
        let Self::Create { folder, email, name } = self;
        let now = SystemClock.now();
        let user = open(folder).await?.user_for_email(check_email(&email)?, &name, now).await?;
        print_line(user.id)
    }
}

/// The database of a data folder, which is made where there is none.
pub(super) async fn open(folder: DataFolder) -> Result<Store> {
    let settings = folder.into_settings().with_file()?;
    let data = settings.data()?;
    crate::private_dir::create_private_dir(data)?;
    Ok(Store::open(&config::database(data)).await?)
}

/// The database of a data folder that was made before.
pub(super) async fn open_existing(folder: DataFolder) -> Result<Store> {
    let settings = folder.into_settings().with_file()?;
    let path = config::database(settings.data()?);
    if !path.try_exists()? {
        return Err(format!("there is no {}", path.display()).into());
    }
    Ok(Store::open(&path).await?)
}

/// An address has something on both sides of one `@`; only sending to it would tell more.
pub(super) fn check_email(email: &str) -> Result<&str> {
    let parts = email.split_once('@');
    let proper = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c == '@' || c.is_whitespace() || c.is_control())
    };
    match parts {
        Some((local, domain)) if proper(local) && proper(domain) => Ok(email),
        _ => Err(format!("{email:?} is no e-mail address").into()),
    }
}
