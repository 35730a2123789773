// filepress/sign: signatures for filepress/serve.

/**
 * Signs a URL for an image server with the same `key`, with HMAC-SHA-256. Resolves to the path and query of the URL, with the signature in
 * the parameter `s`. Rejects with a `TypeError` if the key is not a string or is empty, and with a `URIError` if the path has an escape that is none.
 *
 * The signature holds for every spelling of the path: `%61.jpg` is `a.jpg`. What is signed is the path, with each segment decoded and encoded again
 * as by `encodeURIComponent`, and the query as it is.
 *
 * @param path Path and query, `"/_img/400/avif/photo.jpg?quality=50"`.
 */
export function signImage(path: string, key: string): Promise<string>;
