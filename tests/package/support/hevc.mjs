// An HEVC decoder for Chromium, which comes without one: ffmpeg, behind the interface of WebCodecs.
import { spawnSync } from "node:child_process";

/**
 * For a page before its scripts run. `VideoDecoder` decodes HEVC by ffmpeg then; `globalThis.decoded` counts the pictures, and
 * `globalThis.closedDecoders` the decoders that were closed.
 */
export async function withHevc(page) {
  await page.exposeFunction("decodeHevc", decodeHevc);
  await page.addInitScript(() => {
    globalThis.decoded = 0;
    globalThis.closedDecoders = 0;
    globalThis.configurations = [];
    const toBase64 = (bytes) => btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
    globalThis.VideoDecoder = class extends EventTarget {
      #init;
      #config;
      #queue = [];
      #running;
      state = "unconfigured";

      static async isConfigSupported(config) {
        return { supported: /^hvc1\.[1-4]\.[0-9a-f]+\.[LH]\d+(\.[0-9a-f]+)*$/.test(config.codec), config };
      }

      constructor(init) {
        super();
        this.#init = init;
      }

      get decodeQueueSize() {
        return this.#queue.length;
      }

      configure(config) {
        globalThis.configurations.push(config.codec);
        this.#config = config;
        this.state = "configured";
      }

      decode(chunk) {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.#queue.push([chunk.timestamp, bytes]);
        this.#running ??= this.#run();
      }

      async flush() {
        await this.#running;
        if (this.state === "closed") throw new DOMException("The decoder was closed.", "AbortError");
      }

      async #run() {
        while (this.#queue.length > 0) {
          // Decoders need not keep the order.
          const [timestamp, bytes] = this.#queue.pop();
          const { data, colorSpace, ...layout } = await globalThis.decodeHevc(toBase64(this.#config.description), toBase64(bytes));
          if (this.state === "closed") return;
          globalThis.decoded++;
          this.dispatchEvent(new Event("dequeue"));
          const samples = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
          this.#init.output(new VideoFrame(samples, { ...layout, format: "I420", timestamp, colorSpace: this.#config.colorSpace ?? colorSpace }));
        }
        this.#running = undefined;
      }

      close() {
        this.state = "closed";
        globalThis.closedDecoders++;
      }
    };
  });
}

/** The samples of a coded picture as I420, and their colors by the stream. */
function decodeHevc(configuration, data) {
  const stream = annexB(Buffer.from(configuration, "base64"), Buffer.from(data, "base64"));
  const probed = run("ffprobe", ["-v", "error", "-f", "hevc", "-show_streams", "-of", "json", "-i", "pipe:0"], stream);
  const [{ width, height, pix_fmt: format, color_range: range, color_space: matrix }] = JSON.parse(probed).streams;
  const isGray = format === "gray";
  if (!isGray && !["yuv420p", "yuvj420p"].includes(format)) throw new Error(`Pictures as ${format} are not handed on.`);
  const samples = run("ffmpeg", ["-v", "error", "-f", "hevc", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", format, "pipe:1"], stream);
  const chroma = isGray ? Buffer.alloc(2 * Math.ceil(width / 2) * Math.ceil(height / 2), 128) : Buffer.alloc(0);
  const colorSpace = { primaries: "bt709", transfer: "iec61966-2-1", matrix: matrix === "bt709" ? "bt709" : "smpte170m", fullRange: range === "pc" || isGray };
  return { data: Buffer.concat([samples, chroma]).toString("base64"), codedWidth: width, codedHeight: height, colorSpace };
}

/** A byte stream (ITU-T H.265, annex B) of a decoder configuration record and units with their lengths (ISO/IEC 14496-15). */
function annexB(configuration, data) {
  const units = [];
  let at = 23;
  for (let arrays = configuration[22]; arrays > 0; arrays--) {
    let count = configuration.readUInt16BE(at + 1);
    for (at += 3; count > 0; count--) {
      const length = configuration.readUInt16BE(at);
      units.push(configuration.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  const size = (configuration[21] & 3) + 1;
  for (let from = 0; from + size < data.length; ) {
    const length = data.readUIntBE(from, size);
    units.push(data.subarray(from + size, from + size + length));
    from += size + length;
  }
  return Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));
}

function run(command, settings, input) {
  const { stdout, stderr, status } = spawnSync(command, settings, { input, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}
