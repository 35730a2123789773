// Entry of filepress/uppy: a preprocessor that compresses files before Uppy uploads them.
import { BasePlugin } from "@uppy/core";
import { fileName } from "../lib/file-name.js";
import { compressForUpload, readUploadOptions } from "./upload.js";

const ID = "FilepressCompressor";
const LOCALE = { strings: { compressingImages: "Compressing images..." } };

/** See types/plugins/uppy.d.ts. */
export class UppyCompressor extends BasePlugin {
  #controllers = new Map();
  /** Results, so that a retried upload compresses nothing twice. */
  #results = new WeakSet();

  constructor(uppy, opts) {
    super(uppy, opts);
    this.id = this.opts.id ?? ID;
    this.type = "modifier";
    this.defaultLocale = LOCALE;
    this.i18nInit();
  }

  install() {
    this.uppy.addPreProcessor(this.#prepare);
    this.uppy.on("file-removed", this.#abort);
    this.uppy.on("cancel-all", this.#abortAll);
  }

  uninstall() {
    this.uppy.removePreProcessor(this.#prepare);
    this.uppy.off("file-removed", this.#abort);
    this.uppy.off("cancel-all", this.#abortAll);
    this.#abortAll();
  }

  #abort = ({ id }) => this.#controllers.get(id)?.abort();

  #abortAll = () => this.#controllers.forEach((controller) => controller.abort());

  #prepare = async (fileIDs) => {
    const { id, locale, ...rest } = this.opts;
    const { filter, options } = readUploadOptions(rest);
    const files = fileIDs.map((fileID) => this.uppy.getFile(fileID));
    const chosen = files.filter((file) => file?.data instanceof Blob && !file.isRemote && !this.#results.has(file.data) && filter(file.data));
    await Promise.all(chosen.map((file) => this.#compress(file, options)));
  };

  async #compress(file, options) {
    const controller = new AbortController();
    const { signal } = controller;
    this.#controllers.set(file.id, controller);
    const tell = (value) => this.uppy.emit("preprocess-progress", this.uppy.getFile(file.id), { mode: "determinate", message: this.i18n("compressingImages"), value });
    const warn = (error) => this.uppy.log(`[${this.id}] ${file.name} is uploaded unchanged: ${error.message}`, "warning");
    try {
      tell(0);
      // Uppy knows names of files that the Blob may not have.
      const result = await compressForUpload(file.data, { name: fileName(file.name), ...options }, { signal, onProgress: ({ ratio }) => signal.aborted || tell(ratio), warn });
      if (result) this.#replace(file.id, result);
      this.uppy.emit("preprocess-complete", this.uppy.getFile(file.id));
    } catch (error) {
      // Removed or cancelled: Uppy has forgotten the file.
      if (!signal.aborted) throw error;
    } finally {
      this.#controllers.delete(file.id);
    }
  }

  /** Makes the result the file that is shown and uploaded. */
  #replace(fileID, { file: data, name, type }) {
    const { meta, preview } = this.uppy.getFile(fileID);
    this.#results.add(data);
    const { progress } = this.uppy.getFile(fileID);
    this.uppy.setFileState(fileID, {
      ...{ data, name, type, size: data.size, extension: name.split(".").at(-1), preview: undefined },
      meta: { ...meta, name, type },
      progress: { ...progress, bytesTotal: data.size },
    });
    // Of the thumbnail of the original.
    if (preview) URL.revokeObjectURL(preview);
    // Answered by @uppy/thumbnail-generator, if it is there.
    this.uppy.emit("thumbnail:request", this.uppy.getFile(fileID));
  }
}

export default UppyCompressor;
