//! Image → PDF: the engine puts it on a page of its size.

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use crate::media::engine::{Embedding, Request};
use crate::media::{ConversionResult, Failure};

/// Pixels to an inch where none are asked for.
const DEFAULT_DPI: u32 = 150;

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let output = context.output_name();
    let mut options = plan.settings.engine_options(plan.output);
    options.remove("to");
    let made = context
        .engine(&Request::Embed(Embedding {
            source: context.image(INPUT_FILE, plan.input),
            output: output.clone(),
            options,
            strip: plan.settings.strip_metadata,
            dpi: plan.settings.dpi.unwrap_or(DEFAULT_DPI),
        }))
        .await?;
    let info = (FileProperties::of_input(&made), FileProperties::of_document(1));
    context.finish(&output, context.engine_name(None), info, made.warnings).await
}
