//! A picture of which all is done that does not depend on the settings: for those who code it more than once.

use crate::analysis::{Analysis, analyse};
use crate::error::Error;
use crate::picture::Picture;
use crate::rows::{Planes, Rows};
use crate::settings::Settings;
use crate::{frame, riff};

/// A picture that is coded at many qualities. It takes a byte and a half a pixel, and as much as its alpha does when it is coded.
pub struct Prepared {
    size: (usize, usize),
    planes: Planes,
    analysis: Analysis,
    /// The chunk of it.
    alpha: Option<Vec<u8>>,
}

impl Prepared {
    /// Converts and analyses the picture, whose pixels are not needed any more then.
    pub fn new(picture: &Picture<'_>) -> Self {
        let planes = Planes::of(picture);
        let size = (picture.width, picture.height);
        let analysis = analyse(&Rows::Planes { size, planes: &planes });
        Self { size, planes, analysis, alpha: picture.alpha_chunk() }
    }

    /// The file that [`encode`](crate::encode) makes of the picture.
    ///
    /// # Errors
    /// [`Error::TooLong`] where the file would be longer than the format can say.
    pub fn encode(&self, settings: Settings) -> Result<Vec<u8>, Error> {
        let rows = Rows::Planes { size: self.size, planes: &self.planes };
        let frame = frame::encode(&rows, self.analysis.clone(), settings)?;
        riff::file(self.size, &frame, self.alpha.as_deref())
    }
}
