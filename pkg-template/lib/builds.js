// Loads the builds of the engine (client, photo, photo_avif, avif, core, full, jxl). Each is compiled once, when it is first needed. A failure is not cached,
// so the next call tries again.
import { Engine } from "./engine.js";
import { OptionsError } from "./errors.js";
import { invalid } from "./options.js";
import { toLoadError } from "./error-conversion.js";
import { BUILDS } from "./init-options.js";

/** By build, a larger one that takes over its work. */
const LARGER = { photo: "core", photo_avif: "avif", avif: "full" };

export class Builds {
  #platform;
  #settings;
  /**
   * Promises of { build, module } by requested build. `init` may provide a larger build than the one requested. A promise of undefined
   * stands for an unusable source of `init`: the previous promise is restored then.
   */
  #loads = new Map();
  #engines = new Map();
  /** Compiled builds. */
  #ready = new Set();
  /** Pending while `init` identifies a single source, which may serve several builds. */
  #identifying;
  /** The engine for clients, if `init` set another build for everything. */
  #own;

  constructor(platform, settings) {
    this.#platform = platform;
    this.#settings = settings;
  }

  /** Resolves to the { build, module } to use for the build `wanted`. */
  async load(wanted) {
    await this.#identifying;
    const build = this.choose(wanted);
    const known = this.#loads.get(build);
    // Before it is kept: a call that needs less would wait for what is not there.
    if (!known) this.#checkOwn(build);
    return (await (known ?? this.#keep(build, this.#loadOwn(build)))) ?? this.load(wanted);
  }

  /** The build itself, or a larger one if that is loaded, or was requested first, so that all workers have the same build. */
  choose(wanted) {
    const loads = this.#loads;
    if (!LARGER[wanted]) return wanted;
    // Of the larger one as well, a larger one may be loaded.
    const best = this.choose(LARGER[wanted]);
    const isBetter = this.#platform.lacks(wanted) || this.#ready.has(best) || (loads.has(best) && !loads.has(wanted));
    return isBetter ? best : wanted;
  }

  /** The engine of this thread for a build. */
  async engine(wanted) {
    const { build, module } = await this.load(wanted);
    const glue = await this.#loadGlue(build);
    const running = this.#engines.get(build);
    // An engine that never ran is replaced if the module has changed.
    if (running?.module !== module && !running?.hasRun) this.#engines.set(build, this.#createEngine(build, glue, module));
    return this.#engines.get(build);
  }

  /** The engine for clients: always the client build, from the package if `init` set another build for everything. */
  async remote() {
    const planner = await this.engine("client");
    if (planner.build === "client") return planner;
    this.#own ??= this.#loadOwn("client").then(async ({ module }) => this.#createEngine("client", await this.#loadGlue("client"), module));
    this.#own.catch(() => (this.#own = undefined));
    return this.#own;
  }

  /** Uses these sources from now on: a list of [build, source], or of one source whose build is undefined. */
  async init(sources) {
    // Promises are stored before the first await, so that calls made in the meantime wait for them.
    const [[first, source]] = sources;
    if (first) {
      await Promise.all(sources.map(([build, given]) => this.#use(build, this.#loadGiven(build, given))));
      return;
    }
    const one = this.#loadGiven(undefined, source);
    const done = one.then((given) => this.#useForAll(given), () => {});
    this.#identifying = done;
    await one;
    await done;
  }

  #keep(build, promise) {
    const forget = () => this.#loads.get(build) === promise && this.#loads.delete(build);
    this.#loads.set(build, promise);
    promise.then((loaded) => (loaded ? this.#ready.add(build) : forget()), forget);
    return promise;
  }

  async #loadOwn(build) {
    try {
      return { build, module: await this.#platform.load(build, this.#settings.workers) };
    } catch (thrown) {
      throw toLoadError(build, thrown, this.#platform.advice());
    }
  }

  async #loadGiven(build, source) {
    try {
      const module = await this.#platform.compile(source);
      const given = { build: identify(module, build), module };
      this.#checkOwn(given.build);
      return given;
    } catch (thrown) {
      throw toLoadError(build ?? "given", thrown, this.#platform.advice());
    }
  }

  async #loadGlue(build) {
    this.#checkOwn(build);
    try {
      return await this.#platform.glue(build);
    } catch (thrown) {
      throw toLoadError(build, thrown, this.#platform.advice());
    }
  }

  /** `filepress/web` and `filepress/avif` have not all builds. */
  #checkOwn(build) {
    if (this.#platform.builds.includes(build)) return;
    const message = `This needs the "${build}" build, which this entry of the package does not have. Import from "filepress".`;
    throw new OptionsError("not_in_build", message, { details: { build } });
  }

  #createEngine(build, glue, module) {
    return new Engine(build, glue, module, this.#platform.start);
  }

  /** Uses a source for one build. */
  #use(build, given) {
    const before = this.#loads.get(build);
    const used = given.catch(() => {
      if (this.#loads.get(build) !== used) return;
      this.#loads.delete(build);
      if (before) this.#keep(build, before);
    });
    this.#keep(build, used);
    return given;
  }

  /** Uses a single source for all builds that it can replace: only core and full replace others, and nothing replaces jxl. */
  #useForAll(given) {
    const replaced = ["core", "full"].includes(given.build) ? BUILDS.filter((build) => build !== "jxl") : [given.build];
    for (const build of replaced) this.#keep(build, Promise.resolve(given));
  }
}

/** The build of a module, by its exports: `begin` in the client build, otherwise `is_` and the build's name. */
function identify(module, wanted) {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const build = BUILDS.find((build) => names.includes(build === "client" ? "begin" : `is_${build}`));
  const option = wanted ? `wasm.${wanted}` : "wasm";
  if (!build) throw invalid(option, "is not a build of this package");
  if (build !== (wanted ?? build)) throw invalid(option, `is the "${build}" build, not "${wanted}"`);
  return build;
}
