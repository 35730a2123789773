//! The encoder: from pixels or quantized coefficients to the bytes of a file.
