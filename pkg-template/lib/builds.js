// Loads the builds of the engine (client, photo, core, full). Each is compiled once, when it is first needed. A failure is not cached,
// so the next call tries again.
import { createEngine } from "./engine.js";
import { invalid, isPlainObject, members, unknown } from "./options.js";
import { toLoadError } from "./error-conversion.js";

const BUILDS = ["client", "photo", "core", "full"];

export function createBuilds(platform) {
  /**
   * Promises of { build, module } by requested build. `init` may provide a larger build than the one requested. A promise of undefined
   * stands for an unusable source of `init`: the previous promise is restored then.
   */
  const loads = new Map();
  const engines = new Map();
  /** Compiled builds. */
  const ready = new Set();
  /** Pending while `init` identifies a single source, which may serve several builds. */
  let identifying;
  let own;

  function keep(build, promise) {
    const forget = () => loads.get(build) === promise && loads.delete(build);
    loads.set(build, promise);
    promise.then((loaded) => (loaded ? ready.add(build) : forget()), forget);
    return promise;
  }

  async function loadOwn(build) {
    try {
      return { build, module: await platform.load(build) };
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  async function loadGiven(build, source) {
    try {
      const module = await platform.compile(source);
      return { build: identify(module, build), module };
    } catch (thrown) {
      throw toLoadError(build ?? "given", thrown);
    }
  }

  async function loadGlue(build) {
    try {
      return await platform.glue(build);
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  /** Resolves to the { build, module } to use for the build `wanted`. */
  async function load(wanted) {
    await identifying;
    const build = wanted === "photo" && prefersCore() ? "core" : wanted;
    return (await (loads.get(build) ?? keep(build, loadOwn(build)))) ?? load(wanted);
  }

  /** Whether `core` is used for `photo`: if it is loaded, or was requested first, so that all workers have the same build. */
  function prefersCore() {
    return !platform.hasPhoto() || ready.has("core") || (loads.has("core") && !loads.has("photo"));
  }

  /** The engine of this thread for a build. */
  async function engine(wanted) {
    const { build, module } = await load(wanted);
    const glue = await loadGlue(build);
    const running = engines.get(build);
    // An engine that never ran is replaced if the module has changed.
    if (running?.module !== module && !running?.hasRun()) engines.set(build, createEngine(build, glue, module, platform.start));
    return engines.get(build);
  }

  /** The engine for clients: always the client build, from the package if `init` set another build for everything. */
  async function remote() {
    const planner = await engine("client");
    if (planner.build === "client") return planner;
    own ??= loadOwn("client").then(async ({ module }) => createEngine("client", await loadGlue("client"), module, platform.start));
    own.catch(() => (own = undefined));
    return own;
  }

  /** Uses `source` from now on. */
  async function init(source) {
    // Promises are stored before the first await, so that calls made in the meantime wait for them.
    const named = readByBuild(source);
    if (named) {
      await Promise.all(named.map(([build, given]) => use(build, loadGiven(build, given))));
      return;
    }
    const one = loadGiven(undefined, source);
    const done = one.then(useForAll, () => {});
    identifying = done;
    await one;
    await done;
  }

  /** Uses a source for one build. */
  function use(build, given) {
    const before = loads.get(build);
    const used = given.catch(() => {
      if (loads.get(build) !== used) return;
      loads.delete(build);
      if (before) keep(build, before);
    });
    keep(build, used);
    return given;
  }

  /** Uses a single source for all builds that it can replace: client and photo only replace themselves. */
  function useForAll(given) {
    const replaced = given.build === "client" || given.build === "photo" ? [given.build] : BUILDS;
    for (const build of replaced) keep(build, Promise.resolve(given));
  }

  return { load, engine, remote, init };
}

/** The build of a module, by its exports: `begin` in the client build, otherwise `is_` and the build's name. */
function identify(module, wanted) {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const build = BUILDS.find((build) => names.includes(build === "client" ? "begin" : `is_${build}`));
  const option = wanted ? `source.${wanted}` : "source";
  if (!build) throw invalid(option, "is not a build of this package");
  if (build !== (wanted ?? build)) throw invalid(option, `is the "${build}" build, not "${wanted}"`);
  return build;
}

/** Entries of name and source; undefined if `source` is a single source. */
function readByBuild(source) {
  let given;
  try {
    if (!isPlainObject(source)) return undefined;
    given = members(source);
  } catch {
    throw invalid("source", "cannot be read");
  }
  const [unknownKey] = given.find(([build]) => !BUILDS.includes(build)) ?? [];
  if (unknownKey) throw unknown(`source.${unknownKey}`, BUILDS);
  if (given.length === 0) throw invalid("source", "names no build");
  return given;
}
