//! The bits of a block.

use super::subset::Fit;
use crate::bc::bc7::{MODES, Mode, Parity};
use crate::bc::partitions::Partition;

/// A form of the block.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) mode: usize,
    pub(super) partition: u32,
    pub(super) rotation: usize,
    pub(super) selection: bool,
    /// Of each subset. If alpha is by itself, that of alpha is the second.
    pub(super) fits: [Fit; 3],
    pub(super) error: f32,
}

/// Bits from the lowest.
struct Packer {
    block: u128,
    at: u32,
}

impl Packer {
    fn put(&mut self, value: u32, bits: u8) {
        self.block |= u128::from(value) << self.at;
        self.at += u32::from(bits);
    }

    /// The indices, of which those of `anchors` have a bit less.
    fn put_indices(&mut self, indices: &[u8; 16], bits: u8, anchors: u16) {
        for (at, &index) in indices.iter().enumerate() {
            self.put(index.into(), bits - ((anchors >> at) & 1) as u8);
        }
    }
}

/// The bits of a block.
pub(super) fn pack(choice: &Choice) -> u128 {
    let mode = &MODES[choice.mode];
    let partition = Partition::new(mode.subsets, choice.partition);
    let mut fits = choice.fits;
    let mut second = [0; 16];
    let mut indices = [0; 16];
    let has_second = mode.second_bits > 0;
    let widths = match (has_second, choice.selection) {
        (false, _) => [mode.index_bits, 0],
        (true, false) => [mode.index_bits, mode.second_bits],
        (true, true) => [mode.second_bits, mode.index_bits],
    };
    if has_second {
        fits[0].order_ends(0, widths[0]);
        fits[1].order_ends(0, widths[1]);
        (indices, second) = (fits[0].indices, fits[1].indices);
    } else {
        for (subset, fit) in fits.iter_mut().enumerate().take(mode.subsets.into()) {
            let own = |at: &usize| partition.subset(*at) == subset;
            // The first pixel of the subset that has a bit less, among those of the subset.
            let anchor = (0..16).filter(own).position(|at| (partition.anchors >> at) & 1 == 1);
            fit.order_ends(anchor.unwrap_or(0), mode.index_bits);
            (0..16).filter(own).zip(fit.indices).for_each(|(at, index)| indices[at] = index);
        }
    }
    let mut packer = Packer { block: 1 << choice.mode, at: choice.mode as u32 + 1 };
    packer.put(choice.partition, mode.partition_bits);
    packer.put(choice.rotation as u32, mode.rotation_bits);
    packer.put(choice.selection.into(), mode.selection_bits);
    put_colors(&mut packer, mode, &fits);
    if choice.selection {
        packer.put_indices(&second, widths[1], 1);
        packer.put_indices(&indices, widths[0], 1);
    } else {
        packer.put_indices(&indices, widths[0], partition.anchors);
        if has_second {
            packer.put_indices(&second, widths[1], 1);
        }
    }
    packer.block
}

fn put_colors(packer: &mut Packer, mode: &Mode, fits: &[Fit; 3]) {
    let fits_of_colors = &fits[..mode.subsets.into()];
    for channel in 0..3 {
        for fit in fits_of_colors {
            fit.stored.iter().for_each(|color| packer.put(color[channel].into(), mode.color_bits));
        }
    }
    if mode.second_bits > 0 {
        fits[1].stored.iter().for_each(|alpha| packer.put(alpha[0].into(), mode.alpha_bits));
    } else if mode.alpha_bits > 0 {
        for fit in fits_of_colors {
            fit.stored.iter().for_each(|color| packer.put(color[3].into(), mode.alpha_bits));
        }
    }
    for fit in fits_of_colors {
        match mode.parity {
            Parity::None => (),
            Parity::Subset => packer.put(fit.parity[0].into(), 1),
            Parity::Color => fit.parity.iter().for_each(|&lowest| packer.put(lowest.into(), 1)),
        }
    }
}
