//! CMYK JPEGs as YCCK (Adobe TN 5116): CMY is encoded as inverted RGB, and K as gray. The image engine encodes both, and
//! libjpeg-turbo-rs joins them losslessly.

use libjpeg_turbo_rs::{
    ComponentCoefficients, PixelFormat, decompress_to, read_coefficients, write_coefficients_progressive,
};

use super::super::jpeg::Jpeg;

/// The color transform of the Adobe marker for YCCK.
const YCCK: u8 = 2;

/// Decodes the samples of a CMYK JPEG as stored.
pub(super) fn decode(jpeg: &Jpeg) -> Option<Vec<u8>> {
    let image = decompress_to(&jpeg.bare, PixelFormat::Cmyk).ok()?;
    let size = usize::from(jpeg.width) * usize::from(jpeg.height) * 4;
    (image.data.len() == size).then_some(image.data)
}

/// Splits CMYK samples into RGB and gray.
pub(super) fn split(samples: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let pixels = samples.as_chunks::<4>().0;
    let colors = pixels.iter().flat_map(|[c, m, y, _]| [c, m, y].map(|ink| 255 - ink)).collect();
    (colors, pixels.iter().map(|pixel| pixel[3]).collect())
}

/// Joins the RGB JPEG with the gray JPEG as its fourth component.
pub(super) fn join(colors: &[u8], gray: &[u8]) -> Option<Vec<u8>> {
    let mut joined = read_coefficients(colors).ok()?;
    let gray = read_coefficients(gray).ok()?;
    let (first, black) = (joined.components.first()?, gray.components.first()?);
    let table = *gray.quant_tables.get(usize::from(black.quant_table_index))?;
    let is_pair = joined.components.len() == 3 && gray.components.len() == 1;
    if !is_pair || (joined.width, joined.height) != (gray.width, gray.height) || joined.quant_tables.len() > 3
    {
        return None;
    }
    let black = ComponentCoefficients {
        blocks: padded(black, first)?,
        quant_table_index: u8::try_from(joined.quant_tables.len()).ok()?,
        component_id: 4,
        blocks_x: first.blocks_x,
        blocks_y: first.blocks_y,
        h_sampling: first.h_sampling,
        v_sampling: first.v_sampling,
    };
    joined.components.push(black);
    joined.quant_tables.push(table);
    joined.adobe_transform = Some(YCCK);
    joined.saw_jfif_marker = false;
    write_coefficients_progressive(&joined, None).ok()
}

/// Pads the blocks of a component to the block grid of another, which is larger if its MCUs have several blocks.
fn padded(component: &ComponentCoefficients, like: &ComponentCoefficients) -> Option<Vec<[i16; 64]>> {
    let (last_x, last_y) = (component.blocks_x.checked_sub(1)?, component.blocks_y.checked_sub(1)?);
    let mut blocks = Vec::with_capacity(like.blocks_x * like.blocks_y);
    for y in 0..like.blocks_y {
        for x in 0..like.blocks_x {
            let block = component.blocks.get(y.min(last_y) * component.blocks_x + x.min(last_x))?;
            let is_inside = x <= last_x && y <= last_y;
            let mut even = [0; 64];
            even[0] = block[0];
            blocks.push(if is_inside { *block } else { even });
        }
    }
    Some(blocks)
}
