//! HEIC → image: libheif decodes it, the engine encodes it.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use crate::media::engine::{Conversion, ImageSource, Request, Warning};
use crate::media::heif_commands::{self, Images};
use crate::media::{ConversionResult, Failure};

/// The name of the decoded image, without extension.
const DECODED: &str = "decoded";
/// The factor between the limits of the pixels of all images and of one.
const TOTAL_PIXELS: u64 = 4;
/// The share of decoding in the progress, estimated.
const DECODING: f64 = 0.5;

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let images = images(context).await?;
    let decoded = decode(context, &images).await?;
    context.progress(DECODING);
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            // libheif has turned it, but older versions leave the orientation in EXIF.
            source: ImageSource { is_upright: true, ..context.image(&decoded, MediaType::Png) },
            output: output.clone(),
            options: plan.settings.engine_options(plan.output),
            seconds: context.seconds_left(),
        }))
        .await?;
    let mut warnings = made.warnings.clone();
    if images.count() > 1 {
        let message =
            format!("The file has {} images; the output contains only the main one.", images.count());
        warnings.push(Warning::new("pages_dropped", message));
    }
    let libheif = context.environment.tools.libheif.as_ref().map(|libheif| &libheif.convert);
    let engine =
        format!("{}, {}", context.engine_name(Some(("libheif", libheif))), context.engine_name(None));
    let info = (FileProperties::of_input(&made), FileProperties::of_output(&made));
    context.finish(&output, engine, info, warnings).await
}

/// The images of the input, after a check of their sizes: all of them will be decoded.
async fn images(context: &Context<'_>) -> Result<Images, Failure> {
    let program = context.environment.tools.libheif.as_ref().map(|libheif| &libheif.info);
    let finished = context.tool(program, heif_commands::heif_info(INPUT_FILE), None).await?;
    let images = Images::read(&String::from_utf8_lossy(&finished.stdout)).filter(|_| finished.is_success());
    let images = images.ok_or_else(|| heif_commands::failure(&finished))?;
    let limit = context.job.limits.pixels;
    if images.max_pixels() > limit {
        let detail = format!("An image has {} pixels; the maximum is {limit}.", images.max_pixels());
        return Err(Failure::file(TaskErrorCode::TooManyPixels, detail));
    }
    // A few bytes can be the content of many images.
    let (total, limit) = (images.total_pixels(), limit.saturating_mul(TOTAL_PIXELS));
    if total > limit {
        let detail = format!("The images have {total} pixels together; the maximum is {limit}.");
        return Err(Failure::file(TaskErrorCode::TooManyPixels, detail));
    }
    Ok(images)
}

/// Decodes the input; the name of the main image's file.
async fn decode(context: &Context<'_>, images: &Images) -> Result<String, Failure> {
    let program = context.environment.tools.libheif.as_ref().map(|libheif| &libheif.convert);
    let arguments = heif_commands::heif_convert(INPUT_FILE, &format!("{DECODED}.png"));
    let finished = context.tool(program, arguments, None).await?;
    let decoded = images.primary_file(DECODED);
    if !finished.is_success() || context.size_of(&decoded).await.is_none() {
        return Err(heif_commands::failure(&finished));
    }
    Ok(decoded)
}
