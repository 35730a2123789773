// Entry of filepress/serve/node: connects the server of images to the HTTP server of Node, or to Express.

/** See types/plugins/serve-node.d.ts. */
export function toNodeListener(handler) {
  return async function listener(request, response, next) {
    try {
      const controller = new AbortController();
      response.once("close", () => controller.abort());
      const asked = toRequest(request, controller.signal);
      const answer = asked && (await handler(asked));
      if (answer) return await send(answer, response);
      if (next) return next();
      response.writeHead(404).end();
    } catch (error) {
      if (next) return next(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
}

/** The request without its body. Undefined for one that no Request can be, such as one with the method TRACE: no handler can be asked for it. */
function toRequest({ method, headers, url, originalUrl = url }, signal) {
  // A target can also be a whole URL, or `*`. It must not choose the host.
  if (!originalUrl?.startsWith("/")) return undefined;
  // HTTP/2 has the host in a field of its own.
  const pairs = Object.entries({ host: headers[":authority"], ...headers }).filter(([name, value]) => !name.startsWith(":") && value !== undefined);
  try {
    return new Request(`http://localhost${originalUrl}`, { method, headers: pairs.map(([name, value]) => [name, [value].flat().join(", ")]), signal });
  } catch {
    return undefined;
  }
}

async function send(answer, response) {
  const body = answer.body && new Uint8Array(await answer.arrayBuffer());
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(body ?? undefined);
}
