//! The end of a task of which its worker does not hear.

use rustix::process::Signal;
use serde_json::json;
use sqlx::{Connection, PgConnection};

use crate::proxy::Proxy;
use crate::service::{eventually, noise, read_log};
use crate::{Cluster, LONG_LEASE, postgres};

/// Which of the cluster's folders is the worker's.
const WORKER: usize = 9;

/// A commit that records an output waits for the lock 7.
const SLOW_COMMIT: &str = "
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON files DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.blob IS NOT NULL) EXECUTE FUNCTION wait();
    SELECT pg_advisory_lock(7);
";
/// The ports of the connections that wait for it.
const WAITING: &str = "
    SELECT client_port FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()
";

/// The connection breaks while the database commits, and the worker has no time to ask again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_output_stays_while_it_is_unknown_whether_it_was_recorded() {
    let mut cluster = Cluster::new().await;
    let (_api, api) = cluster.api().await;
    let port = postgres::server().port;
    let line = Proxy::to(port).await;
    let database = cluster.database.replace(&format!(":{port}/"), &format!(":{}/", line.port));
    let worker = cluster.start(WORKER, "worker", &database, &LONG_LEASE).await;
    let mut connection = PgConnection::connect(&cluster.database).await.unwrap();
    sqlx::raw_sql(SLOW_COMMIT).execute(&mut connection).await.unwrap();

    let input = api.upload(&noise(16, 1)).await.unwrap();
    let id = api.convert(&input, "image/png", json!({})).await.unwrap();
    let port: i32 =
        eventually(async || sqlx::query_scalar(WAITING).fetch_optional(&mut connection).await.unwrap()).await;
    worker.signal(Signal::TERM);
    let data = cluster.folder.path().join(WORKER.to_string());
    eventually(async || read_log(&data).contains("stopping").then_some(())).await;
    line.break_one(u16::try_from(port).unwrap());
    assert!(worker.ended().await.success());

    sqlx::query("SELECT pg_advisory_unlock(7)").execute(&mut connection).await.unwrap();
    let ended = api.ended(&id).await;
    assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED", "{ended}");
    assert!(api.download(&ended["data"]["links"]["download"]).await.starts_with(b"\x89PNG"));
}
