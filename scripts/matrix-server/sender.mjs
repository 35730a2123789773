// Sends files through the server as a client does: create, PUT, task, poll, download.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const MEDIA_TYPE = "application/vnd.api+json";

export class Sender {
  #service;
  #folder;
  #count = 0;

  /** `service` has a url and a key; outputs are written into `folder`. */
  constructor(service, folder) {
    this.#service = service;
    this.#folder = folder;
  }

  /** Uploads a file; its id. */
  async upload(path, format) {
    const body = await readFile(path);
    const { data } = await this.#call("files", { type: "files", attributes: { size: body.length, format } });
    const { status } = await fetch(data.links.upload, { method: "PUT", body });
    if (status !== 201) throw new Error(`the upload of ${format} was answered ${status}`);
    return data.id;
  }

  /** Converts an uploaded file; the path of the result, and how long it was worked at. */
  async convert(id, from, to) {
    const { data } = await this.#call("tasks", {
      type: "tasks",
      attributes: { format: { input: from, output: to } },
      relationships: { input: { data: { type: "files", id } } },
    });
    const { task, included } = await this.#finished(data.id);
    const { status, processing_metadata: metadata } = task.attributes;
    if (status !== "COMPLETED") throw new Error(`${metadata.error?.code}: ${metadata.error?.detail}`);
    const file = included.find(({ id }) => id === task.relationships.output.data.id);
    if (file.attributes.format !== to) throw new Error(`the output is called ${file.attributes.format}`);
    const response = await fetch(file.links.download);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200 || bytes.length === 0) throw new Error(`the download was answered ${response.status}`);
    if (bytes.length !== file.attributes.size) throw new Error(`${bytes.length} of ${file.attributes.size} bytes came`);
    const output = join(this.#folder, `output-${(this.#count += 1)}`);
    await writeFile(output, bytes);
    return { output, milliseconds: metadata.duration_ms };
  }

  async #finished(id) {
    for (;;) {
      const { data: task, included } = await this.#call(`tasks/${id}`);
      if (["COMPLETED", "FAILED"].includes(task.attributes.status)) return { task, included };
      await setTimeout(40);
    }
  }

  async #call(path, data) {
    const headers = { Accept: MEDIA_TYPE, Authorization: `Bearer ${this.#service.key}` };
    const post = { method: "POST", headers: { ...headers, "Content-Type": MEDIA_TYPE }, body: JSON.stringify({ data }) };
    const response = await fetch(`${this.#service.url}/v1/${path}`, data ? post : { headers });
    const document = await response.json();
    if (!response.ok) throw new Error(document.errors.map(({ code, detail }) => `${code}: ${detail}`).join("; "));
    return document;
  }
}
