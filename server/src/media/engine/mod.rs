//! `filepress-server engine`: one image by the engine of filepress, in a child that may crash, hang or run out of memory.
//!
//! It reads and writes files of the current folder alone, and answers with one line of JSON ([`response::Reply`]). It is started
//! for each image, so nothing is set up here that is not needed.

mod convert;
mod document;
mod encode_cost;
mod escape_test;
mod jpeg;
mod pdf;
mod png_idat;
mod response;
mod webp_to_apng;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

pub(super) use convert::{Bounds, Conversion, Inspection, parse};
pub(super) use document::{Recoding, Squeeze};
pub(super) use escape_test::{CONFINED, FILES_OUTSIDE, TRIAL};
pub(super) use pdf::Embedding;
pub(super) use response::{Made, Reply, Warning, in_our_words};
pub(super) use webp_to_apng::Unfolding;

/// What the engine is asked to do; the argument of the subcommand, as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// An image into an image.
    Convert(Conversion),
    /// Facts from the header.
    Inspect(Inspection),
    /// An image into a PDF of one page.
    Embed(Embedding),
    /// An animated WebP into an APNG, which ffmpeg can read.
    Unfold(Unfolding),
    /// The streams of a PDF into fewer bytes.
    Recode(Recoding),
}

/// Runs the subcommand; `arguments` are those behind its name.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let first = arguments.next().and_then(|argument| argument.into_string().ok()).unwrap_or_default();
    if first == TRIAL {
        return answer(&escape_test::run(Path::new(&arguments.next().unwrap_or_default())));
    }
    let Ok(request) = serde_json::from_str(&first) else {
        super::complain("engine: wrong arguments");
        return ExitCode::FAILURE;
    };
    let made = match request {
        Request::Convert(conversion) => conversion.run(),
        Request::Inspect(inspection) => inspection.run(),
        Request::Embed(embedding) => embedding.run(),
        Request::Unfold(unfolding) => unfolding.run(),
        Request::Recode(recoding) => recoding.run(),
    };
    let reply = match made {
        Ok(made) => Reply::Made(made),
        Err(fault) => Reply::Fault(fault),
    };
    match serde_json::to_string(&reply) {
        Ok(reply) => answer(&reply),
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer(line: &str) -> ExitCode {
    match writeln!(std::io::stdout(), "{line}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
