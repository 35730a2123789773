//! What a block holds: its size in pixels and its channels, which most compressions store one after the other.

use crate::channel::Channel;

/// The size and the channels of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    /// In pixels, at least 1.
    pub(crate) width: usize,
    /// In pixels, at least 1.
    pub(crate) height: usize,
    pub(crate) channels: &'a [Channel<'a>],
    /// The bytes per pixel of all channels.
    pub(crate) pixel_size: usize,
}

impl Shape<'_> {
    /// The bytes of a line. Within it, the samples of a channel are together.
    pub(crate) fn line_size(&self) -> usize {
        self.width * self.pixel_size
    }

    /// The bytes of the block.
    pub(crate) fn size(&self) -> usize {
        self.line_size() * self.height
    }

    pub(crate) fn pixels(&self) -> usize {
        self.width * self.height
    }

    /// The samples of a channel in each line of a block.
    pub(crate) fn rows<'b>(
        &self,
        channel: &Channel<'_>,
        block: &'b mut [u8],
    ) -> impl Iterator<Item = &'b mut [u8]> + use<'b> {
        let (start, length) = (channel.offset * self.width, channel.kind.size() * self.width);
        block.chunks_exact_mut(self.line_size().max(1)).map(move |line| &mut line[start..][..length])
    }

    /// Copies all samples of a channel, line by line, into a block.
    pub(crate) fn place(&self, channel: &Channel<'_>, plane: &[u8], block: &mut [u8]) {
        let plane = plane.chunks_exact((channel.kind.size() * self.width).max(1));
        self.rows(channel, block).zip(plane).for_each(|(row, samples)| row.copy_from_slice(samples));
    }
}
