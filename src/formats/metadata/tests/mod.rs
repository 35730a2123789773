//! What reading, policies and writing promise, on files that are built here; decoders of others are the judges.

mod fixtures;
mod png_colors;
mod policies;
mod reading;
mod rewriting;
mod robustness;
mod writing;
