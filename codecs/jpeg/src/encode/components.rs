//! A picture that comes as the components that a file stores, each in its own resolution.

use super::component_rows::ComponentRows;
use super::encoder::tables;
use super::prepared::{PictureBuilder, Prepared};
use super::settings::{Color, Sampling};
use crate::Error;

/// Takes the rows of the components of a picture: of luma and chroma (ITU-T T.871), or of luma alone.
pub struct ComponentPreparer {
    components: Vec<ComponentRows>,
    sizes: Vec<(usize, usize)>,
    picture: PictureBuilder,
}

impl ComponentPreparer {
    /// For a picture of this size in pixels, which is to be encoded at a quality: at another one, details can be missing. `sampling` has no
    /// meaning for gray.
    ///
    /// # Errors
    /// [`Error::Argument`] for a size of zero, [`Error::Limit`] where there is too little memory.
    pub fn new(
        (width, height): (u16, u16),
        color: Color,
        sampling: Sampling,
        quality: f32,
    ) -> Result<Self, Error> {
        let picture = PictureBuilder::new((width, height), color, sampling, &tables(quality))?;
        let (mut components, mut sizes) = (Vec::new(), Vec::new());
        for number in 0..color.components() {
            let (size, stride) = (picture.size(number), picture.stride(number));
            let pixels = if number == 0 { (1, 1) } else { sampling.factors() };
            components.push(ComponentRows::new(size, stride, pixels)?);
            sizes.push(size);
        }
        Ok(Self { components, sizes, picture })
    }

    /// The samples of a row of a component, and its rows: as many as the picture has pixels, or half as many, rounded up, in a direction in
    /// which chroma is subsampled.
    ///
    /// # Panics
    /// If the picture has no such component.
    pub fn size(&self, component: usize) -> (usize, usize) {
        self.sizes[component]
    }

    /// Takes the next row of a component. Components need not come at the same pace.
    ///
    /// # Errors
    /// [`Error::Argument`] for samples of another number than [`size`](Self::size) says, for more rows, and for a component that the picture
    /// does not have; [`Error::Limit`] where there is too little memory.
    pub fn push_row(&mut self, component: usize, samples: &[u8]) -> Result<(), Error> {
        let Some(rows) = self.components.get_mut(component).filter(|rows| !rows.complete()) else {
            return Err(Error::Argument("the picture has all of its rows"));
        };
        if samples.len() != self.sizes[component].0 {
            return Err(Error::Argument("pixels come in whole rows"));
        }
        let fill = |row: &mut [f32]| {
            row.iter_mut().zip(samples).for_each(|(to, &sample)| *to = f32::from(sample) - 128.0);
        };
        rows.push(&fill, &mut |samples| self.picture.push_samples(component, samples))
    }

    /// The picture, after the last row of each component.
    ///
    /// # Errors
    /// [`Error::Argument`] where rows are missing.
    pub fn finish(self) -> Result<Prepared, Error> {
        if !self.components.iter().all(ComponentRows::complete) {
            return Err(Error::Argument("rows of the picture are missing"));
        }
        self.picture.finish()
    }
}
