//! Image → image, by the image engine.

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use crate::media::engine::{Conversion, Request};
use crate::media::{ConversionResult, Failure};

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            source: context.image(INPUT_FILE, plan.input),
            output: output.clone(),
            options: plan.settings.engine_options(plan.output),
            seconds: context.seconds_left(),
        }))
        .await?;
    let engine = context.engine_name(None);
    let info = (FileProperties::of_input(&made), FileProperties::of_output(&made));
    let same_picture = plan.input == plan.output && made.input_size == made.output_size;
    let is_larger = context.size_of(&output).await.is_some_and(|size| size > context.input_size);
    if made.unchanged || (same_picture && !plan.settings.changes_content() && is_larger) {
        return Ok(context.keep_original(engine, info.0, made.warnings));
    }
    context.finish(&output, engine, info, made.warnings).await
}
