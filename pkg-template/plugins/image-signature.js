// Signatures of URLs: HMAC with SHA-256 of path and query, in base64url, as the last member of the query. All spellings of a path have the same.
import { readSegments, toPath } from "./image-path.js";

/** 256 bits: the last character has two of none, and one spelling. */
const SIGNATURE = /[?&]s=([\w-]{42}[AEIMQUYcgkosw048])$/;
const encode = (text) => new TextEncoder().encode(text);
const importKey = (key) => crypto.subtle.importKey("raw", encode(checkKey(key)), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);

/** Returns `key`. Throws if it is none: `null` would be encoded as the secret "null", which anyone can guess. */
export function checkKey(key) {
  if (typeof key === "string" && key !== "") return key;
  throw new TypeError("key must be a string that is not empty");
}

/** Whether a URL ends with the signature of what comes before: the path with these segments, and the query. */
export async function isSigned(segments, search, key) {
  const [, signature] = SIGNATURE.exec(search) ?? [];
  if (!signature) return false;
  const bytes = Uint8Array.from(atob(signature.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return crypto.subtle.verify("HMAC", await importKey(key), bytes, encode(toPath(segments) + search.replace(SIGNATURE, "")));
}

/** See types/plugins/sign.d.ts. */
export async function signImage(path, key) {
  const { pathname, search } = new URL(path, "http://localhost");
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(key), encode(toPath(readSegments(pathname)) + search)));
  const signature = btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
  return `${pathname}${search}${search ? "&" : "?"}s=${signature}`;
}
