// The public functions, created once per platform from:
//   builds               the names of the builds that there are
//   load(build, folder)  resolves to the package's own module of a build; `folder` is the URL that `init` named, if it did
//   compile(source)      resolves to the module of a source given to `init`
//   glue(build)          resolves to the wasm-bindgen glue of a build, for the calling thread
//   lacks(build)         whether the platform does without photo, photo_avif or avif; then a larger build does their work
//   start(glue, module)  creates an instance inside the glue
//   createRunner(builds, settings) returns { run, preload }, which run jobs in a pool of workers or inline
//   openFile(url)        resolves to the Blob of a `file:` URL; undefined where there are no files
//   decodePicture(file, { signal, check })  resolves to an ImageBitmap or ImageData of a file that the platform can decode; undefined where it
//                        decodes none. `check(width, height)` throws an error for too many pixels
//   jxl()                resolves to lib/jxl/reader.js, where the build jxl is one of `builds`
//   resolveFolder(address) the absolute URL of a folder that `init` is given; throws if it is none
//   advice()             what to do if the package's own files cannot be loaded
// None of them is called before the first call of a public function, so that importing the package has no side effects.
import { compareImages, decodeImage, inspectImage, makeAll, makeFile, settle } from "./calls.js";
import { Dispatcher } from "./dispatcher.js";
import { invalid, readOptions } from "./options.js";

/** The public functions; `dispatcher`, for those that are made apart; and `remote`, which resolves to the engine for clients. */
export function createFacade(platform) {
  const dispatcher = new Dispatcher(platform);
  const { builds } = dispatcher;
  const make = (input, call) => settle(call.signal, () => makeFile(dispatcher, input, call));
  return {
    dispatcher,
    compress: async (input, options) => make(input, readOptions(options)),

    async convert(input, to, options) {
      const { settings, ...call } = readOptions(options);
      if (typeof to !== "string") throw invalid("to", "must be a media type or a file extension");
      if ("to" in settings) throw invalid("to", "is the second argument of convert, not one of its options");
      return make(input, { ...call, settings: { ...settings, to } });
    },

    async compressAll(inputs, options) {
      const call = readOptions(options);
      if (call.name !== undefined) throw invalid("name", "has no meaning for several files");
      return settle(call.signal, () => makeAll(dispatcher, inputs, call));
    },

    async decode(input, options) {
      const call = readOptions(options, ["signal", "onProgress", "crop", "rotate", "flip", "resize", "background", "animation", "fonts", "limits"]);
      return settle(call.signal, () => decodeImage(dispatcher, input, call));
    },

    async inspect(input, options) {
      const call = readOptions(options, ["signal", "limits"]);
      return settle(call.signal, () => inspectImage(dispatcher, input, call));
    },

    async score(original, other, options) {
      const call = readOptions(options, ["signal", "background", "limits"]);
      return settle(call.signal, () => compareImages(dispatcher, [original, other], call));
    },

    formats: async () => settle(undefined, () => dispatcher.formats()),
    init: async (options) => settle(undefined, () => dispatcher.init(options)),
    preload: async (types) => settle(undefined, () => dispatcher.preload(types)),
    remote: () => builds.remote(),
  };
}
