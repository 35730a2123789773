// The three builds of the engine (client, core, full): each is compiled once, when it is first needed, and a failure is not
// kept, so that the next call tries again.
import { createEngine } from "./engine.js";
import { invalid, isPlainObject, members, unknown } from "./options.js";
import { toLoadError } from "./thrown.js";

const BUILDS = ["client", "core", "full"];

export function createBuilds(platform) {
  /** Promises of { build, module }; `build` is what the module is, which `init` may have made another than was asked. */
  const loads = new Map();
  const engines = new Map();
  let own;

  function keep(build, promise) {
    loads.set(build, promise);
    promise.catch(() => loads.get(build) === promise && loads.delete(build));
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
      return { build: build ?? (await identify(module)), module };
    } catch (thrown) {
      throw toLoadError(build ?? "given", thrown);
    }
  }

  /** Which build a module is, as it says itself through the glue of core; what that glue does not fit is full. */
  async function identify(module) {
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === "process")) return "client";
    const glue = await loadGlue("core");
    try {
      await platform.start(glue, module);
      return glue.build();
    } catch {
      return "full";
    }
  }

  async function loadGlue(build) {
    try {
      return await platform.glue(build);
    } catch (thrown) {
      throw toLoadError(build, thrown);
    }
  }

  /** { build, module } to be used where `build` is asked for. */
  function load(build) {
    return loads.get(build) ?? keep(build, loadOwn(build));
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
    // The client build alone cannot process anything: the others are then still the package's own.
    for (const build of BUILDS) {
      keep(build, one.then((given) => (given.build === "client" && build !== "client" ? loadOwn(build) : given)));
    }
    await one;
  }

  return { load, engine, remote, init };
}

function readByBuild(source) {
  const given = members(source);
  const [stray] = given.find(([build]) => !BUILDS.includes(build)) ?? [];
  if (stray) throw unknown(`source.${stray}`, BUILDS);
  if (given.length === 0) throw invalid("source", "names no build");
  return given;
}
