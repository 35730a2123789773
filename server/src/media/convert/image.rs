//! Image → image, by the engine.

use super::context::{Context, SOURCE};
use super::processing_metadata::Facts;
use crate::media::engine::{Conversion, Request};
use crate::media::{Done, Failure};

pub(super) async fn run(context: &Context<'_>) -> Result<Done, Failure> {
    let plan = context.plan;
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            source: context.image(SOURCE, plan.input),
            output: output.clone(),
            options: plan.settings.engine_options(plan.output),
            seconds: context.seconds_left(),
        }))
        .await?;
    let engine = context.engine_name(None);
    let facts = (Facts::of_input(&made), Facts::of_output(&made));
    let same_picture = plan.input == plan.output && made.input_size == made.output_size;
    let is_larger = context.size_of(&output).await.is_some_and(|size| size > context.input_size);
    if made.unchanged || (same_picture && !plan.settings.changes_content() && is_larger) {
        return Ok(context.keep_original(engine, facts.0, made.warnings));
    }
    context.finish(&output, engine, facts, made.warnings).await
}
