// Plans calls on the calling thread, and hands their jobs to the platform's runner.
import { abortable } from "./abort.js";
import { Builds } from "./builds.js";
import { decodeSource } from "./decoders.js";
import { toLoadError } from "./error-conversion.js";
import { OptionsError } from "./errors.js";
import { inputLimit, tooLarge } from "./response-body.js";
import { JXL, buildsOf, toFormat } from "./formats.js";
import { readHead, readInput } from "./input.js";
import { withAdvice } from "./option-advice.js";
import { defaults, readInitOptions } from "./init-options.js";

export class Dispatcher {
  #platform;
  #settings = defaults();
  #runner;

  constructor(platform) {
    this.#platform = platform;
    this.builds = new Builds(platform, this.#settings);
  }

  /** Uses what `init` was given from now on. */
  async init(given) {
    const { wasm, ...settings } = readInitOptions(given, this.#platform.resolveFolder);
    Object.assign(this.#settings, settings);
    if (wasm) await this.builds.init(wasm);
  }

  /** Loads what calls for these types need first. */
  async preload(types) {
    const wanted = new Set(buildsOf(types, await this.formats()));
    // Larger builds do what smaller ones do.
    if (wanted.has("core")) wanted.delete("photo");
    if (wanted.has("full")) wanted.delete("avif");
    await Promise.all([...wanted].map((build) => this.#getRunner().preload(build)));
  }

  async formats() {
    const { builds } = this.#platform;
    const rows = await (await this.builds.engine("client")).call("formats");
    return [...rows, ...(builds.includes("jxl") ? [JXL] : [])].map((row) => toFormat(row, builds));
  }

  /** Resolves to the source of an input. */
  async open(input, { settings, client, engine, signal }) {
    const limit = inputLimit({ settings, client, engine });
    return readInput(input, { limit, limits: settings.limits, signal, openFile: this.#platform.openFile });
  }

  /**
   * Resolves to `[source, await plan(source)]`, where the source is a decoder's if the one given is of a type that only a decoder reads.
   * `call.inspects`: its pixels are not needed; `call.onStage` receives the progress of the build that decodes it.
   */
  async planReadable(source, call, plan) {
    try {
      return [source, await plan(source)];
    } catch (thrown) {
      if (thrown?.code !== "needs_decoder") throw thrown;
      // What is decoded is not sent to a server.
      const limit = inputLimit({ settings: call.settings });
      if (source.size > limit) throw tooLarge(source.size, limit);
      const open = (made) => this.open(made, call);
      const { decoders: own } = this.#settings;
      const isJxl = thrown.details.type === JXL.type && this.#platform.builds.includes("jxl") && !own[JXL.type];
      const decoders = { own, platform: this.#platform.decodePicture };
      const decoded = isJxl ? await this.#readJxl(source, call) : await decodeSource(source, thrown, { ...decoders, open, signal: call.signal, limits: call.settings.limits });
      return [decoded, await plan(decoded)];
    }
  }

  async #readJxl(source, { inspects, settings: { limits }, onStage, signal }) {
    const run = (job) => this.#getRunner().run("jxl", { ...job, settings: { limits } }, onStage, signal);
    // The script and the build are loaded at the same time.
    const script = this.#platform.jxl().catch((thrown) => {
      throw toLoadError("jxl", thrown, this.#platform.advice());
    });
    const loads = [script, readHead(source), this.builds.load("jxl")];
    const [{ readJxl }, head] = await abortable(signal, Promise.all(loads));
    return readJxl(source, { head, inspects, run });
  }

  /** Plans a call from the first bytes of the input. */
  async plan(source, { settings, engine, client }, signal) {
    const head = await abortable(signal, readHead(source));
    const planner = await abortable(signal, this.builds.engine("client"));
    // The engine reads the overlay; the planner only has to know of it.
    const options = { ...ofFile(source, settings), overlay: settings.overlay && {}, engine };
    const asked = planner.call("plan", head, source.size, source.type, source.name, options, client !== undefined);
    return abortable(signal, asked).catch((thrown) => withAdvice(thrown, settings));
  }

  /**
   * The plan for an input that must be an image; `done` is the verb for the error message. By default it is converted to JPEG, as every
   * image can be with the smallest builds.
   */
  async planImage(source, settings, signal, done, to = "image/jpeg") {
    return this.plan(source, { settings: { ...settings, to } }, signal).catch(async (thrown) => {
      // Audio cannot be converted to an image; planned without a conversion, it rejects with `needs_service`.
      const unpaired = thrown?.code === "unsupported_pair";
      const refusal = unpaired ? await this.plan(source, { settings }, signal).catch((own) => own) : thrown;
      if (refusal?.code !== "needs_service") throw refusal;
      throw new OptionsError("needs_service", `Only images are ${done}; this is video, audio or PDF.`, refusal);
    });
  }

  /** Runs a planned job. */
  async run({ build, inputType, memory }, source, { call, settings, onStage, onOutput, signal }) {
    const runner = this.#getRunner();
    const own = Array.isArray(settings) ? settings.map((each) => ofFile(source, each)) : ofFile(source, settings);
    const job = { call, source, type: inputType, settings: own, need: memory, onOutput };
    try {
      return await runner.run(build, job, onStage, signal);
    } catch (thrown) {
      // Some needs are only found while reading the file, such as a color profile that has to be applied.
      const needed = thrown?.code === "not_in_build" && thrown.details?.build;
      if (!needed || needed === build) return withAdvice(thrown, settings);
      return runner.run(needed, job, onStage, signal);
    }
  }

  /** The most jobs that run at once. */
  workers() {
    return this.#getRunner().workers();
  }

  #getRunner() {
    return (this.#runner ??= this.#platform.createRunner(this.builds, this.#settings));
  }
}

/** The settings, whose limit of bytes holds for the file, not for what a decoder made of it. */
const ofFile = ({ original, size }, settings) => (original ? { ...settings, limits: { ...settings.limits, maxInputBytes: size } } : settings);
