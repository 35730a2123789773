//! CMYK JPEGs as YCCK (Adobe TN 5116): CMY is encoded as inverted RGB, and K as gray. The image engine encodes both, and
//! filepress-jpeg joins them losslessly.

use filepress_jpeg::{
    Block, ComponentCoefficients, DecodeOptions, Decoder, Output, Scans, decode_coefficients,
    write_coefficients,
};

use super::super::jpeg::Jpeg;

/// The Adobe marker of YCCK (Adobe TN 5116, section 18): a version, two flags, and color transform 2.
const ADOBE_YCCK: &[u8] = b"\xFF\xEE\0\x0EAdobe\0\x64\0\0\0\0\x02";

/// Decodes the samples of a CMYK JPEG as stored.
pub(super) fn decode(jpeg: &Jpeg) -> Option<Vec<u8>> {
    let mut decoder =
        Decoder::new(&jpeg.bare, DecodeOptions { strict: true, ..DecodeOptions::default() }).ok()?;
    decoder.set_output(Output::Inks).ok()?;
    if decoder.size() != (jpeg.width.into(), jpeg.height.into()) {
        return None;
    }
    let mut samples = vec![0; usize::from(jpeg.width) * usize::from(jpeg.height) * 4];
    decoder.read_rows(&mut samples).ok()?;
    Some(samples)
}

/// Splits CMYK samples into RGB and gray.
pub(super) fn split(samples: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let pixels = samples.as_chunks::<4>().0;
    let colors = pixels.iter().flat_map(|[c, m, y, _]| [c, m, y].map(|ink| 255 - ink)).collect();
    (colors, pixels.iter().map(|pixel| pixel[3]).collect())
}

/// Joins the RGB JPEG with the gray JPEG as its fourth component.
pub(super) fn join(colors: &[u8], gray: &[u8]) -> Option<Vec<u8>> {
    let options = DecodeOptions { strict: true, ..DecodeOptions::default() };
    let (mut joined, _) = decode_coefficients(colors, options).ok()?;
    let (gray, _) = decode_coefficients(gray, options).ok()?;
    let is_pair = joined.components.len() == 3 && gray.components.len() == 1;
    if !is_pair || (joined.width, joined.height) != (gray.width, gray.height) {
        return None;
    }
    let (first, black) = (joined.components.first()?, gray.components.first()?);
    let black = ComponentCoefficients {
        id: 4,
        blocks: padded(black, first)?,
        quant: black.quant,
        h: first.h,
        v: first.v,
        blocks_wide: first.blocks_wide,
        blocks_high: first.blocks_high,
        scan_blocks_wide: first.scan_blocks_wide,
        scan_blocks_high: first.scan_blocks_high,
    };
    joined.components.push(black);
    write_coefficients(joined, ADOBE_YCCK, Scans::Progressive).ok()
}

/// Pads the blocks of a component to the block grid of another, which is larger if its MCUs have several blocks.
fn padded(component: &ComponentCoefficients, like: &ComponentCoefficients) -> Option<Vec<Block>> {
    let (last_x, last_y) = (component.blocks_wide.checked_sub(1)?, component.blocks_high.checked_sub(1)?);
    let mut blocks = Vec::with_capacity(like.blocks_wide * like.blocks_high);
    for y in 0..like.blocks_high {
        for x in 0..like.blocks_wide {
            let block = component.blocks.get(y.min(last_y) * component.blocks_wide + x.min(last_x))?;
            let is_inside = x <= last_x && y <= last_y;
            let mut even = [0; 64];
            even[0] = block[0];
            blocks.push(if is_inside { *block } else { even });
        }
    }
    Some(blocks)
}
