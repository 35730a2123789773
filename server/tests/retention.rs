//! How long files and tasks are kept, by a manual clock.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what it does not expect")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use filepress_server::clock::{Clock, ManualClock, SystemClock, Timestamp};
use filepress_server::config::Config;
use filepress_server::serve::RunningServer;
use filepress_server::store::records::{Class, File, Lane, Secrets, Status};
use filepress_server::store::{
    EnqueueResult, FileContent, IdempotencyCheck, NewFile, NewTask, PageRequest, PageStart, UploadResult,
};
use filepress_server::worker::garbage_collector;
use filepress_wire::MediaType;
use serde_json::Map;
use tempfile::TempDir;

const LEASE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

struct Service {
    running: RunningServer,
    clock: ManualClock,
    user: String,
    folder: TempDir,
}

impl Service {
    /// A service whose workers wait for room on the disk: what is queued stays where it is.
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { dev: true, min_free_disk: u64::MAX, ..Config::new(folder.path()) };
        let clock = ManualClock::at(SystemClock.now());
        let running = RunningServer::start(config, Arc::new(clock.clone())).await.unwrap();
        let user = running.app.store.user_for_email("one@example.org", "", clock.now()).await.unwrap().id;
        Self { running, clock, user, folder }
    }

    async fn blob(&self) -> String {
        let mut incoming = self.running.app.blobs.receive(3).await.unwrap();
        incoming.write(&Bytes::from_static(b"abc")).await.unwrap();
        incoming.commit().await.unwrap().name
    }

    async fn declare(&self) -> File {
        let (app, now) = (&self.running.app, self.clock.now());
        let expires_at = now.after(app.config.upload_retention);
        let file = NewFile { id: None, user: self.user.clone(), format: None, size: 3, expires_at };
        app.store.add_file(file, now).await.unwrap()
    }

    async fn upload(&self) -> File {
        let (app, now) = (&self.running.app, self.clock.now());
        let received = FileContent {
            blob: self.blob().await,
            size: 3,
            sha256: "ab".repeat(32),
            sniffed: Some(MediaType::Png),
        };
        let id = self.declare().await.id;
        match app.store.upload(&id, received, now.after(app.config.retention), now).await.unwrap() {
            UploadResult::Kept(file) => file,
            other => panic!("{other:?}"),
        }
    }

    async fn sweep(&self) {
        garbage_collector::sweep(&self.running.app).await.unwrap();
    }

    fn path(&self, blob: &str) -> PathBuf {
        self.folder.path().join("blobs").join(&blob[..2]).join(blob)
    }

    fn has_bytes(&self, file: &File) -> bool {
        self.path(file.blob.as_ref().unwrap()).exists()
    }

    async fn has_record(&self, file: &File) -> bool {
        self.running.app.store.file_by_id(&file.id).await.unwrap().is_some()
    }
}

#[tokio::test]
async fn a_file_is_kept_for_48_hours_after_its_upload() {
    let service = Service::start().await;
    let file = service.upload().await;
    service.clock.advance(48 * HOUR - std::time::Duration::from_nanos(1));
    service.sweep().await;
    assert!(service.has_bytes(&file) && service.has_record(&file).await);
    service.clock.advance(std::time::Duration::from_nanos(1));
    service.sweep().await;
    assert!(!service.has_bytes(&file) && !service.has_record(&file).await);
}

#[tokio::test]
async fn a_file_record_without_content_is_kept_for_24_hours() {
    let service = Service::start().await;
    let file = service.declare().await;
    service.clock.advance(24 * HOUR - std::time::Duration::from_nanos(1));
    service.sweep().await;
    assert!(service.has_record(&file).await);
    service.clock.advance(std::time::Duration::from_nanos(1));
    service.sweep().await;
    assert!(!service.has_record(&file).await);
}

#[tokio::test]
async fn orphaned_blobs_are_deleted_after_a_grace_period() {
    let service = Service::start().await;
    let file = service.upload().await;
    let orphan = service.path(&service.blob().await);
    // It may be that of an upload that is just ending.
    service.sweep().await;
    assert!(orphan.exists());
    service.clock.advance(3 * HOUR);
    service.sweep().await;
    assert!(!orphan.exists() && service.has_bytes(&file));
}

/// What cannot be deleted is a directory here; in an object store it may be an object that is held.
#[tokio::test]
async fn one_content_that_cannot_be_deleted_keeps_no_other() {
    let service = Service::start().await;
    let hold = |path: &Path| {
        std::fs::remove_file(path).unwrap();
        std::fs::create_dir(path).unwrap();
    };
    let mut files = Vec::new();
    for _ in 0..6 {
        files.push(service.upload().await);
    }
    files.sort_by(|one, other| one.blob.cmp(&other.blob));
    files[1..5].iter().for_each(|file| hold(&service.path(file.blob.as_ref().unwrap())));
    service.clock.advance(48 * HOUR);
    garbage_collector::sweep(&service.running.app).await.unwrap_err();
    assert!(!service.has_bytes(&files[0]) && !service.has_bytes(&files[5]));

    let mut orphans = Vec::new();
    for _ in 0..6 {
        orphans.push(service.path(&service.blob().await));
    }
    orphans[1..5].iter().for_each(|path| hold(path));
    service.clock.advance(3 * HOUR);
    garbage_collector::sweep(&service.running.app).await.unwrap_err();
    assert!(!orphans[0].exists() && !orphans[5].exists());
}

#[tokio::test]
async fn an_expired_input_in_use_is_deleted_afterwards() {
    let service = Service::start().await;
    let (app, file) = (&service.running.app, service.upload().await);
    let task = NewTask {
        id: None,
        user: service.user.clone(),
        public: false,
        lane: Lane::Image,
        class: Class::Short,
        input_format: MediaType::Png,
        output_format: MediaType::Webp,
        settings: Map::new(),
        secrets: Secrets::default(),
        input: file.id.clone(),
        more_inputs: Vec::new(),
        callback: None,
        request_id: String::new(),
    };
    let EnqueueResult::Task(task) = app.store.add_task(task, 1, 1, service.clock.now()).await.unwrap() else {
        panic!("not queued");
    };
    service.clock.advance(48 * HOUR - LEASE / 2);
    let claim = app
        .store
        .claim(Lane::Image, "worker", false, LEASE, None, service.clock.now())
        .await
        .unwrap()
        .unwrap();
    service.clock.advance(LEASE / 2);
    service.sweep().await;
    assert!(service.has_bytes(&file));
    // Its owner does not see it any more.
    assert_eq!(app.store.file(&service.user, &file.id, service.clock.now()).await.unwrap(), None);

    assert!(app.store.fail(&claim, Map::new(), service.clock.now()).await.unwrap());
    service.sweep().await;
    assert!(!service.has_bytes(&file));
    let task = app.store.task(&service.user, &task.id).await.unwrap().unwrap();
    assert_eq!((task.status, task.input), (Status::Failed, file.id));
}

#[tokio::test]
async fn an_input_of_a_waiting_task_expires_on_time() {
    let service = Service::start().await;
    let (app, file) = (&service.running.app, service.upload().await);
    let task = NewTask {
        id: None,
        user: service.user.clone(),
        public: false,
        lane: Lane::Image,
        class: Class::Short,
        input_format: MediaType::Png,
        output_format: MediaType::Webp,
        settings: Map::new(),
        secrets: Secrets::default(),
        input: file.id.clone(),
        more_inputs: Vec::new(),
        callback: None,
        request_id: String::new(),
    };
    app.store.add_task(task, 1, 1, service.clock.now()).await.unwrap();
    service.clock.advance(48 * HOUR);
    service.sweep().await;
    assert!(!service.has_bytes(&file));
}

#[tokio::test]
async fn a_task_is_deleted_after_its_retention_and_its_files() {
    let service = Service::start().await;
    let (app, user) = (&service.running.app, service.user.as_str());
    let add = async |key: &str| {
        let IdempotencyCheck::First(id) =
            app.store.begin_idempotent(user, key, &[1; 32], service.clock.now()).await.unwrap()
        else {
            panic!("a new key");
        };
        let task = NewTask {
            id: Some(id.clone()),
            user: user.to_owned(),
            public: false,
            lane: Lane::Image,
            class: Class::Short,
            input_format: MediaType::Png,
            output_format: MediaType::Webp,
            settings: Map::new(),
            input: service.upload().await.id,
            more_inputs: Vec::new(),
            callback: None,
            request_id: String::new(),
            secrets: Secrets::default(),
        };
        app.store.add_task(task, 1000, 1000, service.clock.now()).await.unwrap();
        app.store.complete_idempotent(user, key, &id, 201).await.unwrap();
        id
    };
    let has = async |id: &str| app.store.task(user, id).await.unwrap().is_some();
    let waiting = add("waiting").await;
    service.clock.advance(HOUR);
    let old = add("old").await;
    app.store.cancel(user, &old, service.clock.now()).await.unwrap();
    service.clock.advance(7 * 24 * HOUR - Duration::from_nanos(1));
    service.sweep().await;
    assert!(has(&old).await);
    service.clock.advance(Duration::from_nanos(1));
    let young = add("young").await;
    app.store.cancel(user, &young, service.clock.now()).await.unwrap();
    service.sweep().await;
    assert!(!has(&old).await && has(&young).await && has(&waiting).await);
    // As long as its input is there, even where tasks are kept for a shorter time than files.
    let answered =
        async || app.store.begin_idempotent(user, "young", &[1; 32], service.clock.now()).await.unwrap();
    assert_eq!(app.store.sweep_tasks(service.clock.now()).await.unwrap(), 0);
    let input = app.store.task(user, &young).await.unwrap().unwrap().input;
    app.store.delete_file(user, &input, service.clock.now()).await.unwrap();
    assert_eq!(answered().await, IdempotencyCheck::Replay(young.clone()));
    assert_eq!(app.store.sweep_tasks(service.clock.now()).await.unwrap(), 1);
    assert!(!has(&young).await && has(&waiting).await);
    assert!(matches!(answered().await, IdempotencyCheck::First(id) if id != young));
}

#[tokio::test]
async fn lists_stay_consistent_while_tasks_are_deleted() {
    let service = Service::start().await;
    let (app, user) = (&service.running.app, service.user.as_str());
    let mut inputs = Vec::new();
    for number in 0..1010 {
        if number % 505 == 0 {
            inputs.push(service.upload().await);
        }
        let task = NewTask {
            id: None,
            user: user.to_owned(),
            public: false,
            lane: Lane::Image,
            class: Class::Short,
            input_format: MediaType::Png,
            output_format: MediaType::Webp,
            settings: Map::new(),
            input: inputs[inputs.len() - 1].id.clone(),
            more_inputs: Vec::new(),
            callback: None,
            request_id: String::new(),
            secrets: Secrets::default(),
        };
        let EnqueueResult::Task(task) =
            app.store.add_task(task, 2000, 2000, service.clock.now()).await.unwrap()
        else {
            panic!("not queued");
        };
        app.store.cancel(user, &task.id, service.clock.now()).await.unwrap();
    }
    let page = async |from| app.store.tasks(user, PageRequest { size: 10, from }).await.unwrap();
    let newest = page(PageStart::Start).await;
    let cursor = newest.items[9].created_at;
    // Those of the older input go; more than a batch.
    app.store.delete_file(user, &inputs[0].id, service.clock.now()).await.unwrap();
    assert_eq!(app.store.sweep_tasks(service.clock.now()).await.unwrap(), 505);
    let next = page(PageStart::After(cursor)).await;
    assert!(next.has_newer && next.has_older && next.items.len() == 10);
    assert!(next.items.iter().all(|task| task.created_at < cursor));
    app.store.delete_file(user, &inputs[1].id, service.clock.now()).await.unwrap();
    assert_eq!(app.store.sweep_tasks(service.clock.now()).await.unwrap(), 505);
    let none = page(PageStart::After(cursor)).await;
    assert!(none.items.is_empty() && !none.has_newer && !none.has_older);
}

#[tokio::test]
async fn many_expired_records_are_deleted_in_batches() {
    let service = Service::start().await;
    for _ in 0..520 {
        service.declare().await;
    }
    let kept = service.upload().await;
    service.clock.advance(24 * HOUR);
    service.sweep().await;
    let page =
        filepress_server::store::PageRequest { size: 100, from: filepress_server::store::PageStart::Start };
    // Expired ones are in no list at any rate: they are asked for as they were at the beginning.
    let files = service.running.app.store.files(&service.user, page, Timestamp(0)).await.unwrap();
    assert_eq!(files.items, [kept]);
}
