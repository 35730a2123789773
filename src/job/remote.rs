//! The job for a server: the pair of types, and the options as settings of a task.

use crate::error::{Error, ErrorCode, Result};
use crate::job::ignored::meaningless;
use crate::media::{self, Traits};
use crate::options::{Anchor, Fit, MetadataPolicy, Options, Resize};
use crate::value::{OrAuto, Value};
use filepress_wire::MediaClass::{Audio, Document, Image, Video};
use filepress_wire::MediaType;

/// A conversion by a server, with every setting decided.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteJob {
    /// Type of the input.
    pub input: MediaType,
    /// Type of the output.
    pub output: MediaType,
    /// Settings of the task by the server's names (`server/README.md`, "Settings of a task"). Options that were not
    /// given are absent.
    pub settings: Value,
    /// Names of options that have no effect on this pair.
    pub ignored: Vec<&'static str>,
}

/// Decides what `options` mean for a server.
///
/// # Errors
/// [`ErrorCode::UnsupportedPair`] with the detail `outputs`; [`ErrorCode::InvalidOption`] for options that no server has;
/// [`ErrorCode::LosslessUnsupported`] if the tool of a server is always lossy. The caller checks [`ErrorCode::InputTooLarge`].
pub(super) fn plan(input: MediaType, output: MediaType, options: &Options) -> Result<RemoteJob> {
    if !becomes(input, output) {
        return Err(unsupported(input, output));
    }
    if let Some(option) = unsupported_geometry(options) {
        return Err(meaningless(option, "the server"));
    }
    if options.lossless == Some(true) && is_lossy(input, output) {
        let message = [output.name(), " is not lossless here."].concat();
        return Err(Error::new(ErrorCode::LosslessUnsupported, message));
    }
    let (from, into) = (input.class(), output.class());
    let is_animation = from == Video && matches!(output, MediaType::Gif | MediaType::Webp);
    let mut ignored = Vec::new();
    let mut only = |is_meant: bool, is_given: bool, name: &'static str| {
        if is_given && !is_meant {
            ignored.push(name);
        }
        is_meant && is_given
    };
    let pictures = matches!(into, Image | Document);
    let asked = match options.quality {
        Some(OrAuto::Value(quality)) => Some(quality),
        _ => None,
    };
    let quality = only(pictures && asked.is_some(), options.quality.is_some(), "quality");
    let lossless = only(pictures, options.lossless == Some(true), "lossless");
    let effort = only(into == Image, options.effort.is_some(), "effort");
    let sized = into != Audio && (from, into) != (Document, Document);
    let resize = only(sized, options.resize.is_some(), "resize");
    let painted = (from == Image || into == Image) && !is_animation;
    let background = only(painted, options.background.is_some(), "background");
    let format = media::local_support(output).filter(|_| into == Image);
    let has = |traits| format.is_some_and(|format| format.has(traits));
    let colors = only(has(Traits::PALETTE), options.colors.is_some(), "colors");
    let dither = only(has(Traits::PALETTE), options.dither.is_some(), "dither");
    let chroma = only(has(Traits::CHROMA), options.chroma.is_some(), "chroma");
    only(false, options.min_score.is_some(), "minScore");
    only(false, options.animation.is_some() && from != Video, "animation");
    only(false, options.hdr.is_some(), "hdr");
    only(false, options.fonts.is_some(), "fonts");
    let number = |number: u64| Value::Number(number as f64);
    let mut settings = Vec::new();
    let mut set = |name: &str, value: Option<Value>| {
        settings.extend(value.map(|value| (name.to_owned(), value)));
    };
    set("optimize", (input == output).then_some(Value::Bool(true)));
    set("quality", asked.filter(|_| quality).map(|quality| number(quality.into())));
    set("target_size", options.target_size.map(number));
    set("lossless", lossless.then_some(Value::Bool(true)));
    set("effort", options.effort.filter(|_| effort).map(|effort| number(effort.into())));
    set("colors", options.colors.filter(|_| colors).map(|colors| number(colors.into())));
    set("dither", options.dither.filter(|_| dither).map(Value::Number));
    set("chroma", options.chroma.filter(|_| chroma).map(|chroma| chroma.as_str().into()));
    set("resize", options.resize.filter(|_| resize).map(size));
    set("background", options.background.filter(|_| background).map(|color| Value::String(color.to_hex())));
    let strips = |metadata| Value::Bool(metadata != MetadataPolicy::Keep);
    set("strip_metadata", options.metadata.map(strips));
    Ok(RemoteJob { input, output, settings: Value::Object(settings), ignored })
}

/// The name of an option that changes the picture as no server can. Without it, the output would show something else.
fn unsupported_geometry(options: &Options) -> Option<&'static str> {
    let of_resize = |resize: Resize| match resize {
        Resize { fit: Fit::Outside | Fit::Contain, .. } => Some("resize.fit"),
        Resize { position, .. } if position != Anchor::default() => Some("resize.position"),
        _ => None,
    };
    let overlay = options.overlay.as_ref().map(|_| "overlay");
    options.edit.name().or(overlay).or_else(|| options.resize.and_then(of_resize))
}

/// Whether the tool of a server for this pair has no lossless mode.
fn is_lossy(input: MediaType, output: MediaType) -> bool {
    match output {
        MediaType::Gif => input.class() == Video,
        _ => output.class() == Document && input.class() == Image,
    }
}

fn size(resize: Resize) -> Value {
    let Resize { width, height, max_width, max_height, fit, .. } = resize;
    let mut members = Vec::new();
    for (name, side) in
        [("width", width), ("height", height), ("max_width", max_width), ("max_height", max_height)]
    {
        members.extend(side.map(|side| (name.to_owned(), Value::Number(side.into()))));
    }
    let fit = match fit {
        Fit::Fill => "fill",
        Fit::Inside | Fit::Outside | Fit::Contain => "inside",
        Fit::Cover => "cover",
    };
    members.push(("fit".to_owned(), Value::String(fit.to_owned())));
    Value::Object(members)
}

/// The pairs of the API. A server may lack the tool for some of them and says so itself.
fn becomes(input: MediaType, output: MediaType) -> bool {
    // Nothing writes HEIC.
    let is_raster = !matches!(output, MediaType::Svg | MediaType::Heic);
    match (input.class(), output.class()) {
        (Image, Image) => is_raster || (input == MediaType::Svg && output == MediaType::Svg),
        (Image, Document) => input != MediaType::Heic,
        // A GIF or WebP may be animated; the server checks it.
        (Image, Video) => matches!(input, MediaType::Gif | MediaType::Webp),
        (Video | Document, Image) => is_raster,
        (Document, Document) | (Video, Video | Audio) | (Audio, Audio) => true,
        _ => false,
    }
}

fn unsupported(input: MediaType, output: MediaType) -> Error {
    let outputs: Vec<&'static str> =
        MediaType::ALL.into_iter().filter(|other| becomes(input, *other)).map(MediaType::as_str).collect();
    let message = format!(
        "{} cannot become {}; `details.outputs` has the formats that it can.",
        input.name(),
        output.name()
    );
    Error::new(ErrorCode::UnsupportedPair, message)
        .with_detail("type", output.as_str())
        .with_detail("outputs", outputs)
}
