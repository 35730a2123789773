// Which addresses a service may have for this page: what the package takes, and the page's own policy lets through. Nothing that
// was entered is repeated in a sentence, since it may hold a key.

const HTTPS = "The address must begin with https:// (http:// is for this machine alone).";
/** Machines that are the visitor's own, as the policy in index.html names them. */
const OWN = ["localhost", "127.0.0.1"];

/** What is wrong with an address; "" where nothing is. */
export function addressFault(entered) {
  const url = parse(entered);
  if (!url) return "This is no web address. One is https://files.example.com, as an example.";
  const { protocol, hostname, username, password, pathname } = url;
  if (protocol === "http:" && !OWN.includes(hostname)) return plainFault(hostname);
  if (protocol !== "https:" && protocol !== "http:") return HTTPS;
  if (username || password) return "The address must be without a user name or password in it.";
  if (/\/v1\/*$/.test(pathname)) return "The address must be without /v1 at its end.";
  return "";
}

function plainFault(hostname) {
  if (hostname === "[::1]") return "The page cannot reach [::1]. Where the service listens there, try http://localhost.";
  if (location.protocol === "https:")
    return "The address must begin with https://: this page came that way, and so a browser lets it reach no http:// address.";
  return HTTPS;
}

/** What is wrong with a key; "" where nothing is. */
export function keyFault(entered) {
  return /^[!-~]*$/.test(entered) ? "" : "A key has no blanks, and no letters but those of ASCII.";
}

/** An address as the package understands it: without a query, which it does not take, and without a slash at the end. */
export function trimAddress(entered) {
  if (entered === "") return "";
  const { origin, pathname } = new URL(entered);
  return origin + pathname.replace(/\/+$/, "");
}

/** The name and port of an address that has no fault. */
export const hostOf = (address) => parse(address)?.host ?? "";

function parse(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
