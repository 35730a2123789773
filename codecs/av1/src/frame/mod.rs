//! The state of a frame while its tiles are decoded: samples, and what the filters after them need.

mod block_copy_map;
mod filter_maps;

pub(crate) use block_copy_map::{BlockCopyMap, Vector};
pub(crate) use filter_maps::{CdefMap, DeblockMap, RestorationMap};

use crate::error::Error;
use crate::obu::{FrameHeader, SequenceHeader};
use crate::plane::Plane;
use crate::try_vec::filled;

/// What tiles write.
pub(crate) struct FrameState {
    /// The planes, before upscaling.
    pub(crate) planes: Vec<Plane>,
    pub(crate) mi_cols: usize,
    pub(crate) mi_rows: usize,
    /// The segment of each 4×4 block. Empty without segmentation.
    pub(crate) segment_ids: Vec<u8>,
    /// None if the deblocking filter is off.
    pub(crate) deblock: Option<DeblockMap>,
    /// None if the filter is off.
    pub(crate) cdef: Option<CdefMap>,
    /// For each plane; None if it is not restored.
    pub(crate) restoration: [Option<RestorationMap>; 3],
    /// None without intra block copy.
    pub(crate) block_copies: Option<BlockCopyMap>,
}

impl FrameState {
    pub(crate) fn new(sequence: &SequenceHeader, header: &FrameHeader) -> Result<Self, Error> {
        let (size, color) = (&header.size, &sequence.color);
        let (mi_cols, mi_rows) = (size.mi_cols(), size.mi_rows());
        let mut planes = Vec::new();
        for plane in 0..color.planes() {
            let (ss_x, ss_y) = color.subsampling(plane);
            planes.push(Plane::padded(size.width, size.height, ss_x, ss_y)?);
        }
        let mut restoration = [None, None, None];
        for (plane, map) in restoration.iter_mut().enumerate() {
            if header.restoration.kind[plane].is_some() {
                let unit_size = header.restoration.unit_size[plane];
                *map = Some(RestorationMap::new(size, color.subsampling(plane), unit_size)?);
            }
        }
        let is_deblocked = header.loop_filter.level[0] != 0 || header.loop_filter.level[1] != 0;
        let segments = if header.segmentation.enabled { mi_cols * mi_rows } else { 0 };
        let deblock = is_deblocked.then(|| DeblockMap::new(mi_cols, mi_rows, color)).transpose()?;
        let cdef = header.cdef.map(|_| CdefMap::new(mi_cols, mi_rows)).transpose()?;
        let block_copies = header.allow_intrabc.then(|| BlockCopyMap::new(mi_cols, mi_rows)).transpose()?;
        Ok(Self {
            planes,
            mi_cols,
            mi_rows,
            segment_ids: filled(0, segments)?,
            deblock,
            cdef,
            restoration,
            block_copies,
        })
    }
}
