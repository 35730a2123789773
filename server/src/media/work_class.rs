//! Estimates from types, settings and input size whether a conversion takes seconds or longer. The estimate is coarse and wrong for
//! decompression bombs; a worker for short tasks returns such tasks to the queue as long.

use filepress_wire::{MediaClass, MediaType};

use super::conversion_kind::ConversionKind;
use super::plan::Plan;
use crate::lanes::Class;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

impl Plan {
    /// The class of this conversion for inputs of so many bytes together.
    pub fn class(&self, bytes: u64) -> Class {
        if bytes <= self.short_bytes() { Class::Short } else { Class::Long }
    }

    /// The largest input that is converted within seconds on one processor.
    fn short_bytes(&self) -> u64 {
        match self.kind {
            ConversionKind::Image => self.short_image(),
            // It is decoded, written as PNG and decoded again.
            ConversionKind::HeicToImage => self.short_image() / 4,
            ConversionKind::ImageToPdf => 8 * MIB,
            // Every frame is encoded again.
            ConversionKind::Video | ConversionKind::AnimationToVideo => 256 * KIB,
            ConversionKind::Animation => MIB,
            ConversionKind::Frame => 64 * MIB,
            ConversionKind::Audio if self.input.class() == MediaClass::Video => 64 * MIB,
            ConversionKind::Audio => 16 * MIB,
            ConversionKind::Pdf | ConversionKind::PdfToImage => 4 * MIB,
        }
    }

    fn short_image(&self) -> u64 {
        // A byte of these types is about a third of a pixel; a byte of the others is several pixels.
        let plain = matches!(
            self.input,
            MediaType::Bmp
                | MediaType::Pnm
                | MediaType::Tga
                | MediaType::Tiff
                | MediaType::Dds
                | MediaType::Hdr
                | MediaType::Exr
                | MediaType::Farbfeld
        );
        let jpegs = match (self.output, self.settings.effort.unwrap_or(4)) {
            (MediaType::Avif, 0..=4) => 256 * KIB,
            (MediaType::Avif, _) => 32 * KIB,
            (_, 0..=6) => 4 * MIB,
            _ => 512 * KIB,
        };
        if plain { jpegs * 8 } else { jpegs }
    }
}
