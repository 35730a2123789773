//! The migrations from an empty database to the current schema, for each engine. A published migration is never changed.
//!
//! Servers of several versions share a database while they are updated one by one. So a migration only adds what the version before does not
//! notice: tables, indexes, and columns with a default in tables of which no statement reads all columns (`*`), as PostgreSQL refuses such a
//! statement once it has other columns than when it was prepared.

use futures_util::future::BoxFuture;
use sqlx::migrate::{Migration, MigrationSource, MigrationType, Migrator};

use crate::store::error::Result;

/// The migrations of an engine: the name and the statements of each, numbered from 1.
#[derive(Debug)]
pub(super) struct Migrations(&'static [(&'static str, &'static str)]);

/// SQLite.
pub(super) const SQLITE: Migrations = Migrations(&[
    ("tables", include_str!("../../../migrations/sqlite/1_tables.sql")),
    ("fair claims", include_str!("../../../migrations/sqlite/2_fair_claims.sql")),
    ("rates", include_str!("../../../migrations/sqlite/3_rates.sql")),
    ("retention", include_str!("../../../migrations/sqlite/4_retention.sql")),
    ("quotas", include_str!("../../../migrations/sqlite/5_quotas.sql")),
    ("archives and secrets", include_str!("../../../migrations/sqlite/6_archives_and_secrets.sql")),
    ("several inputs", include_str!("../../../migrations/sqlite/7_several_inputs.sql")),
    ("several engines", include_str!("../../../migrations/sqlite/8_several_engines.sql")),
    ("callbacks", include_str!("../../../migrations/sqlite/9_callbacks.sql")),
    ("uploads", include_str!("../../../migrations/sqlite/10_uploads.sql")),
    ("key rights", include_str!("../../../migrations/sqlite/11_key_rights.sql")),
    ("overview", include_str!("../../../migrations/sqlite/12_overview.sql")),
    ("upload states", include_str!("../../../migrations/sqlite/13_upload_states.sql")),
    ("key log", include_str!("../../../migrations/sqlite/14_key_log.sql")),
    ("upload names", include_str!("../../../migrations/sqlite/15_upload_names.sql")),
]);

/// PostgreSQL.
pub(super) const POSTGRES: Migrations = Migrations(&[
    ("tables", include_str!("../../../migrations/postgres/1_tables.sql")),
    ("callbacks", include_str!("../../../migrations/postgres/2_callbacks.sql")),
    ("uploads", include_str!("../../../migrations/postgres/3_uploads.sql")),
    ("key rights", include_str!("../../../migrations/postgres/4_key_rights.sql")),
    ("overview", include_str!("../../../migrations/postgres/5_overview.sql")),
    ("upload states", include_str!("../../../migrations/postgres/6_upload_states.sql")),
    ("key log", include_str!("../../../migrations/postgres/7_key_log.sql")),
    ("upload names", include_str!("../../../migrations/postgres/8_upload_names.sql")),
]);

impl Migrations {
    /// What brings a database to this schema. One that a newer version has migrated is left as it is: that has only added to the schema.
    pub(super) async fn migrator(self) -> Result<Migrator> {
        let mut migrator = Migrator::new(self).await?;
        migrator.set_ignore_missing(true);
        Ok(migrator)
    }
}

impl MigrationSource<'static> for Migrations {
    fn resolve(self) -> BoxFuture<'static, Result<Vec<Migration>, Box<dyn std::error::Error + Send + Sync>>> {
        let migrations = (1..).zip(self.0).map(|(version, (name, sql))| {
            Migration::new(version, (*name).into(), MigrationType::Simple, (*sql).into(), false)
        });
        Box::pin(std::future::ready(Ok(migrations.collect())))
    }
}
