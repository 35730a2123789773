//! Video → one frame as an image: the first, or the one at `trim.start`. ffmpeg extracts it, the engine encodes it.

use filepress_wire::{MediaType, TaskErrorCode};

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use super::{input_probe, loss_warnings};
use crate::media::engine::{Conversion, Request};
use crate::media::ffmpeg::filters::{self, SizeConstraints};
use crate::media::{ConversionResult, Failure};

/// The frame that ffmpeg extracts.
const FRAME: &str = "frame.png";
const CONSTRAINTS: SizeConstraints = SizeConstraints { step: 1, max_width: u32::MAX };

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let demuxer = input_probe::demuxer(context).await?;
    let info = context.probe_input(demuxer, INPUT_FILE).await?;
    let pictures = input_probe::pictures(&info)?;
    input_probe::length(&info, plan.settings.trim)?;
    let scaling = filters::scaling((pictures.width, pictures.height), None, CONSTRAINTS, 1.0);
    let mut call = context.ffmpeg_command(demuxer, INPUT_FILE, FRAME.to_owned());
    call.decoder = pictures.decoder();
    call.limits.bytes = None;
    context.ffmpeg(call.frame(&filters::still(pictures, &scaling, None)), (0.0, 1), (0.0, 0.5)).await?;
    if context.size_of(FRAME).await.is_none() {
        let detail = "There is no video frame at `trim.start`.";
        return Err(Failure::file(TaskErrorCode::TrimOutOfRange, detail));
    }
    let output = context.output_name();
    let made = context
        .engine(&Request::Convert(Conversion {
            source: context.image(FRAME, MediaType::Png),
            output: output.clone(),
            options: plan.settings.engine_options(plan.output),
            seconds: context.seconds_left(),
        }))
        .await?;
    // If the engine could not make the PNG smaller, the extracted frame is the output.
    let file = if made.unchanged { FRAME } else { &output };
    let engine = format!("{}, {}", context.ffmpeg_name(), context.engine_name(None));
    let info = (FileProperties::of_stream(&info), FileProperties::of_output(&made));
    let warnings = [loss_warnings::of_frames(pictures), made.warnings].concat();
    context.finish(file, engine, info, warnings).await
}
