// Strict TypeScript accepts what filepress/react is used for, and refuses what it is not. Compiled, never run.
import { useCompress, type Compression, type CompressionItem, type UseCompressOptions } from "filepress/react";

const options: UseCompressOptions = { to: "webp", quality: 80, resize: { maxWidth: 1600 } };

export function Form() {
  const compression: Compression = useCompress(options);
  const { items, files, add, progress, pending } = compression;
  const names: string[] = files.map(({ name }) => name);
  const line = ({ id, source, status, error, result }: CompressionItem) => <li key={id}>{source.size} {status} {String(error)} {result?.outputSize}</li>;
  return (
    <form onReset={() => compression.clear()} title={names.join()}>
      <input type="file" onChange={async ({ target }) => target.files && (await add(target.files)).length} />
      <input type="file" multiple onChange={(event) => add(event.target.files)} />
      <ul>{items.map(line)}</ul>
      {pending && <progress value={progress} onClick={() => compression.abort(items[0]?.id)} />}
    </form>
  );
}

// @ts-expect-error: the hook has its own signals
useCompress({ signal: new AbortController().signal });
// @ts-expect-error: no such option
useCompress({ qualty: 80 });
