// The body of a response whose size is not known before it is read.

/** `{ bytes }` where there are at most `limit`; else `{ body }`, a stream of all of them, of which no more is held than that. */
export async function readUpTo(response, limit) {
  if (Number(response.headers.get("content-length")) > limit) return { body: response.body };
  const reader = response.body.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks, size) };
    chunks.push(value);
    size += value.length;
    if (size > limit) return { body: continued(chunks, reader) };
  }
}

function joined(chunks, size) {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** What was read, then the rest as it comes. */
function continued(chunks, reader) {
  return new ReadableStream({
    async pull(controller) {
      if (chunks.length > 0) return controller.enqueue(chunks.shift());
      const { done, value } = await reader.read();
      return done ? controller.close() : controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
