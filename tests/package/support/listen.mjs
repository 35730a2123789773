// Starts a server on a free port of this machine.
import { createServer } from "node:http";

/**
 * Starts to answer requests, as `http.createServer` does.
 * @returns {Promise<{ url: string, server: import("node:http").Server, close: () => Promise<void> }>} url has no slash at its end;
 *   close() ends open connections too.
 */
export async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}`, server, close };
}
