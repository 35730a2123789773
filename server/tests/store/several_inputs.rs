//! Tasks with several inputs in the database: all of them are claimed, kept and deleted together.

use crate::fixture::{Fixture, HOUR, START, finished};
use filepress_server::store::records::{File, Lane, Task, TaskInput};
use filepress_server::store::{DeleteResult, EnqueueResult, NewTask};
use filepress_wire::MediaType;

async fn files(fixture: &Fixture, count: usize) -> Vec<File> {
    let mut files = Vec::new();
    for _ in 0..count {
        files.push(fixture.file(START).await);
    }
    files
}

fn combined(fixture: &Fixture, files: &[File]) -> NewTask {
    let more = files[1..].iter();
    let more_inputs = more.map(|file| TaskInput { file: file.id.clone(), format: MediaType::Gif }).collect();
    NewTask { more_inputs, output_format: MediaType::Pdf, ..fixture.new_task(&files[0], Lane::Image) }
}

async fn queue(fixture: &Fixture, files: &[File]) -> Task {
    match fixture.store.add_task(combined(fixture, files), 10, 10, START).await.unwrap() {
        EnqueueResult::Task(task) => task,
        other => panic!("{other:?}"),
    }
}

async fn a_claim_has_all_inputs_in_order(fixture: Fixture) {
    let mut files = files(&fixture, 4).await;
    // One comes twice.
    files.push(files[1].clone());
    let task = queue(&fixture, &files).await;
    assert_eq!(task.input_count, 5);
    let claim = fixture.claim(START).await.unwrap();
    assert_eq!(claim.input, files[0]);
    let more: Vec<_> = files[1..].iter().map(|file| (file.clone(), MediaType::Gif)).collect();
    assert_eq!(claim.more_inputs, more);
    let ids: Vec<_> =
        fixture.store.more_inputs(&task).await.unwrap().into_iter().map(|input| input.file).collect();
    assert!(ids.iter().eq(files[1..].iter().map(|file| &file.id)));
    let alone = fixture.queue(START).await;
    assert_eq!(fixture.store.more_inputs(&alone).await.unwrap(), []);
}

async fn every_input_must_exist_when_a_task_is_created_and_when_it_is_claimed(fixture: Fixture) {
    let mut files = files(&fixture, 3).await;
    let empty = fixture.store.add_file(fixture.new_file(START.after(24 * HOUR)), START).await.unwrap();
    let other = fixture.store.user_for_email("two@example.org", "Two", START).await.unwrap().id;
    let mut stranger = combined(&fixture, &files);
    stranger.user = other;
    let with_empty = combined(&fixture, &[files[0].clone(), empty]);
    for task in [stranger, with_empty] {
        assert_eq!(fixture.store.add_task(task, 10, 10, START).await.unwrap(), EnqueueResult::NoInput);
    }
    // The first one is still there when the others have expired.
    files.insert(0, fixture.file(START.after(10 * HOUR)).await);
    let task = queue(&fixture, &files).await;
    assert!(fixture.claim(START.after(49 * HOUR)).await.is_none());
    let failed = fixture.task(&task.id).await;
    assert_eq!(failed.metadata["error"]["code"], "input_gone");
}

async fn no_input_is_deleted_while_the_task_needs_it(fixture: Fixture) {
    let files = files(&fixture, 3).await;
    let task = queue(&fixture, &files).await;
    for file in &files {
        let deleted = fixture.store.delete_file(&fixture.user, &file.id, START).await.unwrap();
        assert_eq!(deleted, DeleteResult::InUse);
    }
    // They expire while a worker reads them.
    let claimed = START.after(48 * HOUR);
    let claim = fixture.claim(claimed.before(HOUR / 60 / 2)).await.unwrap();
    assert_eq!(claim.task.id, task.id);
    assert_eq!(fixture.store.sweep(claimed).await.unwrap(), Vec::<String>::new());
    fixture.store.complete(&claim, finished(claimed), claimed).await.unwrap().unwrap();
    let mut swept = fixture.store.sweep(claimed).await.unwrap();
    let mut expected: Vec<_> = files.iter().filter_map(|file| file.blob.clone()).collect();
    swept.sort();
    expected.sort();
    assert_eq!(swept, expected);
}

async fn a_task_is_kept_until_all_its_inputs_are_gone_and_then_deleted_with_its_list(fixture: Fixture) {
    let mut files = files(&fixture, 2).await;
    let later = START.after(24 * HOUR);
    files.push(fixture.file(later).await);
    let task = queue(&fixture, &files).await;
    assert!(fixture.store.cancel(&fixture.user, &task.id, START).await.is_ok());
    let store = &fixture.store;
    // The first two have expired, the third has not.
    let now = START.after(50 * HOUR);
    assert_eq!(store.sweep(now).await.unwrap().len(), 2);
    assert_eq!(store.sweep_tasks(now).await.unwrap(), 0);
    let now = START.after(80 * HOUR);
    assert_eq!(store.sweep(now).await.unwrap().len(), 1);
    assert_eq!(store.more_inputs(&task).await.unwrap().len(), 2);
    assert_eq!(store.sweep_tasks(now).await.unwrap(), 1);
    assert_eq!(store.more_inputs(&task).await.unwrap(), []);
}

on_both!(
    a_claim_has_all_inputs_in_order,
    every_input_must_exist_when_a_task_is_created_and_when_it_is_claimed,
    no_input_is_deleted_while_the_task_needs_it,
    a_task_is_kept_until_all_its_inputs_are_gone_and_then_deleted_with_its_list,
);
