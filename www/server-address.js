// Checks the address and key of a server: what the package and the page's content security policy allow. Messages never repeat
// what was entered, because it may contain a key.
import { text } from "./text.js";

const words = text.service;
/** Loopback hosts, as the content security policy in index.html lists them. */
const LOOPBACK = ["localhost", "127.0.0.1"];

/** The error of an address; "" if it is valid. */
export function addressError(entered) {
  const url = parse(entered);
  if (!url) return words.noAddress;
  const { protocol, hostname, username, password, pathname } = url;
  if (protocol === "http:" && !LOOPBACK.includes(hostname)) return httpError(hostname);
  if (protocol !== "https:" && protocol !== "http:") return words.https;
  if (username || password) return words.credentials;
  if (/\/v1\/*$/.test(pathname)) return words.version;
  return "";
}

function httpError(hostname) {
  if (hostname === "[::1]") return words.loopback;
  return location.protocol === "https:" ? words.mixed : words.https;
}

/** The error of a key; "" if it is valid. */
export function keyError(entered) {
  return /^[!-~]*$/.test(entered) ? "" : words.key;
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
