//! Lossless work on files: coefficients are coded again, turned or cropped, and never changed.
