// A drop of a folder, for a page: no script can make a folder, so that entries of our own stand for those that a browser gives.

/** Runs in the page. `files` are those in the folder: { path, base64 }, where a path has no more than one folder inside. */
export function dropFolder({ name, files }) {
  const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const entry = ({ path, base64 }) => ({
    isDirectory: false,
    fullPath: `/${name}/${path}`,
    file: (resolve) => resolve(new File([bytes(base64)], path.split("/").at(-1), { type: "image/jpeg" })),
  });
  // Readers give some entries at a time, and end with none.
  const directory = (name, inside) => ({
    isDirectory: true,
    name,
    createReader: () => {
      const batches = [...inside.map((one) => [one]), []];
      return { readEntries: (resolve) => resolve(batches.shift()) };
    },
  });
  const inner = Map.groupBy(files, ({ path }) => (path.includes("/") ? path.split("/")[0] : ""));
  const inside = [...inner].flatMap(([folder, some]) => (folder ? directory(folder, some.map(entry)) : some.map(entry)));
  const root = directory(name, inside);
  const event = new DragEvent("drop", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => root }] } });
  document.body.dispatchEvent(event);
}
