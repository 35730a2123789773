//! Animated WebP → APNG. ffmpeg before 7.1 cannot read animated WebP, but every version reads APNG, which keeps delays and
//! transparency.

use std::fs::File;
use std::io::{BufReader, BufWriter};

use filepress_wire::TaskErrorCode;
use image_webp::{DecodingError, WebPDecoder};
use png::{BlendOp, ColorType, Compression, DisposeOp, Encoder};
use serde::{Deserialize, Serialize};

use super::convert::ImageSource;
use super::response::{EngineError, EngineOutput};

/// A request to convert an animated WebP.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct ApngConversion {
    pub(in crate::media) source: ImageSource,
    pub(in crate::media) output: String,
}

/// The delay of a frame without one in milliseconds, as in browsers.
const DEFAULT_DELAY: u16 = 100;
/// The maximum pixels of all frames, as a multiple of the maximum pixels of one.
const MAX_FULL_FRAMES: u64 = 20;

impl ApngConversion {
    pub(super) fn run(self) -> Result<EngineOutput, EngineError> {
        let bytes = self.source.read()?;
        let info = self.source.info(&bytes)?;
        drop(bytes);
        if info.input_frames < 2 {
            return Err(EngineError::new(TaskErrorCode::NotAnimated, "The WebP is not animated."));
        }
        let (width, height) = info.input_size;
        let pixels = u64::from(width) * u64::from(height);
        let limits = self.source.limits;
        if pixels > limits.pixels || pixels * u64::from(info.input_frames) > limits.pixels * MAX_FULL_FRAMES {
            return Err(EngineError::new(
                TaskErrorCode::TooManyPixels,
                format!(
                    "The animation has {} frames of {width} × {height}, which exceeds the maximum number of pixels.",
                    info.input_frames
                ),
            ));
        }
        let duration = self.write_apng()?;
        Ok(EngineOutput { duration, ..info })
    }

    /// Writes the frames; returns the duration in seconds.
    fn write_apng(&self) -> Result<f64, EngineError> {
        let file = File::open(&self.source.input).map_err(|error| EngineError::of_file(&error))?;
        let mut decoder = WebPDecoder::new(BufReader::new(file)).map_err(damaged)?;
        decoder.set_memory_limit(usize::try_from(self.source.limits.memory).unwrap_or(usize::MAX));
        let (width, height) = decoder.dimensions();
        let too_large = || EngineError::new(TaskErrorCode::TooManyPixels, "The picture is too large.");
        let mut canvas = vec![0; decoder.output_buffer_size().ok_or_else(too_large)?];
        let out = File::create(&self.output).map_err(|error| EngineError::of_file(&error))?;
        let mut encoder = Encoder::new(BufWriter::new(out), width, height);
        encoder.set_color(if decoder.has_alpha() { ColorType::Rgba } else { ColorType::Rgb });
        encoder.set_compression(Compression::Fastest);
        encoder.set_animated(decoder.num_frames(), 0).map_err(|error| unwritten(&error))?;
        encoder.set_blend_op(BlendOp::Source).map_err(|error| unwritten(&error))?;
        encoder.set_dispose_op(DisposeOp::None).map_err(|error| unwritten(&error))?;
        let mut writer = encoder.write_header().map_err(|error| unwritten(&error))?;
        let mut milliseconds = 0.0;
        for _ in 0..decoder.num_frames() {
            let shown = decoder.read_frame(&mut canvas).map_err(damaged)?;
            let delay = u16::try_from(shown).unwrap_or(u16::MAX);
            let delay = if delay == 0 { DEFAULT_DELAY } else { delay };
            milliseconds += f64::from(delay);
            writer.set_frame_delay(delay, 1000).map_err(|error| unwritten(&error))?;
            writer.write_image_data(&canvas).map_err(|error| unwritten(&error))?;
        }
        writer.finish().map_err(|error| unwritten(&error))?;
        Ok(milliseconds / 1000.0)
    }
}

fn damaged(error: DecodingError) -> EngineError {
    match error {
        DecodingError::MemoryLimitExceeded => {
            EngineError::new(TaskErrorCode::TooMuchMemory, "Reading the WebP exceeds the memory limit.")
        }
        error => EngineError::new(
            TaskErrorCode::CorruptFile,
            format!("This WebP file is damaged or incomplete: {error}."),
        ),
    }
}

fn unwritten(error: &png::EncodingError) -> EngineError {
    match error {
        png::EncodingError::IoError(error) => EngineError::of_file(error),
        error => EngineError::new(
            TaskErrorCode::ConversionFailed,
            format!("Writing an intermediate file failed: {error}."),
        ),
    }
}
