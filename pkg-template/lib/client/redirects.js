// Where the answers of a service lead, by links and redirections: where there is no browser to watch over it, they could lead into
// the caller's own network, or away from encryption.
import { isSecure } from "./secure-url.js";
import { networkScope } from "./network-scope.js";

const MAX_REDIRECTS = 5;

/**
 * Throws where `from` may not lead to `to`: from `https:` to another scheme, to `http:` on other machines, or from farther away to
 * what is nearer, as from the internet to a private network. Away from this machine or a private network it may lead.
 */
export function checkTarget(from, to) {
  const [source, target] = [new URL(from), new URL(to)];
  const isDowngraded = source.protocol === "https:" && target.protocol !== "https:";
  if (isDowngraded || !isSecure(target)) throw new TypeError("the service leads to an address that is not encrypted");
  if (networkScope(target) < networkScope(source)) throw new TypeError("the service leads into a network that it is not part of");
}

/** Fetches as `request` says, each redirection by itself, for a client of the service at `baseUrl`. */
export async function fetchWithRedirects(request, baseUrl) {
  if (request.method !== "GET" || request.redirect !== "follow") return fetch(request);
  const { headers, signal } = request;
  let { url } = request;
  checkTarget(baseUrl, url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location");
    if (!location) return response;
    response.body?.cancel().catch(() => {});
    const next = new URL(location, url).href;
    checkTarget(url, next);
    url = next;
  }
  throw new TypeError("the service redirects without end");
}
