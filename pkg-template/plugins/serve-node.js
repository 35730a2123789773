// Entry of filepress/serve/node: connects the server of images to the HTTP server of Node, or to Express.

/** See types/plugins/serve-node.d.ts. */
export function toNodeListener(handler) {
  return async function listener(request, response, next) {
    try {
      const controller = new AbortController();
      response.once("close", () => controller.abort());
      const answer = await handler(toRequest(request, controller.signal));
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

/** The request without its body. */
function toRequest({ method, headers, url, originalUrl = url }, signal) {
  const pairs = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return new Request(new URL(originalUrl, "http://localhost"), { method, headers: pairs.map(([name, value]) => [name, [value].flat().join(", ")]), signal });
}

async function send(answer, response) {
  const body = answer.body && new Uint8Array(await answer.arrayBuffer());
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(body ?? undefined);
}
