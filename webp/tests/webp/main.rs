//! The encoder as its callers have it, held against an independent decoder.

mod alpha;
mod pictures;
mod settings;
mod sizes;
