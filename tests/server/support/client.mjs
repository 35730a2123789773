// A client as kitsu-core's documentation shows it: its functions around fetch, without knowledge of this service.
import { deserialise, error, query, serialise } from "kitsu-core";

const MEDIA_TYPE = "application/vnd.api+json";

/** Reads and creates resources below `url`; what is refused is thrown with its `errors`, as kitsu-core does. */
export function createClient(url, key) {
  const headers = { Accept: MEDIA_TYPE, "Content-Type": MEDIA_TYPE, Authorization: `Bearer ${key}` };
  return {
    get: (path, parameters) => call(`${url}/${path}${parameters ? `?${query(parameters)}` : ""}`),
    follow: (link) => call(link),
    create: (type, body) =>
      call(`${url}/${type}`, { method: "POST", body: JSON.stringify(serialise(type, body)) }),
  };

  async function call(address, init = {}) {
    const response = await fetch(address, { ...init, headers });
    const data = await response.json();
    if (!response.ok) return error(Object.assign(new Error(response.statusText), { response: { data } }));
    return deserialise(data);
  }
}
