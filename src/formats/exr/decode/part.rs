//! Chooses the part of an OpenEXR file that is decoded, and its channels that make a picture.

use filepress_exr::{Channel, Error, File, Header, Part};

use crate::error::Result;
use crate::formats::exr::decode::{refused, unsupported};

/// A part, and its channels that make a picture.
#[derive(Debug, Clone)]
pub(crate) struct Chosen<'a> {
    /// The index of the part.
    pub(crate) index: usize,
    pub(crate) part: Part<'a>,
    /// Red, green and blue. The same channel three times for gray.
    pub(crate) colors: [Channel<'a>; 3],
    pub(crate) alpha: Option<Channel<'a>>,
}

impl<'a> Chosen<'a> {
    /// The first part with red, green and blue, otherwise the first with luminance. Parts that cannot be read are
    /// passed over.
    ///
    /// # Errors
    /// If there is no such part: why the first that cannot be read is refused, or that none has colors.
    pub(crate) fn of(file: &File<'a>) -> Result<Self> {
        let (mut gray, mut refusal) = (None, None);
        for (index, header) in file.parts().iter().enumerate() {
            let found = match header.is_deep() {
                true => Err(Error::Unsupported("its pixels have any number of samples (deep data)")),
                false => Self::of_part(index, header),
            };
            match found {
                Ok(Some(chosen)) if !chosen.is_gray() => return Ok(chosen),
                Ok(Some(chosen)) => gray = gray.or(Some(chosen)),
                Ok(None) => {}
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        gray.ok_or_else(|| refusal.map_or_else(|| unsupported("it has no part with colors"), refused))
    }

    /// A part. `None` if it has no colors.
    fn of_part(index: usize, header: &Header<'a>) -> filepress_exr::Result<Option<Self>> {
        let Some((colors, alpha)) = choose(&header.channels()?) else { return Ok(None) };
        Ok(Some(Self { index, part: Part::of(header)?, colors, alpha }))
    }

    pub(crate) fn is_gray(&self) -> bool {
        self.colors[0].offset == self.colors[1].offset
    }

    pub(crate) fn bit_depth(&self) -> u8 {
        self.colors.iter().map(|channel| 8 * channel.kind.size() as u8).max().unwrap_or(32)
    }
}

/// Colors and alpha: the channels without a layer, those of the first complete layer, or luminance.
fn choose<'a>(channels: &[Channel<'a>]) -> Option<([Channel<'a>; 3], Option<Channel<'a>>)> {
    let layers = channels.iter().map(|channel| match channel.name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => &channel.name[..=dot],
        None => &channel.name[..0],
    });
    let mut layers: Vec<&[u8]> = std::iter::once(&b""[..]).chain(layers).collect();
    layers.dedup();
    let find = |layer: &[u8], name: &[u8]| {
        channels.iter().find(|channel| channel.name.strip_prefix(layer) == Some(name)).copied()
    };
    let colors = layers.iter().find_map(|layer| {
        let [r, g, b] = [b"R", b"G", b"B"].map(|name| find(layer, name));
        Some(([r?, g?, b?], find(layer, b"A")))
    });
    colors.or_else(|| layers.iter().find_map(|layer| Some(([find(layer, b"Y")?; 3], find(layer, b"A")))))
}
