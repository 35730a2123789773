//! Video → animated GIF or WebP by ffmpeg. The engine re-encodes the result for `target_size`, `effort`, and the quality and palette of
//! a GIF.

use filepress_wire::MediaType;
use serde_json::json;

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use super::{input_probe, loss_warnings, output_limits};
use crate::media::engine::{Conversion, Request};
use crate::media::ffmpeg::filters::{self, SizeConstraints};
use crate::media::{ConversionResult, Failure};

/// The name of ffmpeg's output if the engine re-encodes it.
const STEM: &str = "frames";
/// The default quality of WebP.
const DEFAULT_QUALITY: u8 = 75;
/// The maximum frame rate: browsers slow down faster animations.
const MAX_FPS: f64 = 50.0;

const CONSTRAINTS: SizeConstraints = SizeConstraints { step: 1, max_width: 16_383 };

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let settings = &plan.settings;
    let demuxer = input_probe::demuxer(context).await?;
    let info = context.probe_input(demuxer, INPUT_FILE).await?;
    let pictures = input_probe::pictures(&info)?;
    let length = input_probe::length(&info, settings.trim)?;
    let scaling = filters::scaling((pictures.width, pictures.height), settings.resize, CONSTRAINTS, 1.0);
    let fps = settings.fps.map(|fps| fps.min(MAX_FPS)).or((pictures.fps > MAX_FPS).then_some(MAX_FPS));
    output_limits::check(context.job.limits, &scaling, pictures, (length, fps))?;
    let chain = filters::still(pictures, &scaling, fps);

    let is_gif = plan.output == MediaType::Gif;
    let has_palette = settings.quality.is_some() || settings.colors.is_some() || settings.dither.is_some();
    let again = settings.target_size.is_some() || settings.effort.is_some() || (is_gif && has_palette);
    let output = context.output_name();
    let first = if again { super::context::name_of(STEM, plan.output) } else { output.clone() };
    let mut call = context.ffmpeg_command(demuxer, INPUT_FILE, first.clone());
    call.decoder = pictures.decoder();
    if again {
        call.limits.bytes = None;
    }
    let arguments = match is_gif {
        true => call.gif(&chain),
        false => {
            call.webp(&chain, settings.quality.unwrap_or(DEFAULT_QUALITY), settings.lossless == Some(true))
        }
    };
    let frames = (length * fps.unwrap_or(pictures.fps)) as u64;
    let share = if again { 0.6 } else { 0.95 };
    let progress = context.ffmpeg(arguments, (length, frames), (0.0, share)).await?;

    let mut warnings = loss_warnings::of_animation(settings, &info, pictures, fps);
    let mut file = output.clone();
    let mut size = scaling.size;
    if again {
        let mut options = settings.engine_options(plan.output);
        options.remove("resize");
        options.insert("animation".to_owned(), json!("keep"));
        let again = Conversion {
            source: context.image(&first, plan.output),
            output,
            options,
            seconds: context.seconds_left(),
        };
        let made = context.engine(&Request::Convert(again)).await?;
        if made.unchanged {
            file = first;
        }
        size = made.output_size;
        warnings.extend(made.warnings);
    }
    let made =
        FileProperties { picture: Some(size), frames: Some(progress.frames), ..FileProperties::default() };
    context.finish(&file, context.ffmpeg_name(), (FileProperties::of_stream(&info), made), warnings).await
}
