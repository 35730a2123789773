//! `users`: creates the owners of API keys, and prints what their callbacks are signed with.

use std::time::Duration;

use clap::Subcommand;

use super::{Result, print_line};
use crate::callbacks::Secret;
use crate::clock::{Clock, SystemClock, Timestamp};
use crate::config::{self, DataFolder};
use crate::key_input::check_email;
use crate::store::Store;

#[derive(Debug, Subcommand)]
pub(super) enum Users {
    /// Create a user, or find the one with this address, and print the id
    Create {
        #[command(flatten)]
        folder: DataFolder,
        /// E-mail address, unique among users
        #[arg(long)]
        email: String,
        /// Name to display
        #[arg(long, default_value = "")]
        name: String,
    },
    /// Print the secret that signs the callbacks of a user's tasks; create it if there is none
    CallbackSecret {
        #[command(flatten)]
        folder: DataFolder,
        /// E-mail address of an existing user
        #[arg(long)]
        email: String,
        /// Replace it first; callbacks are signed by the old one too for 24 hours
        #[arg(long)]
        rotate: bool,
    },
}

/// How long a replaced secret still signs.
const KEEP_SECRET: Duration = Duration::from_secs(24 * 3600);

impl Users {
    pub(super) fn folder(&self) -> &DataFolder {
        match self {
            Self::Create { folder, .. } | Self::CallbackSecret { folder, .. } => folder,
        }
    }

    pub(super) async fn run(self) -> Result<()> {
        match self {
            Self::Create { folder, email, name } => {
                let store = open(folder).await?;
                let user = store.user_for_email(check_email(&email)?, &name, now(&store)).await?;
                print_line(user.id)
            }
            Self::CallbackSecret { folder, email, rotate } => {
                let store = open_existing(folder).await?;
                let user = store.user_with_email(&email).await?.ok_or("no user has this e-mail address")?;
                let (fresh, now) = (Secret::generate()?.expose(), now(&store));
                if rotate {
                    store.rotate_callback_secret(&user.id, &fresh, KEEP_SECRET, now).await?;
                }
                print_line(store.callback_secrets(&user.id, &fresh, now).await?.current)
            }
        }
    }
}

/// The time by the clock of the database, if it has one.
pub(super) fn now(store: &Store) -> Timestamp {
    store.clock().map_or_else(|| SystemClock.now(), |clock| clock.now())
}

/// Opens the PostgreSQL database, or that of a data directory; creates the latter if it does not exist.
pub(super) async fn open(folder: DataFolder) -> Result<Store> {
    let settings = folder.into_settings().with_file()?;
    if let Some(url) = settings.database()? {
        return Ok(Store::connect(url.expose()).await?);
    }
    let data = settings.data()?;
    crate::private_dir::create_private_dir(data)?;
    Ok(Store::open(&config::database(data)).await?)
}

/// Opens the PostgreSQL database, or that of a data directory, which must exist.
pub(super) async fn open_existing(folder: DataFolder) -> Result<Store> {
    let settings = folder.into_settings().with_file()?;
    if let Some(url) = settings.database()? {
        return Ok(Store::connect(url.expose()).await?);
    }
    let path = config::database(settings.data()?);
    if !path.try_exists()? {
        return Err(format!("{} does not exist", path.display()).into());
    }
    Ok(Store::open(&path).await?)
}
