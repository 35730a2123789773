// Which addresses bytes and keys may travel to. `src/remote/address.rs` holds the links of a service to the same.

/** Machines that are the caller's own, by the names that URL gives them. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** True for a URL that nobody on the way can read: `https:`, or `http:` on loopback. */
export const isSecure = ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
