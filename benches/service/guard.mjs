// What Amazon S3 refuses and the S3 server of the tests does not: headers that begin with `x-amz-` in a request by a link that was not signed
// for them. The server uses such links only if the store refuses them. All other requests are passed on.
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { pipeline } from "node:stream";

/** Stands before the store at a URL: `{ url, stop() }`. */
export async function guard(store) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, answer) => {
    const url = new URL(incoming.url, store);
    const signed = url.searchParams.get("X-Amz-SignedHeaders")?.split(";");
    if (signed && Object.keys(incoming.headers).some((name) => name.startsWith("x-amz-") && !signed.includes(name))) {
      answer.writeHead(403).end();
      return;
    }
    const call = request(url, { agent, method: incoming.method, headers: incoming.headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      pipeline(response, answer, () => {});
    });
    pipeline(incoming, call, (error) => error && answer.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      agent.destroy();
    },
  };
}
