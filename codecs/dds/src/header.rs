//! The header of a file ("DDS_HEADER", "DDS_PIXELFORMAT" and "DDS_HEADER_DXT10", Microsoft). Many programs write headers
//! that are not quite as specified, so only what is needed is looked at.

use crate::error::{Error, Unknown};
use crate::format::{self, Format};
use crate::packed::{Field, Kind, Packed};
use crate::sample::{Channels, Depth};

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Header {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Faces, array elements and slices, without mipmaps: at least 1.
    pub(crate) pictures: u32,
    /// At least 1.
    pub(crate) mipmaps: u32,
    pub(crate) format: Format,
    /// Where the pixels begin.
    pub(crate) bytes: usize,
}

// dwFlags of DDS_HEADER, dwCaps and dwCaps2.
const DDSD_MIPMAPCOUNT: u32 = 0x2_0000;
const DDSCAPS_MIPMAP: u32 = 0x40_0000;
const DDSCAPS2_CUBEMAP: u32 = 0x200;
const DDSCAPS2_CUBEMAP_FACES: u32 = 0xfc00;
const DDSCAPS2_VOLUME: u32 = 0x20_0000;

// dwFlags of DDS_PIXELFORMAT.
const DDPF_ALPHAPIXELS: u32 = 0x1;
const DDPF_ALPHA: u32 = 0x2;
const DDPF_FOURCC: u32 = 0x4;
const DDPF_RGB: u32 = 0x40;
const DDPF_LUMINANCE: u32 = 0x2_0000;
const DDPF_BUMPDUDV: u32 = 0x8_0000;

// resourceDimension, miscFlag and miscFlags2 of DDS_HEADER_DXT10.
const TEXTURE1D: u32 = 2;
const TEXTURE3D: u32 = 4;
const TEXTURECUBE: u32 = 4;
const ALPHA_MODE: u32 = 7;
const PREMULTIPLIED: u32 = 2;
const OPAQUE: u32 = 3;

// Numbers of DXGI_FORMAT.
const BC2_UNORM: u32 = 74;
const BC3_UNORM: u32 = 77;

/// The bytes of the first four characters and of DDS_HEADER.
const LEGACY_BYTES: usize = 128;

/// Reads the header.
pub(crate) fn read(file: &[u8]) -> Result<Header, Error> {
    let short = Error::Corrupt("it ends within the header");
    if !file.starts_with(b"DDS ") {
        return Err(Error::Corrupt("it does not begin with \"DDS \""));
    }
    let legacy: [u32; 32] = words(file, 0).ok_or(short)?;
    let (size, pixel_size) = (legacy[1], legacy[19]);
    if !matches!(size, 24 | 124) || !matches!(pixel_size, 0 | 24 | 32) {
        return Err(Error::Corrupt("its header has another size"));
    }
    let [height, width] = [legacy[3], legacy[4]];
    if width == 0 || height == 0 {
        return Err(Error::Corrupt("it has no pixels"));
    }
    let has_mipmaps = legacy[2] & DDSD_MIPMAPCOUNT != 0 || legacy[27] & DDSCAPS_MIPMAP != 0;
    let mipmaps = if has_mipmaps { legacy[7].max(1) } else { 1 };
    let code = legacy[21].to_le_bytes();
    let has_code = legacy[20] & DDPF_FOURCC != 0 || (legacy[21] != 0 && legacy[22] == 0);
    let mut header = Header {
        width,
        height,
        pictures: 1,
        mipmaps,
        format: Format::packed(Packed::in_order(Kind::Unorm, [8; 4]), Depth::U8, Channels::Rgba),
        bytes: LEGACY_BYTES,
    };
    if has_code && &code == b"DX10" {
        let extension = words(file, LEGACY_BYTES).ok_or(short)?;
        header.extend(extension, legacy[6], file.len())?;
        return Ok(header);
    }
    header.format = if has_code {
        format::of_code(code).ok_or(Error::Unsupported(Unknown::FourCc(code)))?
    } else {
        let masks = [legacy[23], legacy[24], legacy[25], legacy[26]];
        of_masks(legacy[20], legacy[22], masks).ok_or(Error::Unsupported(Unknown::Masks))?
    };
    header.pictures = match legacy[28] {
        caps if caps & DDSCAPS2_CUBEMAP != 0 => (caps & DDSCAPS2_CUBEMAP_FACES).count_ones(),
        caps if caps & DDSCAPS2_VOLUME != 0 => legacy[6],
        _ => 1,
    }
    // A cube map may declare no faces, and a volume no slices.
    .max(1);
    Ok(header)
}

/// So many words from an offset in bytes.
fn words<const COUNT: usize>(file: &[u8], from: usize) -> Option<[u32; COUNT]> {
    let (stored, _) = file.get(from..)?.as_chunks();
    let stored: &[[u8; 4]; COUNT] = stored.first_chunk()?;
    Some(stored.map(u32::from_le_bytes))
}

impl Header {
    /// Takes over what DDS_HEADER_DXT10 says.
    fn extend(&mut self, extension: [u32; 5], depth: u32, file_bytes: usize) -> Result<(), Error> {
        let [dxgi, dimension, flags, array_size, more_flags] = extension;
        self.bytes = LEGACY_BYTES + 20;
        let alpha_mode = more_flags & ALPHA_MODE;
        let format = match (dxgi, alpha_mode) {
            // What older headers say by a code of its own.
            (BC2_UNORM, PREMULTIPLIED) => format::of_code(*b"DXT2"),
            (BC3_UNORM, PREMULTIPLIED) => format::of_code(*b"DXT4"),
            _ => format::of_dxgi(dxgi),
        };
        self.format = format.ok_or(Error::Unsupported(Unknown::Dxgi(dxgi)))?;
        if alpha_mode == OPAQUE && self.format.channels == Channels::Rgba {
            self.format.channels = Channels::Rgb;
        }
        self.pictures = array_size.max(1);
        match dimension {
            TEXTURE1D => self.height = 1,
            TEXTURE3D => self.pictures = depth.max(1),
            _ if flags & TEXTURECUBE != 0 && !self.counts_faces(file_bytes) => {
                self.pictures = self.pictures.saturating_mul(6);
            }
            _ => (),
        }
        Ok(())
    }

    /// Whether a cube map has the number of its faces where that of cubes belongs: the file is just as long as that.
    fn counts_faces(&self, file_bytes: usize) -> bool {
        let side = |side: u32, level: u32| side.checked_shr(level).unwrap_or(0).max(1);
        let face: Option<u64> = (0..self.mipmaps.min(32))
            .map(|level| self.format.surface_bytes(side(self.width, level), side(self.height, level)))
            .try_fold(0_u64, |sum, level| sum.checked_add(level?));
        let stored = file_bytes.saturating_sub(self.bytes) as u64;
        self.pictures == 6 && face.and_then(|face| face.checked_mul(6)) == Some(stored)
    }
}

/// The format of pixels that bit masks describe, if their flags name one kind of color, or alpha alone. Red is the mask of
/// gray. The mask of alpha is valid with either flag of alpha.
fn of_masks(flags: u32, bits: u32, masks: [u32; 4]) -> Option<Format> {
    let [mut red, green, mut blue, alpha] = masks;
    if !matches!(bits, 8 | 16 | 24 | 32) {
        return None;
    }
    let alpha = if flags & (DDPF_ALPHAPIXELS | DDPF_ALPHA | DDPF_BUMPDUDV) != 0 { alpha } else { 0 };
    // D3DX, and most programs after it, have both masks the wrong way round if green has ten bits.
    if [red, green, blue] == [0x3ff0_0000, 0xf_fc00, 0x3ff] {
        (red, blue) = (blue, red);
    }
    let (colors, channels) = match flags & (DDPF_RGB | DDPF_LUMINANCE | DDPF_BUMPDUDV) {
        DDPF_RGB | DDPF_BUMPDUDV => ([red, green, blue], Channels::Rgb),
        DDPF_LUMINANCE => ([red; 3], Channels::Gray),
        0 if flags & DDPF_ALPHA != 0 => ([0; 3], Channels::Rgb),
        _ => return None,
    };
    let channels = if alpha == 0 { channels } else { Channels::Rgba };
    let [red, green, blue] = colors;
    let mut fields = [Field { shift: 0, bits: 0 }; 4];
    for (field, mask) in fields.iter_mut().zip([red, green, blue, alpha]) {
        *field = field_of(mask, bits)?;
    }
    let widest = fields.iter().map(|field| field.bits).max().filter(|&widest| widest > 0)?;
    let kind = if flags & DDPF_BUMPDUDV == 0 { Kind::Unorm } else { Kind::Snorm };
    let as_stored = |field: &Field| field.bits == 0 || field.bits == widest;
    if kind == Kind::Snorm && !(matches!(widest, 8 | 16) && fields.iter().all(as_stored)) {
        return None;
    }
    let depth = if widest > 8 { Depth::U16 } else { Depth::U8 };
    Some(Format::packed(Packed { bytes: (bits / 8) as u8, kind, fields }, depth, channels))
}

/// The bits of a mask, at most 16 in a row.
fn field_of(mask: u32, bits: u32) -> Option<Field> {
    let shift = mask.trailing_zeros().min(31);
    let width = (mask >> shift).trailing_ones();
    let plain = (mask >> shift).checked_shr(width).unwrap_or(0) == 0;
    (plain && width <= 16 && (mask == 0 || shift + width <= bits))
        .then_some(Field { shift: shift as u8, bits: width as u8 })
}
