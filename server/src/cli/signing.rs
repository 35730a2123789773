//! `signing`: replaces the key that signs URLs.

use clap::Subcommand;

use super::{Result, drop_privileges, print_line, users};
use crate::clock::{Clock, SystemClock};
use crate::config::{Config, Settings};
use crate::serve::signing_keys;
use crate::signing::Signer;
use crate::store::Store;

#[derive(Debug, Subcommand)]
pub(super) enum Signing {
    /// Create a new signing key; a running service picks it up, and URLs of the old key stay valid until they expire
    Rotate(Box<Settings>),
}

impl Signing {
    /// Switches to the user whose keys they are.
    pub(super) fn prepare(self) -> Result<Config> {
        let Self::Rotate(settings) = self;
        let settings = settings.with_file()?;
        drop_privileges::for_data_folder(&settings)?;
        Ok(settings.into_config()?)
    }

    pub(super) async fn run(config: Config) -> Result<()> {
        let longest = config.longest_link();
        if config.database_url.is_none() && config.signing_keys.is_none() {
            // The database need not exist, nor be free.
            Signer::rotate(&config.data, longest, SystemClock.now())?;
        } else {
            let store = Store::of(&config).await?;
            signing_keys::rotate(&config, &store, longest, users::now(&store)).await?;
        }
        print_line("rotated the signing key")
    }
}
