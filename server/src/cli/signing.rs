//! `signing`: replaces the key that signs URLs.

use clap::Subcommand;

use super::{Result, drop_privileges, print_line};
use crate::clock::{Clock, SystemClock};
use crate::config::Settings;
use crate::signing::Signer;

#[derive(Debug, Subcommand)]
pub(super) enum Signing {
    /// Create a new signing key; a running service picks it up, and URLs of the old key stay valid until they expire
    Rotate(Box<Settings>),
}

impl Signing {
    pub(super) fn run(self) -> Result<()> {
        let Self::Rotate(settings) = self;
        let settings = settings.with_file()?;
        drop_privileges::for_data_folder(&settings)?;
        let config = settings.into_config()?;
        // The URL of a public file is valid as long as the file is kept.
        let longest = config.url_lifetime.max(config.retention);
        Signer::rotate(&config.data, longest, SystemClock.now())?;
        print_line("rotated the signing key")
    }
}
