//! Reads the file of the settings.

use super::{ConfigError, Settings};

impl Settings {
    /// Fills in from the file what neither a flag nor the environment sets.
    ///
    /// # Errors
    /// A file that cannot be read or has unknown or malformed settings.
    pub fn with_file(self) -> Result<Self, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        let text = std::fs::read_to_string(&path).map_err(|cause| ConfigError::File(path.clone(), cause))?;
        let syntax = |cause: toml::de::Error| {
            let before = cause.span().and_then(|span| text.as_bytes().get(..span.start));
            let line = before.map(|before| before.iter().filter(|byte| **byte == b'\n').count() + 1);
            ConfigError::Syntax(path.clone(), line, cause.message().to_owned())
        };
        let file = toml::from_str::<Self>(&text).map_err(syntax)?;
        let tables = (toml::Table::try_from(&file), toml::Table::try_from(&self));
        let (Ok(mut table), Ok(given)) = tables else {
            return Err(ConfigError::Invalid("a path in the settings is not valid UTF-8".to_owned()));
        };
        table.extend(given);
        let merged = table.try_into::<Self>().map_err(syntax)?;
        Ok(Self { config: Some(path), ..merged })
    }
}
