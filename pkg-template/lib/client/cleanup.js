// Deletes the files and cancels the task of a conversion at the service. Failures are ignored, because files expire anyway.

/** One short attempt each, because a result waits for it; `timeout` in milliseconds. */
const ONCE = { attempts: 0, timeout: 5_000 };

/** Returns a function of { task, files }: the id of a task to cancel and ids of files to delete. Each may be undefined. */
export function createCleanup(run) {
  const attempt = (name, id) => id && run(name, { id, ...ONCE }).catch(() => {});
  return async function cleanUp({ task, files }) {
    // A file cannot be deleted while a task reads it.
    await attempt("tasks.cancel", task);
    await Promise.all([...new Set(files)].map((id) => attempt("files.delete", id)));
  };
}
