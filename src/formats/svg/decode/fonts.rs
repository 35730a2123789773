//! The fonts of a call: those of the caller, then the built-in ones (`assets/fonts`) for missing characters.

use std::sync::Arc;

use resvg::usvg::fontdb::{Database, Source};

use crate::error::{Error, ErrorCode, Result};

const BUILT_IN: [&[u8]; 3] = [
    include_bytes!("../../../../assets/fonts/Roboto-Regular.ttf"),
    include_bytes!("../../../../assets/fonts/Roboto-Bold.ttf"),
    include_bytes!("../../../../assets/fonts/DejaVuSans-Symbols.ttf"),
];

/// The family of the built-in fonts.
const FAMILY: &str = "Roboto";

/// All fonts, and the fallback family: the first of the caller's, otherwise the built-in one. It also replaces `serif`,
/// `sans-serif` and other generic families; `monospace` is the caller's first monospaced font.
///
/// # Errors
/// [`ErrorCode::InvalidOption`] for a file that is not a font.
pub(crate) fn load(files: &[Vec<u8>]) -> Result<(Database, String)> {
    let mut fonts = Database::new();
    for file in files {
        let faces = fonts.load_font_source(Source::Binary(Arc::new(file.clone())));
        if faces.is_empty() {
            return Err(Error::new(
                ErrorCode::InvalidOption,
                "`fonts` holds a file that is no TrueType or OpenType font.",
            )
            .with_detail("option", "fonts"));
        }
    }
    let family = |monospaced: bool| {
        let mut faces = fonts.faces().filter(|face| face.monospaced || !monospaced);
        Some(faces.next()?.families.first()?.0.clone())
    };
    let usual = family(false).unwrap_or_else(|| FAMILY.to_owned());
    let monospace = family(true).unwrap_or_else(|| usual.clone());
    for font in BUILT_IN {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.set_serif_family(usual.as_str());
    fonts.set_sans_serif_family(usual.as_str());
    fonts.set_cursive_family(usual.as_str());
    fonts.set_fantasy_family(usual.as_str());
    fonts.set_monospace_family(monospace);
    Ok((fonts, usual))
}
