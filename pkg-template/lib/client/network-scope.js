// The network scope of a URL, by its host alone. Names are not resolved.

const LOOPBACK = 0;
const PRIVATE = 1;
const PUBLIC = 2;

/** IPv4 special-purpose addresses (RFC 6890): 0/8, 10/8, 169.254/16, 192.0.0/24, 192.168/16, 198.18/15, 100.64/10, 172.16/12. */
const SPECIAL_IPV4 = /^(0|10|169\.254|192\.0\.0|192\.168|198\.1[89]|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|172\.(1[6-9]|2\d|3[01]))\./;
/** IPv4 multicast and reserved addresses: 224/3. */
const MULTICAST_IPV4 = /^(22[4-9]|2[3-5]\d)\./;
/** IPv6 global unicast addresses: 2000::/3 (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = /^\[[23][\da-f]{3}:/;
/** Names without a dot, and reserved local domains (RFC 6762, RFC 8375, ICANN's .internal). */
const LOCAL_NAME = /^[^.]+$|\.(local|internal|lan|home\.arpa)$/;

/** The scope of a URL: the larger, the wider. */
export function networkScope({ hostname }) {
  const host = hostname.replace(/\.$/, "");
  if (/^127(\.\d+){3}$|^\[::1\]$|(^|\.)localhost$/.test(host)) return LOOPBACK;
  if (/^\d+(\.\d+){3}$/.test(host)) return SPECIAL_IPV4.test(host) || MULTICAST_IPV4.test(host) ? PRIVATE : PUBLIC;
  if (host.startsWith("[")) return GLOBAL_IPV6.test(host) ? PUBLIC : PRIVATE;
  return LOCAL_NAME.test(host) ? PRIVATE : PUBLIC;
}
