//! The engine through its public interface, natively: options, plans, the pipeline, hostile input.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod animation;
mod animation_hostile;
mod animation_png;
mod animation_support;
mod avif;
mod cmyk;
mod color;
mod compare;
mod contain;
mod corpus;
mod crop_strategy;
mod dds;
mod delta_e;
mod encoding_options;
mod gain_map;
mod gain_map_avif;
mod gain_map_kept;
mod geometry;
mod hdr_files;
mod hostile;
mod jpeg;
mod jpeg_edits;
#[path = "../common/light.rs"]
mod light;
mod linear_light;
mod metadata_leaks;
mod never_larger;
mod orientation;
mod overlay;
mod pictures;
mod placeholder;
mod plan;
mod png_hdr;
mod png_size;
mod reduced;
mod report;
mod resize;
mod score;
#[path = "../common/seed.rs"]
mod seed;
mod support;
mod svg;
mod target_size;
mod tiff;
mod variants;
