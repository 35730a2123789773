//! PNM: PBM, PGM, PPM and PAM.

pub(crate) mod metadata;
