// The builds of the engine (client, photo, core, full): each is compiled once, when it is first needed, and a failure is not
// kept, so that the next call tries again.
import { createEngine } from "./engine.js";
import { invalid, isPlainObject, members, unknown } from "./options.js";
import { toLoadError } from "./error-conversion.js";

const BUILDS = ["client", "photo", "core", "full"];

export function createBuilds(platform) {
  /**
   * Promises of { build, module }; `build` is what the module is, which `init` may have made another than was asked. Of nothing, where
   * what `init` was given is of no use: what was there before is here again then.
   */
  const loads = new Map();
  const engines = new Map();
  /** Builds that are compiled. */
  const ready = new Set();
  /** What `init` does, while it may become several builds at once. */
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

  /** { build, module } to be used where `wanted` is asked for. */
  async function load(wanted) {
    await identifying;
    const build = wanted === "photo" && isCoreBetter() ? "core" : wanted;
    return (await (loads.get(build) ?? keep(build, loadOwn(build)))) ?? load(wanted);
  }

  /** Core does what photo does. Once it is there, or on its way before photo was asked for, the workers are of one kind. */
  function isCoreBetter() {
    return !platform.hasPhoto() || ready.has("core") || (loads.has("core") && !loads.has("photo"));
  }

  /** The engine of this thread for a build. */
  async function engine(wanted) {
    const { build, module } = await load(wanted);
    const glue = await loadGlue(build);
    const running = engines.get(build);
    // One that never ran makes way for another module, which may fit.
    if (running?.module !== module && !running?.hasRun()) engines.set(build, createEngine(build, glue, module, platform.start));
    return engines.get(build);
  }

  /** The engine that speaks to services: the client build, be it the package's own where `init` was given another for all. */
  async function remote() {
    const planner = await engine("client");
    if (planner.build === "client") return planner;
    own ??= loadOwn("client").then(async ({ module }) => createEngine("client", await loadGlue("client"), module, platform.start));
    own.catch(() => (own = undefined));
    return own;
  }

  /** Takes the builds from `source` from now on. */
  async function init(source) {
    // Every promise is kept before the first await, so that calls made meanwhile wait for it.
    const named = readByBuild(source);
    if (named) {
      await Promise.all(named.map(([build, given]) => take(build, loadGiven(build, given))));
      return;
    }
    const one = loadGiven(undefined, source);
    const done = one.then(serve, () => {});
    identifying = done;
    await one;
    await done;
  }

  /** Takes a build for itself alone, as soon as it is there. */
  function take(build, given) {
    const before = loads.get(build);
    const taken = given.catch(() => {
      if (loads.get(build) !== taken) return;
      loads.delete(build);
      if (before) keep(build, before);
    });
    keep(build, taken);
    return given;
  }

  /** Takes a build for all that it can do: client and photo for themselves alone. */
  function serve(given) {
    const served = given.build === "client" || given.build === "photo" ? [given.build] : BUILDS;
    for (const build of served) keep(build, Promise.resolve(given));
  }

  return { load, engine, remote, init };
}

/** Which build a module is: one of its exports is named after it. The client build alone begins calls of a service. */
function identify(module, wanted) {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const build = BUILDS.find((build) => names.includes(build === "client" ? "begin" : `is_${build}`));
  const option = wanted ? `source.${wanted}` : "source";
  if (!build) throw invalid(option, "is no build of this package");
  if (build !== (wanted ?? build)) throw invalid(option, `is the "${build}" build, not "${wanted}"`);
  return build;
}

/** Names and sources; undefined where `source` is one source. */
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
