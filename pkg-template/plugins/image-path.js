// The path of an image's URL in one spelling. Browsers, proxies and CDNs may spell it in several: `%61` and `a` are the same letter, and so are
// `%2c` and `%2C`. Everything goes by the decoded segments: signatures, what is allowed, results in memory, and `source`.

/** The segments of a path, each decoded once. Throws a URIError for an escape that is none. */
export const readSegments = (path) => path.split("/").map(decodeURIComponent);

/** The one spelling of a path. */
export const toPath = (segments) => segments.map(encodeURIComponent).join("/");

/**
 * Whether a segment leads downwards, and is one in every file system: some ignore spaces at its end. One that could be decoded again is none, since
 * a `source` may do that. An empty one passes.
 */
export const isName = (segment) => !/^[. ]+$|[\\/\u0000-\u001f:]|%[\da-f]{2}/i.test(segment);
