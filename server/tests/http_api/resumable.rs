//! Resumable uploads by tus 1.0, request by request.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::service::{HOUR, PNG, Service, expect, header, id, link, refused};

const OFFSET_TYPE: &str = "application/offset+octet-stream";

impl Service {
    fn tus(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url).header("Tus-Resumable", "1.0.0")
    }

    fn append(&self, url: &str, offset: usize, bytes: &[u8]) -> RequestBuilder {
        let request = self.tus(Method::PATCH, url).header("Upload-Offset", offset);
        request.header(CONTENT_TYPE, OFFSET_TYPE).body(bytes.to_vec())
    }

    /// How many bytes have come, of how many.
    async fn progress(&self, url: &str) -> (String, String) {
        let response = self.tus(Method::HEAD, url).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let headers = response.headers();
        assert_eq!(header(headers, "cache-control"), "no-store");
        assert_eq!(header(headers, "tus-resumable"), "1.0.0");
        (header(headers, "upload-offset").to_owned(), header(headers, "upload-length").to_owned())
    }

    /// The error of a HEAD, whose response has no document.
    async fn refused_head(&self, url: &str) -> u16 {
        self.tus(Method::HEAD, url).send().await.unwrap().status().as_u16()
    }

    async fn create_upload(&self, length: &str) -> reqwest::Response {
        let request = self.request(Method::POST, "/v1/uploads").header("Tus-Resumable", "1.0.0");
        request
            .header("Upload-Length", length)
            .header("Upload-Metadata", "filetype aW1hZ2UvcG5n")
            .send()
            .await
            .unwrap()
    }
}

fn resumable(file: &serde_json::Value) -> String {
    link(file, "resumable").to_owned()
}

#[tokio::test]
async fn bytes_arrive_in_several_requests() {
    let service = Service::start().await;
    let response = service.create_upload(&PNG.len().to_string()).await;
    let url = header(response.headers(), "location").to_owned();
    assert_eq!(header(response.headers(), "upload-expires"), "Fri, 02 Jan 2026 00:00:00 GMT");
    let file = expect(response, StatusCode::CREATED, "FileDocument").await["data"].clone();
    assert_eq!(
        (file["attributes"]["format"].as_str(), link(&file, "resumable")),
        (Some("image/png"), url.as_str())
    );
    let length = PNG.len().to_string();
    assert_eq!(service.progress(&url).await, ("0".to_owned(), length.clone()));
    for range in [0..10, 10..10, 10..40, 40..PNG.len()] {
        let response = service.append(&url, range.start, &PNG[range.clone()]).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        assert_eq!(header(response.headers(), "upload-offset"), range.end.to_string());
        assert_eq!(service.progress(&url).await, (range.end.to_string(), length.clone()));
    }
    let file = service.read(&format!("/v1/files/{}", id(&file)), "FileDocument").await["data"].clone();
    assert!(file["links"]["resumable"].is_null() && file["links"]["upload"].is_null());
    let bytes = service.client.get(link(&file, "download")).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(&bytes[..], PNG);
    service.task(&file).await;
    let left = std::fs::read_dir(service.data.path().join("resumable")).unwrap().count();
    assert_eq!(left, 0);
    refused(service.append(&url, PNG.len(), b"").send().await.unwrap(), 409, "already_uploaded").await;
    refused(service.tus(Method::DELETE, &url).send().await.unwrap(), 409, "already_uploaded").await;
    assert!(service.metrics().await.contains(&format!("direction=\"in\"}} {}", PNG.len())));
}

#[tokio::test]
async fn what_is_wrong_is_refused() {
    let service = Service::start().await;
    let file = service.new_file(10).await;
    let url = resumable(&file);
    let send = async |request: RequestBuilder| request.send().await.unwrap();
    refused(send(service.append(&url, 1, b"a")).await, 409, "upload_offset_mismatch").await;
    refused(send(service.append(&url, 0, &[0; 11])).await, 413, "upload_too_large").await;
    let other_type =
        service.tus(Method::PATCH, &url).header("Upload-Offset", 0).header(CONTENT_TYPE, "image/png");
    refused(send(other_type.body("a")).await, 415, "unsupported_media_type").await;
    let no_offset = service.tus(Method::PATCH, &url).header(CONTENT_TYPE, OFFSET_TYPE).body("a");
    refused(send(no_offset).await, 400, "invalid_header").await;
    let no_version = send(service.client.patch(&url).header("Upload-Offset", 0)).await;
    assert_eq!(header(no_version.headers(), "tus-version"), "1.0.0");
    refused(no_version, 412, "unsupported_tus_version").await;
    for wrong in [url.replace("signature=", "signature=A"), url.split('?').next().unwrap().to_owned()] {
        assert_eq!(service.refused_head(&wrong).await, 403);
        refused(send(service.append(&wrong, 0, b"a")).await, 403, "invalid_signature").await;
        refused(send(service.tus(Method::DELETE, &wrong)).await, 403, "invalid_signature").await;
    }
    // A link for one way does not serve the other.
    let (path, _) = url.split_once('?').unwrap();
    let (_, query) = link(&file, "upload").split_once('?').unwrap();
    assert_eq!(service.refused_head(&format!("{path}?{query}")).await, 403);
    let (path, _) = link(&file, "upload").split_once('?').unwrap();
    let (_, query) = url.split_once('?').unwrap();
    refused(
        send(service.client.put(format!("{path}?{query}")).body("0123456789")).await,
        403,
        "invalid_signature",
    )
    .await;
    for length in ["0", "-1", "", "ten"] {
        refused(service.create_upload(length).await, 400, "invalid_header").await;
    }
    refused(service.create_upload("99999999999999999999").await, 413, "upload_over_maximum").await;
    let no_key = service.client.post(format!("{}/v1/uploads", service.running.local_url));
    refused(
        send(no_key.header("Tus-Resumable", "1.0.0").header("Upload-Length", 1)).await,
        401,
        "unauthorized",
    )
    .await;
    assert_eq!(service.progress(&url).await.0, "0");
}

#[tokio::test]
async fn an_upload_can_be_given_up_and_expires() {
    let service = Service::start().await;
    let file = service.new_file(10).await;
    let url = resumable(&file);
    assert_eq!(service.append(&url, 0, b"abc").send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(service.tus(Method::DELETE, &url).send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(service.refused_head(&url).await, 410);
    refused(service.append(&url, 3, b"d").send().await.unwrap(), 410, "file_expired").await;
    refused(service.get(&format!("/v1/files/{}", id(&file))).send().await.unwrap(), 404, "not_found").await;
    let folder = service.data.path().join("resumable");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);

    let url = resumable(&service.new_file(10).await);
    assert_eq!(service.append(&url, 0, b"abc").send().await.unwrap().status(), StatusCode::NO_CONTENT);
    // Longer than a link for PUT is valid.
    service.clock.advance(23 * HOUR);
    assert_eq!(service.progress(&url).await.0, "3");
    service.clock.advance(2 * HOUR);
    assert_eq!(service.refused_head(&url).await, 410);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    filepress_server::worker::garbage_collector::sweep(&service.running.app).await.unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

/// What came before a connection was cut is kept; and a request that still waits for its body gives way to the next one.
#[tokio::test]
async fn a_cut_connection_keeps_what_came() {
    let service = Service::with(|config| config.dev = true).await;
    let url = resumable(&service.new_file(PNG.len()).await);
    let address = service.running.local_url.strip_prefix("http://").unwrap().to_owned();
    let path = url.split_once(&address).unwrap().1.to_owned();
    let begin = async |offset: usize, bytes: &[u8], more: &str| {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nHost: {address}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {offset}\r\nContent-Type: {OFFSET_TYPE}\r\n\
             {more}Content-Length: {}\r\n\r\n",
            PNG.len() - offset
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    };
    let came = async |count: usize| {
        let line = format!("direction=\"in\"}} {count}");
        while !service.metrics().await.contains(&line) {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    let stream = begin(0, &PNG[..20], "").await;
    came(20).await;
    drop(stream);
    assert_eq!(service.progress(&url).await.0, "20");
    // Bytes that were to be checked are not.
    let stream = begin(20, &PNG[20..25], "Upload-Checksum: sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=\r\n").await;
    came(25).await;
    drop(stream);
    assert_eq!(service.progress(&url).await.0, "20");
    // This one stays open, as if the cut had not been noticed.
    let mut open = begin(20, &PNG[20..30], "").await;
    came(35).await;
    assert_eq!(service.progress(&url).await.0, "30");
    let mut answer = String::new();
    open.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 409 ") && answer.contains("upload_offset_mismatch"), "{answer}");
    let response = service.append(&url, 30, &PNG[30..]).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
}

/// The claim is that of a PATCH on another server.
#[tokio::test]
async fn to_ask_how_far_an_upload_is_changes_nothing() {
    let service = Service::start().await;
    let file = service.new_file(10).await;
    let (url, store) = (resumable(&file), &service.running.app.store);
    assert_eq!(service.progress(&url).await.0, "0");
    assert_eq!(service.append(&url, 0, b"abc").send().await.unwrap().status(), StatusCode::NO_CONTENT);
    let (claim, state) = store.claim_upload(id(&file)).await.unwrap().unwrap();
    assert_eq!(service.progress(&url).await.0, "3");
    assert!(store.record_upload(&claim, &state).await.unwrap(), "the claim was taken");
}

/// The checksums are those of `sha1sum` and `sha256sum`.
#[tokio::test]
async fn bytes_with_another_checksum_are_discarded() {
    let service = Service::start().await;
    let file = service.new_file(10).await;
    let url = resumable(&file);
    let send = async |offset: usize, bytes: &'static [u8], checksum: &str| {
        service.append(&url, offset, bytes).header("Upload-Checksum", checksum).send().await.unwrap()
    };
    const OF_ABC: &str = "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=";
    const OF_DEF: &str = "sha256 y4N5rCCYqhZQKeOTilHaC87PwAj9Z5X0AReGR/lsWzQ=";
    refused(send(0, b"abd", OF_ABC).await, 460, "checksum_mismatch").await;
    assert_eq!(service.progress(&url).await.0, "0");
    assert_eq!(send(0, b"abc", OF_ABC).await.status(), StatusCode::NO_CONTENT);
    // A body that would complete the file, but for its hash.
    refused(send(3, b"1234567", OF_DEF).await, 460, "checksum_mismatch").await;
    refused(send(3, b"abc", OF_DEF).await, 460, "checksum_mismatch").await;
    for unknown in ["md5 kAFQmDzST7DWlj99KOF/cg==", "sha1", "sha1 abc"] {
        refused(send(3, b"abc", unknown).await, 400, "invalid_header").await;
    }
    assert_eq!(service.progress(&url).await.0, "3");
    assert_eq!(send(3, b"def", OF_DEF).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(service.append(&url, 6, b"ghij").send().await.unwrap().status(), StatusCode::NO_CONTENT);
    let file = service.read(&format!("/v1/files/{}", id(&file)), "FileDocument").await["data"].clone();
    let bytes = service.client.get(link(&file, "download")).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(&bytes[..], b"abcdefghij");
}

#[tokio::test]
async fn pages_may_upload() {
    let service =
        Service::with(|config| config.cors_origins = vec!["https://app.example.org".to_owned()]).await;
    let url = resumable(&service.new_file(10).await);
    let preflight = |url: String, method: &'static str| {
        let request =
            service.client.request(Method::OPTIONS, url).header("Origin", "https://app.example.org");
        let wanted = "authorization,tus-resumable,upload-checksum,upload-offset,upload-length,upload-metadata,content-type,x-request-id";
        request
            .header("Access-Control-Request-Method", method)
            .header("Access-Control-Request-Headers", wanted)
            .send()
    };
    let allows = |headers: &HeaderMap, name: &str, value: &str| {
        header(headers, name).split(',').any(|part| part.trim().eq_ignore_ascii_case(value))
    };
    for method in ["HEAD", "PATCH", "DELETE"] {
        let response = preflight(url.clone(), method).await.unwrap();
        let headers = response.headers();
        assert_eq!(header(headers, "access-control-allow-origin"), "*");
        assert!(allows(headers, "access-control-allow-methods", method), "{headers:?}");
        for name in ["tus-resumable", "upload-offset", "upload-checksum", "content-type", "authorization"] {
            assert!(allows(headers, "access-control-allow-headers", name), "{headers:?}");
        }
        assert_eq!(header(headers, "tus-extension"), "creation,expiration,termination,checksum");
        assert_eq!(header(headers, "tus-checksum-algorithm"), "sha1,sha256");
        assert_eq!(header(headers, "tus-max-size"), (2_u64 << 30).to_string());
    }
    let create = format!("{}/v1/uploads", service.running.local_url);
    let response = preflight(create.clone(), "POST").await.unwrap();
    assert_eq!(header(response.headers(), "access-control-allow-origin"), "https://app.example.org");
    for name in ["tus-resumable", "upload-length", "upload-metadata", "authorization"] {
        assert!(allows(response.headers(), "access-control-allow-headers", name), "{name}");
    }
    let response =
        service.tus(Method::HEAD, &url).header("Origin", "https://other.example.org").send().await.unwrap();
    for name in ["upload-offset", "upload-length", "tus-resumable"] {
        assert!(allows(response.headers(), "access-control-expose-headers", name), "{name}");
    }
    // Without an origin, it is the discovery of tus.
    for url in [create, url] {
        let response = service.client.request(Method::OPTIONS, url).send().await.unwrap();
        assert!(response.status().is_success());
        assert_eq!(header(response.headers(), "tus-version"), "1.0.0");
        assert_eq!(header(response.headers(), "tus-extension"), "creation,expiration,termination,checksum");
    }
}
