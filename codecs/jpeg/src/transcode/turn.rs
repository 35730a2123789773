//! Mirrored and turned pictures: whole blocks move, and the signs and places of their coefficients change.

use crate::coefficients::{Block, Coefficients, ComponentCoefficients, QuantTable};
use crate::error::Error;
use crate::zigzag::ZIGZAG;

/// How a picture is turned. EXIF's orientation `n` is made upright by what stands beside `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// 2: left becomes right.
    FlipHorizontal,
    /// 3: by half a turn.
    Rotate180,
    /// 4: top becomes bottom.
    FlipVertical,
    /// 5: mirrored at the diagonal from the top left.
    Transpose,
    /// 6: a quarter clockwise.
    Rotate90,
    /// 7: mirrored at the diagonal from the top right.
    Transverse,
    /// 8: a quarter counterclockwise.
    Rotate270,
}

impl Turn {
    /// Whether rows become columns first, then whether left and right, and top and bottom change places.
    const fn steps(self) -> (bool, bool, bool) {
        match self {
            Self::FlipHorizontal => (false, true, false),
            Self::Rotate180 => (false, true, true),
            Self::FlipVertical => (false, false, true),
            Self::Transpose => (true, false, false),
            Self::Rotate90 => (true, true, false),
            Self::Transverse => (true, true, true),
            Self::Rotate270 => (true, false, true),
        }
    }
}

/// Where each coefficient in zigzag order goes when rows become columns.
const TRANSPOSED: [u8; 64] = {
    let mut to = [0; 64];
    let (mut k, mut other) = (0, 0);
    while k < 64 {
        while other < 64 {
            if ZIGZAG[other] == ZIGZAG[k] % 8 * 8 + ZIGZAG[k] / 8 {
                to[k] = other as u8;
            }
            other += 1;
        }
        other = 0;
        k += 1;
    }
    to
};

impl Coefficients {
    /// Turns the picture. No pixel changes.
    ///
    /// # Errors
    /// [`Error::Argument`] where blocks that reach beyond the picture would come to its left or top: they show pixels that are not
    /// of it. [`crop`](Self::crop) to whole MCUs first.
    pub fn turn(&mut self, turn: Turn) -> Result<(), Error> {
        let (transposes, across, down) = turn.steps();
        let (h, v) = self.max_sampling();
        let (wide, high) = (usize::from(self.width), usize::from(self.height));
        // Which sides become left and top is counted before rows become columns.
        let (from_right, from_bottom) = if transposes { (down, across) } else { (across, down) };
        let whole = |size: usize, factor: u8| size.is_multiple_of(8 * usize::from(factor));
        if (from_right && !whole(wide, h)) || (from_bottom && !whole(high, v)) {
            return Err(Error::Argument("only whole MCUs can come to the left and to the top"));
        }
        if transposes {
            std::mem::swap(&mut self.width, &mut self.height);
        }
        for component in &mut self.components {
            if transposes {
                transpose(component);
            }
            mirror(component, across, down);
        }
        Ok(())
    }
}

fn transpose(component: &mut ComponentCoefficients) {
    let (wide, high) = (component.blocks_wide, component.blocks_high);
    let mut blocks = Vec::with_capacity(component.blocks.len());
    for x in 0..wide {
        blocks.extend((0..high).map(|y| {
            let block: &Block = &component.blocks[y * wide + x];
            TRANSPOSED.map(|from| block[usize::from(from)])
        }));
    }
    component.blocks = blocks;
    let quant: QuantTable = component.quant;
    component.quant = TRANSPOSED.map(|from| quant[usize::from(from)]);
    std::mem::swap(&mut component.h, &mut component.v);
    std::mem::swap(&mut component.blocks_wide, &mut component.blocks_high);
    std::mem::swap(&mut component.scan_blocks_wide, &mut component.scan_blocks_high);
}

/// Odd frequencies change their signs.
fn mirror(component: &mut ComponentCoefficients, across: bool, down: bool) {
    let wide = component.blocks_wide;
    if down {
        for y in 0..component.blocks_high / 2 {
            let (top, bottom) = component.blocks.split_at_mut((component.blocks_high - 1 - y) * wide);
            top[y * wide..][..wide].swap_with_slice(&mut bottom[..wide]);
        }
    }
    if across {
        component.blocks.chunks_exact_mut(wide).for_each(<[_]>::reverse);
    }
    for block in &mut component.blocks {
        for (value, natural) in block.iter_mut().zip(ZIGZAG) {
            let (u, v) = (natural % 8, natural / 8);
            if (across && u % 2 == 1) != (down && v % 2 == 1) {
                // The smallest number stays: no file can have it.
                *value = value.wrapping_neg();
            }
        }
    }
}
