// A program of its own: runs one job once in a fresh process and prints the bytes of every WebAssembly memory it made.
// A memory never shrinks, so what is there at the end was the peak. `node wasm-memory.mjs PEER WIDTH PHOTO`, WIDTH 0 is full size.
import { readFileSync } from "node:fs";

const memories = new Set();
const note = (instance) => {
  for (const part of Object.values(instance.exports)) if (part instanceof WebAssembly.Memory) memories.add(part);
  return instance;
};

// Wrapped before a peer is imported, so that none can make an instance unseen.
const { instantiate, Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, { construct: (target, given) => note(Reflect.construct(target, given)) });
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  note(made.instance ?? made);
  return made;
};

const [peer, width, path] = process.argv.slice(2);
const { [peer]: prepare } = await import("./peers.mjs");
const { jpeg } = await prepare();
const bytes = await jpeg(readFileSync(path), Number(width) || undefined);
if (bytes.length === 0 || memories.size === 0) throw new Error(`${peer}: ${bytes.length} bytes, ${memories.size} memories`);
console.log([...memories].reduce((total, { buffer }) => total + buffer.byteLength, 0));
