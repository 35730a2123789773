//! The image formats, one folder each, and the list of them. A folder contains the descriptor of its format, and the
//! code that reads and writes its pixels, metadata and animations. To add a format: `CONTRIBUTING.md`, "Adding an image
//! format".

mod avif;
mod bmp;
mod dds;
mod exr;
mod farbfeld;
mod gif;
mod hdr;
mod ico;
mod jpeg;
mod png;
mod pnm;
mod qoi;
mod svg;
mod tga;
mod tiff;
mod webp;

mod build;
#[cfg(feature = "engine")]
pub(crate) mod codec;
#[cfg(feature = "engine")]
pub(crate) mod coded;
#[cfg(feature = "engine")]
pub(crate) mod decode;
mod descriptor;
#[cfg(feature = "engine")]
pub(crate) mod encode;
mod encoding;
#[cfg(feature = "pictures")]
pub(crate) mod header_probe;
mod header_size;
#[cfg(feature = "pictures")]
pub(crate) mod image_rs;
#[cfg(feature = "engine")]
pub(crate) mod metadata;
#[cfg(feature = "engine")]
pub(crate) mod prepared;
#[cfg(feature = "engine")]
pub(crate) mod rows;

use filepress_wire::MediaType;

pub use build::Build;
#[cfg(feature = "engine")]
pub(crate) use codec::Codec;
pub(crate) use descriptor::Tables;
pub use descriptor::{Format, Traits};
pub use encoding::Encoding;
pub(crate) use header_size::HeaderSize;

/// The formats: one folder each, with the feature that all builds have which read or write it.
macro_rules! formats {
    ($($name:ident: $build:literal,)*) => {
        static FORMATS: &[Format] = &[$($name::FORMAT),*];

        /// What this build can do with a format.
        #[cfg(feature = "engine")]
        pub(crate) fn codec_of(media: MediaType) -> &'static Codec {
            $(
                #[cfg(feature = $build)]
                if media == $name::FORMAT.media {
                    return &$name::CODEC;
                }
            )*
            &Codec::NONE
        }
    };
}

formats! {
    avif: "photo_avif",
    bmp: "core",
    dds: "full",
    exr: "full",
    farbfeld: "core",
    gif: "core",
    hdr: "full",
    ico: "core",
    jpeg: "engine",
    png: "pictures",
    pnm: "core",
    qoi: "core",
    svg: "full",
    tga: "core",
    tiff: "full",
    webp: "webp",
}

/// The format of a media type. `None` if the engine of this package does not support it.
///
/// This describes the published package, not the features that this crate was compiled with.
pub fn of(media: MediaType) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.media == media)
}
