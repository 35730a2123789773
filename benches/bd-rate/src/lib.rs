//! Bytes at equal scores (BD-rate): pictures with their judges, rate curves, and how they are compared.

mod curve;
mod original;
mod parallel;

pub use curve::{Curve, Point, print_rates, rate};
pub use original::Original;
pub use parallel::parallel;
