// A service that counts and hashes uploaded bytes and discards them. Pages of any origin may use it.
import { createHash } from "node:crypto";
import { listen } from "../../package/support/listen.mjs";
import { document, file } from "./documents.mjs";

/** Resolves to { url, received, close }; `received` has { size, sha1 } for each upload. */
export async function openSink() {
  const received = [];
  const { url, server, close } = await listen(async (request, response) => {
    const open = { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization", "access-control-allow-methods": "*" };
    if (request.method === "OPTIONS") return response.writeHead(204, open).end();
    const hash = createHash("sha1");
    let size = 0;
    const parts = [];
    for await (const chunk of request) {
      size += chunk.length;
      if (request.method === "PUT") hash.update(chunk);
      else parts.push(chunk);
    }
    if (request.method === "PUT") {
      received.push({ size, sha1: hash.digest("hex") });
      return response.writeHead(201, open).end();
    }
    const declared = JSON.parse(Buffer.concat(parts)).data.attributes.size;
    const body = JSON.stringify(document(file(url, "large", { size: declared })));
    response.writeHead(201, { ...open, "content-type": "application/vnd.api+json" }).end(body);
  });
  // Debugging aids of Node's server: a large upload may take its time.
  server.requestTimeout = 0;
  return { url, received, close };
}
