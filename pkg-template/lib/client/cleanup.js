// Deletes the files and cancels the task of a conversion at the server. Failures are ignored, because files expire anyway.

/** One short attempt each, because a result waits for it; `timeout` in milliseconds. */
const ONCE = { attempts: 0, timeout: 5_000 };

/**
 * Returns a function of { task, newTask, files }: the id of a task to cancel, a task whose creation got no answer (what `tasks.create`
 * takes), and ids of files to delete. Each may be undefined.
 */
export function createCleanup(run) {
  const attempt = (name, call) => run(name, { ...call, ...ONCE });
  const cancel = (id) => id && attempt("tasks.cancel", { id }).catch(() => {});

  /** Creates the task again with its idempotency key, which returns the existing one, to cancel it. */
  const cancelUnanswered = (newTask) => attempt("tasks.create", newTask).then(({ data }) => cancel(data.id)).catch(() => {});

  async function remove(id, newTask) {
    const failure = await attempt("files.delete", { id }).catch((error) => error);
    // Only a task of this call can use the file, so it was created although its answer never came.
    if (failure?.code !== "file_in_use" || !newTask) return;
    await cancelUnanswered(newTask);
    await attempt("files.delete", { id }).catch(() => {});
  }

  return async function cleanUp({ task, newTask, files }) {
    // A file cannot be deleted while a task reads it.
    await cancel(task);
    if (newTask && files.length === 0) await cancelUnanswered(newTask);
    await Promise.all([...new Set(files)].map((id) => id && remove(id, newTask)));
  };
}
