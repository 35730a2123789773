// Where compress() and convert() meet a Client: neither has to know the other, so that a page without a client loads none.

/** Name of the method of a client that carries out a whole conversion. */
export const CONVERT = Symbol("filepress.convert");
