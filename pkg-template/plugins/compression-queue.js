// A list of files that are being compressed, as an external store for user interfaces: `items` returns the same array until something
// changes. The pool of the package decides how many calls run at a time.

/** `compress(file, { signal, onProgress })` resolves to a result. */
export function createQueue(compress) {
  const { items, set, find, change, subscribe } = createList();
  const controllers = new Map();
  let lastId = 0;

  async function run({ id, source }) {
    const controller = new AbortController();
    const { signal } = controller;
    controllers.set(id, controller);
    // The event of the end comes with the result.
    const onProgress = ({ ratio }) => ratio < 1 && !signal.aborted && change(id, { progress: ratio });
    try {
      const result = await compress(source, { signal, onProgress });
      if (!signal.aborted) change(id, { status: "done", progress: 1, result, file: result.file });
    } catch (error) {
      if (!signal.aborted) change(id, { status: "failed", error });
    } finally {
      controllers.delete(id);
    }
    return id;
  }

  /** Aborts one item, or all. Its state changes at once. */
  function abort(id) {
    const ids = id === undefined ? [...controllers.keys()] : [id];
    for (const each of ids.filter((each) => controllers.has(each))) {
      controllers.get(each).abort();
      controllers.delete(each);
      change(each, { status: "aborted" });
    }
  }

  /** Starts a file, several or none. Resolves when they have ended, to those that were not removed. */
  async function add(files) {
    const sources = typeof files?.[Symbol.iterator] === "function" ? [...files] : [files ?? []].flat();
    const added = sources.map((source) => ({ id: ++lastId, source, status: "pending", progress: 0 }));
    set([...items(), ...added]);
    const ids = await Promise.all(added.map(run));
    return ids.flatMap((id) => find(id) ?? []);
  }

  function remove(id) {
    abort(id);
    set(items().filter((item) => item.id !== id));
  }

  function clear() {
    abort();
    set([]);
  }

  return { items, subscribe, add, abort, remove, clear };
}

/** The items, and those who want to know of changes. */
function createList() {
  const listeners = new Set();
  let items = [];

  function set(next) {
    items = next;
    for (const listener of [...listeners]) listener();
  }

  const find = (id) => items.find((item) => item.id === id);

  /** Changes an item. A removed one stays removed. */
  const change = (id, members) => find(id) && set(items.map((item) => (item.id === id ? { ...item, ...members } : item)));

  function subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { items: () => items, set, find, change, subscribe };
}
