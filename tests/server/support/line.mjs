// What uploads over bad connections are tested with: a line to the service that is cut, and bytes to send over it.
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { after } from "node:test";

export const MB = 1_000_000;
/** What a cut connection may lose: what was sent and has not come, and what came since the last checkpoint. */
export const LOST_PER_CUT = 24 * MB;

/** Bytes by a xorshift generator, so that a part that is moved or repeated changes the hash. */
export function noise(size) {
  const words = new Uint32Array(size / 4);
  let state = 2463534242;
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer);
}

/** A line to a service that is cut whenever `cuts` says so, in bytes from the client in all. `target` is the port of the service. */
export async function openLine(cuts) {
  const line = { sent: 0, cut: 0, target: undefined };
  const server = createServer((client) => {
    const target = connect(line.target, "127.0.0.1");
    const close = () => (client.destroy(), target.destroy());
    client.on("data", (bytes) => {
      line.sent += bytes.length;
      if (line.sent < (cuts[line.cut] ?? Infinity)) return void (target.write(bytes) || (client.pause(), target.once("drain", () => client.resume())));
      line.cut++;
      close();
    });
    target.pipe(client);
    for (const socket of [client, target]) socket.on("error", close).on("close", close);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return Object.assign(line, { port: server.address().port });
}

/** The file of an upload, by the URL of that. */
export async function fileOf(service, url) {
  const [, id] = /\/v1\/uploads\/([^?]+)\?/.exec(url);
  return (await service.client.call("GET", `/v1/files/${id}`)).body.data;
}
