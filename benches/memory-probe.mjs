// A program that runs one case once in a fresh process and prints its peak memory as JSON: `wasm`, the bytes of all
// WebAssembly memories (they never shrink, so the final size is the peak; none for native code), and `process`, the
// peak resident memory. Usage: node memory-probe.mjs PEER WORK SETTINGS FILE. PEER `none` does nothing, which
// measures Node itself.
import { existsSync, readFileSync } from "node:fs";

const memories = new Set();
const note = (instance) => {
  for (const part of Object.values(instance.exports)) if (part instanceof WebAssembly.Memory) memories.add(part);
  return instance;
};

// Wrapped before a peer is imported, so that none can make an instance or a memory unseen.
const { instantiate, Instance, Memory } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, { construct: (target, given) => note(Reflect.construct(target, given)) });
WebAssembly.Memory = new Proxy(Memory, {
  construct(target, given) {
    const memory = Reflect.construct(target, given);
    memories.add(memory);
    return memory;
  },
});
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  note(made.instance ?? made);
  return made;
};

const [id, work, settings, file] = process.argv.slice(2);
const bytes = readFileSync(file);
if (id !== "none") {
  const { peers } = await import("./peers/index.mjs");
  const works = await peers.find((peer) => peer.id === id).start({ inlineFor: work });
  const { length } = await works[work](bytes, JSON.parse(settings));
  if (length === 0) throw new Error(`${id} made no bytes`);
}
const wasm = [...memories].reduce((total, { buffer }) => total + buffer.byteLength, 0);
console.log(JSON.stringify({ wasm, process: mostResident() }));
// wasm-vips keeps its threads.
process.exit();

/** What the system's own count calls the maximum has, on Linux, that of the process which started this one in it. */
function mostResident() {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [null, process.resourceUsage().maxRSS];
  return Number(kilobytes) * 1024;
}
