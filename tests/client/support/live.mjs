// Makes each call to a live service at least once. It runs in every runtime, so it imports nothing, and its result
// can be serialized as JSON.

/** `api` is the package; `picture` the bytes of a PNG. */
export async function exercise({ Client, FilepressError, compress }, { baseUrl, apiKey, picture, allowed }) {
  const client = new Client({ baseUrl, apiKey, ...(allowed && { dangerouslyAllowBrowser: true }) });
  const me = await client.users.me();

  const declared = await client.files.create({ size: picture.length, format: "image/png" });
  const uploads = [];
  await client.files.upload(declared, new Blob([picture]), { onProgress: ({ phase, loaded, total }) => uploads.push([phase, loaded, total]) });
  const stored = await client.files.get(declared.id);
  const again = await client.files.download(stored);
  const streamed = new Uint8Array(await new Response(await client.files.download(stored.id, { as: "stream" })).arrayBuffer());

  const format = { input: "image/png", output: "image/webp" };
  const created = await client.tasks.create({ input: stored, format, settings: { lossless: true }, public: true });
  const ratios = [];
  const done = await client.tasks.wait(created, { onProgress: ({ ratio }) => ratios.push(ratio) });
  const read = await client.tasks.get(created.id);
  const output = read.files.find(({ id }) => id === read.output);
  const made = new Uint8Array(await (await client.files.download(output)).arrayBuffer());

  const files = [];
  for (let number = 0; number < 5; number++) files.push((await client.files.create({ size: 1 })).id);
  const listed = [];
  for await (const { id } of client.files.list({ pageSize: 3 })) listed.push(id);
  const first = await client.files.list({ pageSize: 3 }).page();
  const second = await client.files.list({ pageSize: 3, after: first.next }).page();
  const tasks = [];
  for await (const task of client.tasks.list()) tasks.push([task.id, task.files.length]);

  const failure = (error) => ({
    ours: error instanceof FilepressError,
    name: error.name,
    code: error.code,
    status: error.status,
    named: typeof error.requestId === "string",
  });
  const unknown = await client.files.get("nobody").catch(failure);
  const stranger = await new Client({ baseUrl, getToken: async () => "fp_nobody", retry: false }).users.me().catch(failure);
  const remote = await compress(new Blob([picture]), { client, engine: "remote", to: "webp" });

  return {
    me: me.email,
    sizes: [declared.size, stored.size, again.size, streamed.length],
    same: streamed.every((byte, index) => byte === picture[index]),
    uploads,
    format: stored.format,
    status: done.status,
    ratios,
    public: read.public,
    made: [...made],
    listed: { files, listed, first: first.items.map(({ id }) => id), second: second.items.map(({ id }) => id), more: first.rangeTruncated },
    tasks,
    created: created.id,
    unknown,
    stranger,
    remote: { engine: remote.engine, type: remote.type, outputSize: remote.outputSize, blobSize: remote.blob.size, task: remote.task.status },
  };
}
