// The class Client: every endpoint of the server.
import { abortable, throwIfAborted } from "../abort.js";
import { toFilepressError } from "../error-conversion.js";
import { createFileDownload } from "./file-download.js";
import { executorOf } from "./executor.js";
import { convertWith } from "./convert.js";
import { CONVERT } from "./convert-symbol.js";
import { createFiles, createTasks, withTask } from "./endpoints.js";
import { createHost } from "./host.js";
import { createList } from "./list.js";
import { createCleanup } from "./cleanup.js";
import { readCall } from "./arguments.js";
import { toUser } from "./resources.js";
import { readClientOptions } from "./client-options.js";

/**
 * Creates the class for a platform. `engine()` resolves to the engine for clients; `inBrowser()` says whether the code runs in a browser;
 * `upload(request, { body, onProgress }, baseUrl)` sends bytes and `send(request, baseUrl)` everything else. Both resolve to a Response
 * or an object like one.
 */
export function createClient(engine, platform) {
  return class Client {
    constructor(options) {
      const settings = readClientOptions(options, platform.inBrowser);
      const host = createHost(settings.host, platform);

      /** Runs a call. Rejects with the signal's reason, or a FilepressError. */
      const run = async (name, options, { signal, ...extra } = {}) => {
        throwIfAborted(signal);
        try {
          const calls = executorOf(await abortable(signal, engine()));
          return await calls(host, name, { ...settings.engine, ...options }, { signal, ...extra });
        } catch (thrown) {
          throwIfAborted(signal);
          throw toFilepressError(thrown);
        }
      };

      const download = createFileDownload(run, settings.engine);
      const list = (name, read, options) => createList(run, settings.engine.baseUrl, name, read, options);
      this.files = createFiles({ run, list, download });
      this.tasks = createTasks({ run, list });
      this.users = { me: async (options) => toUser(await run("users.me", {}, readCall(options))) };

      // For compress() and convert(): not enumerable, because it is not part of the public interface.
      const convert = (job) => convertWith({ run: (...call) => withTask(run(...call)), download, cleanUp: createCleanup(run) }, job);
      Object.defineProperty(this, CONVERT, { value: convert });
    }
  };
}
