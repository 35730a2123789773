//! An update of the servers one by one: a later version has migrated the database, and those of this version work on and can be restarted.

use rustix::process::Signal;
use serde_json::json;

use crate::service::{Client, noise};
use crate::{Cluster, LONG_LEASE, postgres, task};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_work_on_and_start_again_when_a_later_one_has_migrated() {
    let mut cluster = Cluster::new().await;
    let (one, first) = cluster.api().await;
    let (_two, second) = cluster.api().await;
    let worker = cluster.node("worker", &LONG_LEASE).await;
    let converted = async |client: &Client, number: u32| {
        let input = client.upload(&noise(64, number)).await.unwrap();
        let id = client.convert(&input, "image/png", json!({})).await.unwrap();
        let ended = client.ended(&id).await;
        assert_eq!(ended["data"]["attributes"]["status"], "COMPLETED", "{ended}");
        id
    };
    // Enough for every connection to have its statements prepared.
    for number in 0..8 {
        converted(if number % 2 == 0 { &first } else { &second }, number).await;
    }
    let under_way = first.long_work().await.unwrap();
    postgres::migrate_further(&cluster.database).await;
    for number in 8..16 {
        converted(if number % 2 == 0 { &first } else { &second }, number).await;
    }
    assert_eq!(second.ended(&under_way).await["data"]["attributes"]["status"], "COMPLETED");
    assert_eq!(task(&second, &under_way).await["processing_metadata"]["attempt"], 1);
    // Servers 1 and 3 are restarted as they are.
    for server in [one, worker] {
        server.signal(Signal::TERM);
        assert!(server.ended().await.success());
    }
    let one = cluster.start(1, "api", &cluster.database, &[]).await;
    let _worker = cluster.start(3, "worker", &cluster.database, &LONG_LEASE).await;
    let first = Client::new(&one, &cluster.key);
    let id = converted(&first, 16).await;
    assert_eq!(task(&second, &id).await["status"], "COMPLETED");
}
