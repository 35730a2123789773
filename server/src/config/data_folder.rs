//! The settings of commands that only need the rows.

use std::path::PathBuf;

use clap::Args;

use super::Settings;
use super::database::DatabaseUrl;

/// Where the rows are.
#[derive(Debug, Clone, Args)]
pub struct DataFolder {
    /// Directory of the database, the files and the keys
    #[arg(long, env = "FILEPRESS_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// PostgreSQL database [default: SQLite in `data`]
    #[arg(long, env = "FILEPRESS_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<DatabaseUrl>,
    /// TOML file that may set `data`, `database` and `user`
    #[arg(long, env = "FILEPRESS_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// As root: switch to this user [default: the owner of the directory]
    #[arg(long, env = "FILEPRESS_USER", value_name = "NAME")]
    user: Option<String>,
}

impl DataFolder {
    /// Converts to [`Settings`]; all other settings come from the file.
    pub fn into_settings(self) -> Settings {
        Settings {
            data: self.data,
            database: self.database,
            config: self.config,
            user: self.user,
            ..Settings::default()
        }
    }
}
