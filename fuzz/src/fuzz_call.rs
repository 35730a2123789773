//! The first bytes of an input as a call: they select the options; the file follows them.

use filepress_wire::MediaType;
use serde_json::{Value, json};

/// The number of bytes before the file.
pub const HEAD: usize = 8;

/// The formats of the engine. All but the last can be written from any input.
pub const TYPES: [MediaType; 16] = [
    MediaType::Jpeg,
    MediaType::Png,
    MediaType::Webp,
    MediaType::Gif,
    MediaType::Bmp,
    MediaType::Ico,
    MediaType::Pnm,
    MediaType::Tga,
    MediaType::Qoi,
    MediaType::Farbfeld,
    MediaType::Avif,
    MediaType::Tiff,
    MediaType::Exr,
    MediaType::Hdr,
    MediaType::Dds,
    MediaType::Svg,
];

/// The maximum number of pixels of a call that encodes once.
const MAX_PIXELS: u64 = 1 << 13;
/// The maximum number of pixels of a call that encodes often or slowly.
const SLOW_PIXELS: u64 = 1 << 10;
/// The maximum number of pixels of a call at the highest effort of PNG, which codes each candidate with the slowest levels.
const SLOWEST_PIXELS: u64 = 1 << 7;
/// The memory limit of all calls, in bytes.
pub const MAX_MEMORY: u64 = 64 << 20;

/// The call that an input describes.
pub struct FuzzCall<'a> {
    /// The bytes of the file.
    pub file: &'a [u8],
    /// The declared format. It is used if the first bytes do not identify one.
    pub declared: Option<MediaType>,
    /// The options, as JSON.
    pub options: Value,
    /// Whether the call is made twice.
    pub twice: bool,
    /// Whether the result is compared with the input by `score`.
    pub compared: bool,
}

impl<'a> FuzzCall<'a> {
    /// Reads a call. `None` if there are fewer bytes than [`HEAD`].
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&[what, quality, flags, shape, width, height, target, name], file) =
            bytes.split_first_chunk::<HEAD>()?;
        let quality = match quality {
            1..=100 => json!(quality),
            101..=112 => json!("auto"),
            _ => Value::Null,
        };
        let metadata = [None, Some("safe"), Some("keep"), Some("strip")][usize::from(what >> 5 & 3)];
        let target = (target >= 192).then(|| u64::from(target - 191) * 50);
        let to = TYPES.get(usize::from(what & 31)).copied();
        let effort = Some(flags & 15).filter(|effort| *effort <= 9);
        let compared = shape >> 6 == 2;
        let most = match (to, effort) {
            (None | Some(MediaType::Png | MediaType::Ico), Some(9)) => SLOWEST_PIXELS,
            (Some(MediaType::Avif), _) => SLOW_PIXELS,
            _ if compared || quality == "auto" || target.is_some() => SLOW_PIXELS,
            _ => MAX_PIXELS,
        };
        let options = json!({
            "to": to.map(MediaType::as_str),
            "metadata": metadata,
            "animation": (what >= 128).then_some("first"),
            "quality": quality,
            "effort": effort,
            "lossless": (flags >= 224).then_some(true),
            "targetSize": target,
            "background": (shape & 32 != 0).then_some("#4080c0"),
            "resize": resize(shape, width, height),
            "crop": crop(name, width, height),
            "rotate": u32::from(name >> 6) * 90,
            "flip": (name & 32 != 0).then_some(["horizontal", "vertical"][usize::from(name & 1)]),
            "limits": {
                "maxPixels": most,
                "maxMemoryBytes": MAX_MEMORY,
            },
        });
        let declared = TYPES.get(usize::from(name)).copied();
        Some(Self { file, declared, options, twice: shape >> 6 == 1, compared })
    }
}

fn resize(shape: u8, width: u8, height: u8) -> Value {
    let (width, height) = (u32::from(width) + 1, u32::from(height) + 1);
    let fits = ["fill", "inside", "cover", "outside", "contain"];
    let fit = fits[height as usize % fits.len()];
    let positions = match fit {
        "cover" => ["center", "top left", "attention", "entropy"],
        _ => ["center", "top left", "right", "bottom"],
    };
    let position = positions[(width & 3) as usize];
    match shape & 7 {
        3 => json!({ "width": width }),
        4 => json!({ "width": width, "height": height, "fit": fit, "position": position }),
        5 => json!({ "maxWidth": width }),
        6 => json!({ "maxWidth": width, "maxHeight": height }),
        7 => json!({ "height": height, "maxWidth": width }),
        _ => Value::Null,
    }
}

/// A part in percent, or in pixels from the top left corner.
fn crop(name: u8, width: u8, height: u8) -> Value {
    match name >> 3 & 3 {
        2 => json!({ "width": u32::from(width) + 1, "height": u32::from(height) + 1 }),
        3 => json!({ "x": format!("{}%", width % 100), "y": format!("{}%", height % 100) }),
        _ => Value::Null,
    }
}
