//! The option `overlay` in builds that lay nothing over a picture. The planner only has to know that it is there: the build that it names
//! reads the members, and recognizes the image.

use crate::error::Result;
use crate::value::ObjectReader;

/// A picture that is laid over the output.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay;

impl Overlay {
    pub(super) fn parse(_: ObjectReader) -> Result<Self> {
        Ok(Self)
    }
}
