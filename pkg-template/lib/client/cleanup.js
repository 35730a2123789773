// Takes back what a conversion left at the service. What cannot be removed expires there, so no failure of it is told.

/** One attempt each, in milliseconds: a result does not wait long for it. */
const ONCE = { attempts: 0, timeout: 5_000 };

/** A function of the id of a task that nobody waits for any more, and of those of files; each may be absent. */
export function createCleanup(run) {
  const attempt = (name, id) => id && run(name, { id, ...ONCE }).catch(() => {});
  return async function remove({ task, files }) {
    // A file that a task reads cannot be removed.
    await attempt("tasks.cancel", task);
    await Promise.all([...new Set(files)].map((id) => attempt("files.delete", id)));
  };
}
