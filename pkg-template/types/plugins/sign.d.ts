// filepress/sign: signatures for filepress/serve.

/**
 * Signs an address for a server with the same `key`, as HMAC with SHA-256. Resolves to the path and query of the address, with
 * the signature in the parameter `s`.
 *
 * @param path Path and query, `"/_img/400/avif/photo.jpg?quality=50"`.
 */
export function signImage(path: string, key: string): Promise<string>;
