//! A planned conversion with typed settings.

use std::fmt;

use filepress::error::Detail;
use filepress::job;
use filepress_wire::MediaType;
use serde_json::{Map, Value};

use super::conversion_kind::ConversionKind;
use super::settings::{PASSWORD, SETTINGS, Settings, invalid};
use super::{PlanError, engine};
use crate::lanes::Lane;

/// A planned conversion with typed settings.
#[derive(Clone)]
pub struct Plan {
    pub(super) input: MediaType,
    pub(super) output: MediaType,
    pub(super) kind: ConversionKind,
    pub(super) settings: Settings,
    /// The types of the inputs after the first.
    more_inputs: Vec<MediaType>,
    echo: Map<String, Value>,
    secrets: Map<String, Value>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, kind, settings, .. } = self;
        let mut shown = formatter.debug_struct("Plan");
        shown.field("input", input).field("output", output).field("kind", kind);
        shown.field("settings", settings).finish_non_exhaustive()
    }
}

impl Plan {
    /// Reads the settings of a pair. If `output` is `None`, or equals the input without settings, `optimize` is set.
    pub(super) fn read(
        kind: ConversionKind,
        input: MediaType,
        output: Option<MediaType>,
        settings: &Map<String, Value>,
    ) -> Result<Self, PlanError> {
        let to = output.unwrap_or(input);
        let mut echo = settings.clone();
        // A value that is not a boolean is refused below.
        let is_flag = echo.get("optimize").is_none_or(Value::is_boolean);
        if is_flag && (output.is_none() || (to == input && echo.is_empty())) {
            echo.insert("optimize".to_owned(), Value::Bool(true));
        }
        let settings = Settings::read(kind, (input, to), &echo)?;
        let secrets = echo.remove(PASSWORD).map(|password| (PASSWORD.to_owned(), password));
        let secrets = secrets.into_iter().collect();
        let plan = Self { input, output: to, kind, settings, more_inputs: Vec::new(), echo, secrets };
        plan.check_with_engine()?;
        Ok(plan)
    }

    /// Asks the engine whether it accepts this combination of settings.
    fn check_with_engine(&self) -> Result<(), PlanError> {
        let from = match self.kind {
            ConversionKind::Image => self.input,
            ConversionKind::HeicToImage | ConversionKind::Frame | ConversionKind::PdfToImage => {
                MediaType::Png
            }
            ConversionKind::Animation => self.output,
            _ => return Ok(()),
        };
        let options = engine::parse(self.settings.engine_options(self.output));
        match options.and_then(|options| job::plan(from, &options)) {
            Ok(_) => Ok(()),
            Err(error) => {
                let refused = match error.details().get("option") {
                    Some(Detail::Text(name)) => Some(name.as_ref()),
                    _ => None,
                };
                let lossless = (self.settings.lossless == Some(true)).then_some("lossless");
                let name = refused.or(lossless).map(|name| format!("/{name}")).unwrap_or_default();
                Err(invalid(format!("{SETTINGS}{name}"), engine::in_api_terms(error.message())))
            }
        }
    }

    /// The output type.
    pub fn output(&self) -> MediaType {
        self.output
    }

    /// The settings as shown and stored. Together with the secrets they give the same plan again.
    pub fn settings(&self) -> Map<String, Value> {
        self.echo.clone()
    }

    /// The secret settings: never shown, and erased when the task ends.
    pub fn secrets(&self) -> Map<String, Value> {
        self.secrets.clone()
    }

    /// The same conversion of several inputs into one document.
    pub(super) fn with_more_inputs(self, more_inputs: &[MediaType]) -> Result<Self, PlanError> {
        if self.settings.target_size.is_some() {
            let detail = "`target_size`: cannot be combined with several inputs.".to_owned();
            return Err(invalid(format!("{SETTINGS}/target_size"), detail));
        }
        Ok(Self { more_inputs: more_inputs.to_vec(), ..self })
    }

    /// The types of all inputs, in order.
    pub(super) fn inputs(&self) -> Vec<MediaType> {
        std::iter::once(self.input).chain(self.more_inputs.iter().copied()).collect()
    }

    /// Which workers run it.
    pub fn lane(&self) -> Lane {
        match self.kind {
            _ if !self.more_inputs.is_empty() => Lane::Heavy,
            ConversionKind::Image | ConversionKind::HeicToImage | ConversionKind::ImageToPdf => Lane::Image,
            _ => Lane::Heavy,
        }
    }
}
