// Checks the address and key of a server: what the package and the page's content security policy allow. Messages never repeat
// what was entered, because it may contain a key.

const HTTPS = "The address must start with https:// (http:// only for this machine).";
/** Loopback hosts, as the content security policy in index.html lists them. */
const LOOPBACK = ["localhost", "127.0.0.1"];

/** The error of an address; "" if it is valid. */
export function addressError(entered) {
  const url = parse(entered);
  if (!url) return "This is not a web address. Example: https://files.example.com";
  const { protocol, hostname, username, password, pathname } = url;
  if (protocol === "http:" && !LOOPBACK.includes(hostname)) return httpError(hostname);
  if (protocol !== "https:" && protocol !== "http:") return HTTPS;
  if (username || password) return "Enter the address without a user name or password.";
  if (/\/v1\/*$/.test(pathname)) return "Enter the address without /v1 at the end.";
  return "";
}

function httpError(hostname) {
  if (hostname === "[::1]") return "This page can’t connect to [::1]. Try http://localhost.";
  if (location.protocol === "https:")
    return "The address must start with https://. A page that was loaded by https:// can’t connect to http://.";
  return HTTPS;
}

/** The error of a key; "" if it is valid. */
export function keyError(entered) {
  return /^[!-~]*$/.test(entered) ? "" : "A key has only ASCII characters and no spaces.";
}

/** The address in the form that the package takes: without a query, and without a trailing slash. */
export function trimAddress(entered) {
  if (entered === "") return "";
  const { origin, pathname } = new URL(entered);
  return origin + pathname.replace(/\/+$/, "");
}

/** Host and port of a valid address. */
export const hostOf = (address) => parse(address)?.host ?? "";

function parse(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
