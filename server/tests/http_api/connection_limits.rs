//! Denial-of-service attacks by many connections (partial heads, partial handshakes, slow transfers), from one
//! address and from many. Counts show that other clients are served.

use std::net::Ipv4Addr;
use std::time::Duration;

use crate::connections::Raw;
use crate::service::{PNG, Service, link};

const HALF_HEAD: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-";

/// 127.0.0.2 and on.
fn attacker(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, 2 + number)
}

/// Waits until a count is as expected: the service hears of a connection a moment after the client does.
async fn counted(service: &Service, line: &str) {
    while !service.metrics().await.lines().any(|told| told == line) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Connections that each send `begin`.
async fn crowd(service: &Service, addresses: u8, each: usize, begin: &str) -> Vec<Raw> {
    let mut crowd = Vec::new();
    for _ in 0..each {
        for number in 0..addresses {
            let mut raw = Raw::from(attacker(number), service).await;
            raw.send(begin).await;
            crowd.push(raw);
        }
    }
    crowd
}

async fn is_served(service: &Service) {
    let response = service.get("/v1/users/me").send().await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn connections_per_address_are_limited() {
    let service = Service::with(|config| {
        config.max_connections = 40;
        config.max_unfinished_per_address = 5;
    })
    .await;
    let mut crowd = crowd(&service, 1, 60, "\u{16}").await;
    counted(&service, r#"filepress_connections_ended_total{how="gave_way",share="unfinished"} 55"#).await;
    counted(&service, "filepress_connections 5").await;
    is_served(&service).await;
    for raw in &mut crowd[..55] {
        assert!(raw.ends().await, "the oldest give way");
    }
}

#[tokio::test]
async fn the_limit_per_address_counts_all_connections() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections_per_address = 4;
    })
    .await;
    let mut idle = crowd(&service, 1, 4, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    for raw in &mut idle {
        assert_eq!(raw.head().await.0, 200);
    }
    let mut fifth = Raw::from(attacker(0), &service).await;
    fifth.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(fifth.head().await.0, 200);
    counted(&service, r#"filepress_connections_ended_total{how="gave_way",share="address"} 1"#).await;
    assert_eq!(idle[0].rest().await, "ok\n", "the one that idled longest is closed");
}

#[tokio::test]
async fn incomplete_requests_are_evicted_for_a_new_connection() {
    for tls in [true, false] {
        let service = Service::with(|config| {
            config.dev = !tls;
            config.max_connections = 100;
        })
        .await;
        let mut crowd = crowd(&service, 49, 4, if tls { "\u{16}\u{3}" } else { HALF_HEAD }).await;
        counted(&service, r#"filepress_connections_ended_total{how="gave_way",share="all"} 96"#).await;
        counted(&service, "filepress_connections 100").await;
        is_served(&service).await;
        for raw in &mut crowd[..97] {
            assert!(raw.ends().await, "the oldest give way");
        }
    }
}

#[tokio::test]
async fn an_active_request_is_not_evicted() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections = 2;
    })
    .await;
    let file = service.new_file(PNG.len()).await;
    let url = link(&file, "upload");
    let path = &url[url.find("/v1/").unwrap()..];
    let mut upload = Raw::from(attacker(0), &service).await;
    let head = format!("PUT {path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
    let head = head.replace("Length: 4", &format!("Length: {}", PNG.len()));
    upload.send(&head).await;
    assert_eq!(upload.head().await.0, 100, "the request is served");
    let crowd = crowd(&service, 5, 4, HALF_HEAD).await;
    counted(&service, "filepress_connections 2").await;
    upload.send_bytes(PNG).await;
    assert_eq!(upload.head().await.0, 201);
    drop(crowd);
}

#[tokio::test]
async fn only_the_slowest_transfer_is_evicted() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections = 2;
        // A transfer counts as slow after a second.
        config.min_transfer_rate.window = Duration::from_secs(6);
        config.min_transfer_rate.rate = 100;
    })
    .await;
    let mut uploads = Vec::new();
    for (number, bytes) in [(0, 200_000), (1, 1)] {
        let file = service.new_file(1 << 20).await;
        let mut raw = Raw::from(attacker(number), &service).await;
        raw.begin_upload(link(&file, "upload"), 1 << 20, &"a".repeat(bytes)).await;
        uploads.push(raw);
    }
    let mut newcomers = 0;
    loop {
        // Refused until a transfer is old enough to be called slow.
        let mut newcomer = Raw::from(attacker(2), &service).await;
        newcomers += 1;
        newcomer.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
        if newcomer.status().await == Some(200) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(newcomers < 1000);
    assert!(uploads[1].ends().await, "the slower one gave way");
    uploads[0].send_bytes(&vec![b'a'; (1 << 20) - 200_000]).await;
    assert_eq!(uploads[0].head().await.0, 201);
}

#[tokio::test]
async fn behind_a_proxy_the_requests_of_a_client_are_limited() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections_per_address = 2;
        config.max_unfinished_per_address = 2;
        config.trusted_proxies = vec!["127.0.0.2/32".parse().unwrap()];
    })
    .await;
    let client =
        |address: &str| format!("Host: a\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: {address}\r\n");
    let mut uploads = Vec::new();
    for _ in 0..2 {
        let file = service.new_file(4).await;
        let url = link(&file, "upload");
        let path = &url[url.find("/v1/").unwrap()..];
        let mut raw = Raw::from(attacker(0), &service).await;
        let own = client("198.51.100.1");
        raw.send(&format!("PUT {path} HTTP/1.1\r\n{own}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n"))
            .await;
        assert_eq!(raw.head().await.0, 100);
        uploads.push(raw);
    }
    for (address, status) in [("198.51.100.1", 429), ("198.51.100.2", 200), ("spoofed, 198.51.100.1", 429)] {
        let mut raw = Raw::from(attacker(0), &service).await;
        raw.send(&format!("GET /healthz HTTP/1.1\r\n{}Connection: close\r\n\r\n", client(address))).await;
        assert_eq!(raw.head().await.0, status, "{address}");
        assert_eq!(raw.rest().await.contains("\"too_many_connections\""), status == 429);
    }
    for mut raw in uploads {
        raw.send("four").await;
        assert_eq!(raw.head().await.0, 201, "what is under way goes on");
    }
}

#[tokio::test]
async fn behind_several_proxies_the_last_address_that_is_none_of_them_counts() {
    let service = Service::with(|config| {
        config.dev = true;
        config.max_connections_per_address = 1;
        config.trusted_proxies = ["127.0.0.2/32", "203.0.113.0/24"].map(|net| net.parse().unwrap()).to_vec();
    })
    .await;
    let request = |line: &str, forwarded: &str| {
        format!("{line} HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: {forwarded}\r\n")
    };
    let file = service.new_file(4).await;
    let url = link(&file, "upload");
    let upload = format!("PUT {}", &url[url.find("/v1/").unwrap()..]);
    for (client, others) in [
        (
            "192.0.2.7",
            &["192.0.2.7, 203.0.113.9", "192.0.2.7:51034, 203.0.113.5", "192.0.2.7:1, 203.0.113.5:2"],
        ),
        ("192.0.2.7", &["192.0.2.7", "192.0.2.8, 192.0.2.7", "192.0.2.8\r\nX-Forwarded-For: 192.0.2.7"]),
        (
            "192.0.2.7",
            &["none, 192.0.2.7", ", 192.0.2.7, 203.0.113.5", "203.0.113.5, 192.0.2.7, 203.0.113.5"],
        ),
        ("[2001:db8::1]:443", &["2001:db8::1", "[2001:db8::2], 203.0.113.5", "2001:db8::3, 203.0.113.5"]),
    ] {
        let mut raw = Raw::from(attacker(0), &service).await;
        let head = request(&upload, &format!("{client}, 203.0.113.5"));
        raw.send(&format!("{head}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")).await;
        assert_eq!(raw.head().await.0, 100);
        let strangers =
            ["192.0.2.8, 203.0.113.5", "192.0.2.7, 192.0.2.8", "none, 203.0.113.5", "203.0.113.5"];
        let own = others.iter().map(|own| (own, 429));
        for (forwarded, status) in own.chain(strangers.iter().map(|stranger| (stranger, 200))) {
            let mut raw = Raw::from(attacker(0), &service).await;
            raw.send(&format!("{}Connection: close\r\n\r\n", request("GET /healthz", forwarded))).await;
            assert_eq!(raw.head().await.0, status, "{forwarded}");
            raw.rest().await;
        }
    }
}

#[tokio::test]
async fn a_client_that_reads_too_slowly_is_disconnected() {
    let service = Service::with(|config| {
        config.dev = true;
        config.min_transfer_rate.window = Duration::from_millis(300);
        config.min_transfer_rate.rate = 1 << 20;
    })
    .await;
    let file = service.file(&vec![7; 16 << 20]).await;
    let url = link(&file, "download");
    let mut slow = Raw::from(attacker(0), &service).await;
    slow.send(&format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", &url[url.find("/v1/").unwrap()..])).await;
    assert_eq!(slow.head().await.0, 200);
    let mut taken = 0;
    while let Some(count) = slow.take(4096).await {
        taken += count;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(taken < 16 << 20, "all of it came");
    is_served(&service).await;
}
