// The symbol by which compress() and convert() call a Client. Neither imports the other, so a page without a client does not load it.

/** Key of the Client's method for a complete conversion. */
export const CONVERT = Symbol("filepress.convert");
