//! Image → image by the engine.

use std::fs;

use filepress::image::{self, Output};
use filepress::job::{self, Job};
use filepress::media;
use filepress::options::Options;
use filepress::value::Value as OptionValue;
use filepress_wire::{MediaType, SNIFF_BYTES, TaskErrorCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::response::{EngineError, EngineOutput, Warning, in_api_terms};
use super::{encode_cost, png_exif};

/// An image file, and the limits for reading it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct ImageSource {
    /// The name of the file.
    pub(in crate::media) input: String,
    /// Its expected type.
    pub(in crate::media) from: MediaType,
    pub(in crate::media) limits: InputLimits,
    /// The pixels of this PNG are upright, whatever its EXIF says. Of other types, nothing is changed: their EXIF applies.
    pub(in crate::media) is_upright: bool,
}

/// Limits that the engine enforces itself.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(in crate::media) struct InputLimits {
    pub(in crate::media) bytes: u64,
    pub(in crate::media) pixels: u64,
    pub(in crate::media) memory: u64,
    pub(in crate::media) frames: u64,
}

/// A request to convert an image.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct Conversion {
    pub(in crate::media) source: ImageSource,
    /// The name of the file to write.
    pub(in crate::media) output: String,
    /// Options of the engine in its own spelling, without limits.
    pub(in crate::media) options: Map<String, Value>,
    /// The seconds until the deadline.
    pub(in crate::media) seconds: f64,
}

impl ImageSource {
    pub(super) fn run(self) -> Result<EngineOutput, EngineError> {
        let bytes = self.read()?;
        let info = self.info(&bytes)?;
        self.check_complete(&bytes)?;
        Ok(info)
    }

    /// Refuses a truncated image that is passed on without being decoded.
    pub(super) fn check_complete(&self, bytes: &[u8]) -> Result<(), EngineError> {
        let limits = filepress::limits::Limits {
            max_input_bytes: self.limits.bytes,
            max_pixels: self.limits.pixels,
            max_memory_bytes: self.limits.memory,
        };
        Ok(image::check_complete(bytes, self.from, &limits)?)
    }

    /// Reads the file and checks its size and type.
    pub(super) fn read(&self) -> Result<Vec<u8>, EngineError> {
        let size = fs::metadata(&self.input).map_err(|error| EngineError::of_file(&error))?.len();
        if size > self.limits.bytes {
            return Err(EngineError::new(
                TaskErrorCode::InputTooLarge,
                format!("The image has {size} bytes; the maximum is {}.", self.limits.bytes),
            ));
        }
        let mut bytes = fs::read(&self.input).map_err(|error| EngineError::of_file(&error))?;
        if self.is_upright && self.from == MediaType::Png {
            png_exif::set_upright(&mut bytes);
        }
        let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
        match media::recognize(head, Some(self.from.as_str()), None)? {
            found if found == self.from => Ok(bytes),
            found => Err(EngineError::new(
                TaskErrorCode::WrongFormat,
                format!("The file is {}, not {}.", found.name(), self.from.name()),
            )),
        }
    }

    /// Inspects the image and checks the number of frames.
    pub(super) fn info(&self, bytes: &[u8]) -> Result<EngineOutput, EngineError> {
        let limits = filepress::limits::Limits { max_input_bytes: u64::MAX, ..Default::default() };
        let found = image::inspect(bytes, self.from, &limits)?;
        if u64::from(found.frames) > self.limits.frames {
            return Err(EngineError::new(
                TaskErrorCode::TooManyFrames,
                format!("The image has {} frames; the maximum is {}.", found.frames, self.limits.frames),
            ));
        }
        let size = (found.width, found.height);
        Ok(EngineOutput {
            input_size: size,
            output_size: size,
            input_frames: found.frames,
            ..EngineOutput::default()
        })
    }

    /// Runs the engine on the bytes of the image.
    pub(super) fn process(
        &self,
        bytes: &[u8],
        mut options: Map<String, Value>,
    ) -> Result<Output, EngineError> {
        let limits = serde_json::json!({
            "maxInputBytes": self.limits.bytes,
            "maxPixels": self.limits.pixels,
            "maxMemoryBytes": self.limits.memory,
        });
        options.insert("limits".to_owned(), limits);
        let job = match job::plan(self.from, &parse(options)?)? {
            Job::Local(job) => job,
            Job::Remote(_) => {
                return Err(EngineError::new(
                    TaskErrorCode::Internal,
                    "The engine cannot convert this type.",
                ));
            }
        };
        Ok(image::process(bytes, &job, &mut |_| {})?)
    }
}

/// Parses options for the engine.
pub(in crate::media) fn parse(options: Map<String, Value>) -> filepress::Result<Options> {
    let value: OptionValue = serde_json::from_value(Value::Object(options)).unwrap_or(OptionValue::Null);
    Options::parse(value)
}

impl Conversion {
    pub(super) fn run(self) -> Result<EngineOutput, EngineError> {
        let bytes = self.source.read()?;
        let info = self.source.info(&bytes)?;
        let mut options = self.options;
        let lowered = encode_cost::fit(&mut options, info.input_size, info.input_frames, self.seconds);
        let output = self.source.process(&bytes, options)?;
        // The file itself may say that its pixels are not upright.
        let made = output.bytes.as_deref().or(self.source.is_upright.then_some(&bytes[..]));
        if let Some(made) = made {
            fs::write(&self.output, made).map_err(|error| EngineError::of_file(&error))?;
        }
        let warnings = output.report.warnings.iter();
        Ok(EngineOutput {
            unchanged: made.is_none(),
            input_size: (output.report.input_width, output.report.input_height),
            output_size: (output.report.width, output.report.height),
            warnings: warnings
                .map(|warning| Warning::new(warning.code, in_api_terms(&warning.message)))
                .chain(lowered)
                .collect(),
            ..info
        })
    }
}
