// A port for a program that cannot choose one itself.
import { once } from "node:events";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** From the first to the one after the last. Linux gives the ports from 32,768 on to whoever does not name one. */
const RANGE = [10_000, 32_768];

/** A port of this machine that was free a moment ago, and that no program gets by chance. */
export async function freePort() {
  for (;;) {
    const port = randomInt(...RANGE);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if (error.code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
