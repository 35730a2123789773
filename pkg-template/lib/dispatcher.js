// Plans calls on the calling thread, and hands their jobs to the platform's runner.
import { abortable } from "./abort.js";
import { Builds } from "./builds.js";
import { OptionsError } from "./errors.js";
import { toFormat } from "./formats.js";
import { readHead } from "./input.js";
import { withJsOptions } from "./options.js";

export class Dispatcher {
  #platform;
  #runner;

  constructor(platform) {
    this.#platform = platform;
    this.builds = new Builds(platform);
  }

  async formats() {
    return (await (await this.builds.engine("client")).call("formats")).map(toFormat);
  }

  /** Plans a call from the first bytes of the input. */
  async plan(source, { settings, engine, client }, signal) {
    const head = await abortable(signal, readHead(source));
    const planner = await abortable(signal, this.builds.engine("client"));
    const options = { ...settings, engine };
    const asked = planner.call("plan", head, source.size, source.type, source.name, options, client !== undefined);
    return abortable(signal, asked).catch(withJsOptions);
  }

  /** The plan for an input that must be an image; `done` is the verb for the error message. */
  async planImage(source, settings, signal, done) {
    // Every image can be converted to JPEG, which needs the smallest builds.
    return this.plan(source, { settings: { ...settings, to: "image/jpeg" } }, signal).catch(async (thrown) => {
      // Audio cannot be converted to an image; planned without a conversion, it rejects with `needs_service`.
      const unpaired = thrown?.code === "unsupported_pair";
      const refusal = unpaired ? await this.plan(source, { settings }, signal).catch((own) => own) : thrown;
      if (refusal?.code !== "needs_service") throw refusal;
      throw new OptionsError("needs_service", `Only images are ${done}; this is video, audio or PDF.`, refusal);
    });
  }

  /** Runs a planned job. */
  async run({ build, inputType, memory }, source, { call, settings, onStage, signal }) {
    const runner = (this.#runner ??= this.#platform.createRunner(this.builds));
    const job = { call, source, type: inputType, settings, need: memory };
    try {
      return await runner(build, job, onStage, signal);
    } catch (thrown) {
      // Some needs are only found while reading the file, such as a color profile that has to be applied.
      const needed = thrown?.code === "not_in_build" && thrown.details?.build;
      if (!needed || needed === build) throw thrown;
      return runner(needed, job, onStage, signal);
    }
  }
}
