//! A picture that is encoded at several qualities: all that does not depend on the settings is done once.

use crate::analysis::{Analysis, analyze};
use crate::error::Error;
use crate::mb_row::planes_of;
use crate::picture::Picture;
use crate::settings::Settings;
use crate::yuv_source::{Planes, YuvSource};
use crate::{frame, riff};

/// A converted and analyzed picture. It takes 1.5 bytes a pixel, and the size of the coded alpha.
pub struct Prepared {
    size: (usize, usize),
    planes: Planes,
    analysis: Analysis,
    /// The payload of the `ALPH` chunk.
    alpha: Option<Vec<u8>>,
}

impl Prepared {
    /// Converts and analyzes the picture. Its samples are not needed afterwards.
    pub fn new(picture: &Picture<'_>) -> Self {
        let planes = planes_of(picture);
        let size = (picture.width, picture.height);
        let analysis = analyze(&YuvSource::Planes { size, planes: &planes });
        Self { size, planes, analysis, alpha: picture.alpha_chunk() }
    }

    /// A WebP file: the same bytes that [`encode`](crate::encode) makes of the picture.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the file would be longer than the format allows.
    pub fn encode(&self, settings: Settings) -> Result<Vec<u8>, Error> {
        let source = YuvSource::Planes { size: self.size, planes: &self.planes };
        let frame = frame::encode(&source, self.analysis.clone(), settings)?;
        riff::file(self.size, &frame, self.alpha.as_deref())
    }
}
