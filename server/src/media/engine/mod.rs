//! `filepress-server engine`: the work that decodes images with the engine of filepress, in a child process that may crash or run out
//! of memory. One request ([`Request`]) converts or inspects an image, writes an image onto a page of a PDF, makes an APNG, or
//! recompresses the streams of a PDF.
//!
//! It reads and writes only files in the current directory, and prints one line of JSON ([`response::Response`]). It is started for
//! each request, so startup must be fast.

mod convert;
mod encode_cost;
mod escape_test;
mod image_to_pdf;
mod jpeg;
mod pdf_file;
mod pdf_streams;
mod png_exif;
mod png_idat;
mod response;
mod webp_to_apng;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

pub(super) use convert::{Conversion, ImageSource, InputLimits, parse};
pub(super) use escape_test::{CONFINED, ESCAPE_TEST, FILES_OUTSIDE};
pub(super) use image_to_pdf::Embedding;
pub(super) use pdf_streams::{ImageCompression, PdfRecoding};
pub(super) use response::{EngineOutput, Response, Warning, in_api_terms};
pub(super) use webp_to_apng::ApngConversion;

/// A request to the engine: the argument of the subcommand, as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// Image → image.
    Convert(Conversion),
    /// Inspect the header of an image, and check that the image is complete.
    Inspect(ImageSource),
    /// An image onto the next page of a PDF.
    Embed(Embedding),
    /// Animated WebP → APNG, which ffmpeg can read.
    WebpToApng(ApngConversion),
    /// Recompress the streams of a PDF.
    Recode(PdfRecoding),
}

/// Runs the subcommand; `arguments` follow its name.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let first = arguments.next().and_then(|argument| argument.into_string().ok()).unwrap_or_default();
    if first == ESCAPE_TEST {
        return answer(&escape_test::run(Path::new(&arguments.next().unwrap_or_default())));
    }
    let Ok(request) = serde_json::from_str(&first) else {
        super::print_error("engine: invalid arguments");
        return ExitCode::FAILURE;
    };
    let made = match request {
        Request::Convert(conversion) => conversion.run(),
        Request::Inspect(inspection) => inspection.run(),
        Request::Embed(embedding) => embedding.run(),
        Request::WebpToApng(conversion) => conversion.run(),
        Request::Recode(recoding) => recoding.run(),
    };
    let reply = match made {
        Ok(made) => Response::Success(made),
        Err(fault) => Response::Failure(fault),
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
