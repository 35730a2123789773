// Which network an address is of, as far as the address itself tells: names are not looked up.

const MACHINE = 0;
const PRIVATE = 1;
const PUBLIC = 2;

/** Of IPv4, all that is not given out to the public (RFC 6890): 0/8, 10/8, 169.254/16, 192.0.0/24, 192.168/16, 198.18/15, … */
const UNROUTED = /^(0|10|169\.254|192\.0\.0|192\.168|198\.1[89]|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|172\.(1[6-9]|2\d|3[01]))\./;
/** Addresses of groups and of the future: 224/3. */
const GROUPS = /^(22[4-9]|2[3-5]\d)\./;
/** Of IPv6, all that is: 2000::/3 (RFC 4291, 2.4). */
const ROUTED = /^\[[23][\da-f]{3}:/;
/** Names without a dot, and those that are reserved (RFC 6762, RFC 8375, ICANN's .internal). */
const LOCAL = /^[^.]+$|\.(local|internal|lan|home\.arpa)$/;

/** How far one has to go for a URL: the larger, the farther. */
export function networkScope({ hostname }) {
  const host = hostname.replace(/\.$/, "");
  if (/^127(\.\d+){3}$|^\[::1\]$|(^|\.)localhost$/.test(host)) return MACHINE;
  if (/^\d+(\.\d+){3}$/.test(host)) return UNROUTED.test(host) || GROUPS.test(host) ? PRIVATE : PUBLIC;
  if (host.startsWith("[")) return ROUTED.test(host) ? PUBLIC : PRIVATE;
  return LOCAL.test(host) ? PRIVATE : PUBLIC;
}
