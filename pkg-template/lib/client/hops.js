// Redirections of a download, one by one: where there is no browser to watch over it, a service could lead into its caller's own
// network, or away from encryption.
import { isPrivate } from "./address.js";

const MOST_HOPS = 5;

/** Fetches as `request` says. From `https:` no redirection leads to another scheme, from loopback none to another host. */
export async function fetchByHops(request) {
  if (request.method !== "GET" || request.redirect !== "follow") return fetch(request);
  const { headers, signal } = request;
  let url = new URL(request.url);
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location");
    if (!location) return response;
    response.body?.cancel().catch(() => {});
    const next = new URL(location, url);
    const isDowngraded = url.protocol === "https:" && next.protocol !== "https:";
    if (isDowngraded || !isPrivate(next)) throw new TypeError("the service redirects to an address that is not encrypted");
    url = next;
  }
  throw new TypeError("the service redirects without end");
}
