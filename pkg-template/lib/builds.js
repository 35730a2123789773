// The builds of the engine (client, photo, core, full): each is compiled once, when it is first needed, and a failure is not
// kept, so that the next call tries again.
import { createEngine } from "./engine.js";
import { invalid, isPlainObject, members, unknown } from "./options.js";
import { toLoadError } from "./thrown.js";

const BUILDS = ["client", "photo", "core", "full"];

export function createBuilds(platform) {
  /** Promises of { build, module }; `build` is what the module is, which `init` may have made another than was asked. */
  const loads = new Map();
  const engines = new Map();
  /** Builds that are compiled. */
  const ready = new Set();
  /** What `init` does, while it may become several builds at once. */
  let identifying;
  let own;

  function keep(build, promise) {
    loads.set(build, promise);
    promise.then(
      () => ready.add(build),
      () => loads.get(build) === promise && loads.delete(build),
    );
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
      return { build: build ?? identify(module), module };
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
    return loads.get(build) ?? keep(build, loadOwn(build));
  }

  /** Core does what photo does. Once it is there, or on its way before photo was asked for, the workers are of one kind. */
  function isCoreBetter() {
    return !platform.hasPhoto() || ready.has("core") || (loads.has("core") && !loads.has("photo"));
  }

  /** The engine of this thread for a build. */
  async function engine(wanted) {
    const { build, module } = await load(wanted);
    const glue = await loadGlue(build);
    if (!engines.has(build)) engines.set(build, createEngine(build, glue, module, platform.start));
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
    if (isPlainObject(source)) {
      await Promise.all(readByBuild(source).map(([build, given]) => keep(build, loadGiven(build, given))));
      return;
    }
    const one = loadGiven(undefined, source);
    const done = one.then(serve, () => {});
    identifying = done;
    await one;
    await done;
  }

  /** Takes a build for all that it can do: client and photo for themselves alone. */
  function serve(given) {
    const served = given.build === "client" || given.build === "photo" ? [given.build] : BUILDS;
    for (const build of served) keep(build, Promise.resolve(given));
  }

  return { load, engine, remote, init };
}

/** Which build a module is: one of its exports is named after it. The client build alone begins calls of a service. */
function identify(module) {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  const build = BUILDS.find((build) => names.includes(build === "client" ? "begin" : `is_${build}`));
  if (!build) throw new Error("it is no module of this package");
  return build;
}

function readByBuild(source) {
  const given = members(source);
  const [stray] = given.find(([build]) => !BUILDS.includes(build)) ?? [];
  if (stray) throw unknown(`source.${stray}`, BUILDS);
  if (given.length === 0) throw invalid("source", "names no build");
  return given;
}
