// Checks where links and redirects of a server lead. Outside a browser they could lead into the caller's private network, or to an
// unencrypted connection.
import { isSecure } from "./secure-url.js";
import { networkScope } from "./network-scope.js";

const MAX_REDIRECTS = 5;

/**
 * Throws if `from` must not lead to `to`: from `https:` to another scheme, to `http:` on another machine, or to a narrower network
 * scope, for example from a public address to a private network. The opposite direction is allowed.
 */
export function checkTarget(from, to) {
  const [source, target] = [new URL(from), new URL(to)];
  const isDowngraded = source.protocol === "https:" && target.protocol !== "https:";
  if (isDowngraded || !isSecure(target)) throw new TypeError("the server links to an unencrypted URL");
  if (networkScope(target) < networkScope(source)) throw new TypeError("the server links into a network that it is not part of");
}

/** Sends a request of a client of `baseUrl`, and checks and follows its redirects one by one. */
export async function fetchWithRedirects(request, baseUrl) {
  if (request.method !== "GET" || request.redirect !== "follow") return fetch(request);
  const { headers, signal } = request;
  let { url } = request;
  checkTarget(baseUrl, url);
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location");
    if (!location) return response;
    response.body?.cancel().catch(() => {});
    const next = new URL(location, url).href;
    checkTarget(url, next);
    url = next;
  }
  throw new TypeError("the server redirects too often");
}
