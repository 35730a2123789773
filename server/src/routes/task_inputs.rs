//! The inputs of a new task: reads their ids from the document, finds the files, and determines their types.

use std::collections::HashSet;
use std::sync::Arc;

use filepress_wire::documents::{FileKind, NewTask};
use filepress_wire::{ErrorCode, MediaType};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::content;
use crate::app::App;
use crate::clock::Timestamp;
use crate::http::body::MAX_INPUTS;
use crate::http::document_reader::Member;
use crate::http::error::{ApiError, Result};
use crate::store::records::File;

/// The pointer to the list of several inputs.
pub(super) const INPUTS: &str = "/data/relationships/inputs";
/// The pointer to the id of the only input.
pub(super) const INPUT: &str = "/data/relationships/input/data/id";
const INPUT_FORMAT: &str = "/data/attributes/format/input";
/// Files that are looked for at once: what was sent to an object store takes several requests.
const AT_ONCE: usize = 8;

/// The ids in the document of a new task. An invalid id gets 404 later.
pub(super) fn ids(data: &Member<'_>) -> Result<Vec<String>> {
    let relationships = data.get("relationships")?.ok_or_else(|| data.lacks("relationships"))?;
    match (relationships.get("input")?, relationships.get("inputs")?) {
        (Some(_), Some(inputs)) => Err(inputs.wrong("cannot be combined with `input`")),
        (Some(input), None) => Ok(vec![identifier(&input.get("data")?.ok_or_else(|| input.lacks("data"))?)?]),
        (None, Some(inputs)) => {
            let data = inputs.get("data")?.ok_or_else(|| inputs.lacks("data"))?;
            let items = data.items()?;
            if items.is_empty() || items.len() > MAX_INPUTS {
                return Err(data.wrong(&format!("must have 1 to {MAX_INPUTS} items")));
            }
            unique_ids(&items)
        }
        (None, None) => Err(relationships.lacks("input")),
    }
}

/// The ids of a list. A file occurs once, as in every to-many relationship of JSON:API (section "Resource linkage").
fn unique_ids(items: &[Member<'_>]) -> Result<Vec<String>> {
    let mut ids = Vec::with_capacity(items.len());
    let mut seen = HashSet::with_capacity(items.len());
    for item in items {
        let id = identifier(item)?;
        if !seen.insert(id.clone()) {
            return Err(item.wrong("is in the list already"));
        }
        ids.push(id);
    }
    Ok(ids)
}

/// The id in the identifier of a file.
fn identifier(identifier: &Member<'_>) -> Result<String> {
    let kind = identifier.get("type")?.ok_or_else(|| identifier.lacks("type"))?;
    if kind.text()? != FileKind::NAME {
        return Err(kind.wrong("must be \"files\""));
    }
    let id = identifier.get("id")?.ok_or_else(|| identifier.lacks("id"))?;
    id.text().map(str::to_owned)
}

/// The pointer to the id of an input.
fn pointer(is_list: bool, index: usize) -> String {
    if is_list { format!("{INPUTS}/data/{index}/id") } else { INPUT.to_owned() }
}

/// The input files with their types, in order. `is_list`: the document lists them as `inputs`.
pub(super) async fn find(
    app: &Arc<App>,
    user: &str,
    new: &NewTask,
    is_list: bool,
    now: Timestamp,
) -> Result<Vec<(File, MediaType)>> {
    let ids = new.inputs.iter().enumerate();
    let found: Vec<_> = ids
        .map(|(index, id)| {
            let pointer = pointer(is_list, index);
            find_one(app, user, id, new.input_format, pointer, now)
        })
        .collect();
    stream::iter(found).buffered(AT_ONCE).try_collect().await
}

async fn find_one(
    app: &Arc<App>,
    user: &str,
    id: &str,
    stated: Option<MediaType>,
    pointer: String,
    now: Timestamp,
) -> Result<(File, MediaType)> {
    let file = app.store.file(user, id, now).await?;
    let file = file.ok_or_else(|| ApiError::not_found().at(&*pointer))?;
    let file = content::arrived(app, file).await.map_err(|error| match content::is_refusal(&error) {
        true => error.at(&*pointer),
        false => error,
    })?;
    if file.blob.is_none() {
        let detail = "The input file has no content yet; upload it first.";
        return Err(ApiError::new(ErrorCode::FileNotUploaded, detail).at(pointer));
    }
    let format = format(&file, stated, &pointer)?;
    Ok((file, format))
}

/// The type of the input: that of the file. The stated type and the recognized type must agree with it.
fn format(file: &File, stated: Option<MediaType>, pointer: &str) -> Result<MediaType> {
    let mismatch = |detail: String| Err(ApiError::new(ErrorCode::FormatMismatch, detail).at(INPUT_FORMAT));
    if file.is_archive {
        return mismatch("The file is a ZIP archive, which cannot be an input.".to_owned());
    }
    match (file.format, file.sniffed, stated) {
        (Some(format), _, Some(stated)) if format != stated => {
            mismatch(format!("The file is {format}, not {stated}."))
        }
        (Some(format), Some(sniffed), _) if format != sniffed => {
            let detail = format!("The file was declared as {format}, but its content is {sniffed}.");
            Err(ApiError::new(ErrorCode::FormatMismatch, detail).at(pointer))
        }
        (Some(format), ..) => Ok(format),
        (None, _, Some(stated)) => Ok(stated),
        (None, _, None) => {
            let detail = "The type of the file was not recognized; set format.input.";
            Err(ApiError::new(ErrorCode::UnknownFormat, detail).at(pointer))
        }
    }
}
