// URLs that bytes and keys may be sent to. `src/remote/url.rs` applies the same rule to links of a server.

/** Loopback hosts, as URL normalizes them. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a URL cannot be intercepted: `https:`, or `http:` on loopback. */
export const isSecure = ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
