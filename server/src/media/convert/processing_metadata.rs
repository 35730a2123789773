//! Properties of an input or output file, as shown in `processing_metadata`.

use serde_json::{Map, Value, json};

use crate::media::engine::EngineOutput;
use crate::media::ffmpeg::media_info;

/// The known properties; unknown ones are omitted.
#[derive(Debug, Clone, Default)]
pub(super) struct FileProperties {
    /// Bytes.
    pub(super) size: u64,
    pub(super) picture: Option<(u32, u32)>,
    /// Seconds.
    pub(super) duration: Option<f64>,
    pub(super) codec: Option<String>,
    pub(super) audio_codec: Option<String>,
    pub(super) frames: Option<u64>,
    pub(super) fps: Option<f64>,
    pub(super) pages: Option<u32>,
    /// The number of files, if there are several.
    pub(super) files: Option<usize>,
    /// The media type of an archive.
    pub(super) container: Option<&'static str>,
}

impl FileProperties {
    pub(super) fn of_input(made: &EngineOutput) -> Self {
        let frames = Some(u64::from(made.input_frames)).filter(|frames| *frames > 1);
        Self { picture: Some(made.input_size), frames, ..Self::default() }
    }

    pub(super) fn of_output(made: &EngineOutput) -> Self {
        Self { picture: Some(made.output_size), ..Self::default() }
    }

    pub(super) fn of_stream(info: &media_info::MediaInfo) -> Self {
        let video = info.video.as_ref();
        let audio = info.audio.first().map(|audio| audio.codec.clone());
        Self {
            picture: video.map(|video| (video.width, video.height)),
            duration: Some(info.duration).filter(|seconds| *seconds > 0.0),
            codec: video.map(|video| video.codec.clone()).or(audio.clone()),
            audio_codec: video.and(audio),
            frames: video.map(|video| video.frames).filter(|frames| *frames > 0),
            fps: video.map(|video| video.fps).filter(|fps| *fps > 0.0),
            ..Self::default()
        }
    }

    pub(super) fn of_files(count: usize) -> Self {
        Self { files: Some(count), ..Self::default() }
    }

    pub(super) fn of_document(pages: u32) -> Self {
        Self { pages: Some(pages), ..Self::default() }
    }

    pub(super) fn json(&self) -> Value {
        let thousandths = |number: f64| json!((number * 1000.0).round() / 1000.0);
        let members = [
            ("size", Some(json!(self.size))),
            ("width", self.picture.map(|(width, _)| json!(width))),
            ("height", self.picture.map(|(_, height)| json!(height))),
            ("duration", self.duration.map(thousandths)),
            ("codec", self.codec.as_ref().map(|codec| json!(codec))),
            ("audio_codec", self.audio_codec.as_ref().map(|codec| json!(codec))),
            ("frames", self.frames.map(|frames| json!(frames))),
            ("fps", self.fps.map(thousandths)),
            ("pages", self.pages.map(|pages| json!(pages))),
            ("files", self.files.map(|files| json!(files))),
            ("container", self.container.map(|container| json!(container))),
        ];
        let known = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(known.collect::<Map<_, _>>())
    }
}
