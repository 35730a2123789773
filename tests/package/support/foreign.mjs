// Images of types that no image engine reads: of HEIC, which only a decoder reads, the beginning; of JPEG XL, a small file.

/** The beginning of a HEIC file. What follows is for the decoder of a test to read. */
export const heic = (rest = Buffer.alloc(200)) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic", "latin1"), rest]);

/** A gradient of 24 × 16 pixels in JPEG XL, which cjxl 0.7.0 wrote. */
export const jxl = Buffer.from(
  "/woDQUJxIQASiAIApAFF4RIAABUqo4wbvJzr+fJDh8W0jesMbbVtYQlj4hlgIUmkh/I2wOmjQtlbjGlr/6ih0mQyVuTcGE67uqVMvDEZAFAJReRkQ+/g5KO7PdeIPC0IMAIAqIxRRYqql7/O396YTVNZF11UOlE=",
  "base64",
);
