// Entry of filepress/react: a hook that compresses the files that a visitor chooses.
"use client";
import { compress } from "filepress";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createQueue } from "./compression-queue.js";

/** For the server, where nothing is chosen yet. It must be the same array in every call. */
const NONE = [];

/** See types/plugins/react.d.ts. */
export function useCompress(options) {
  const latest = useRef(options);
  const [queue] = useState(() => createQueue((file, call) => compress(file, { ...latest.current, ...call })));
  const items = useSyncExternalStore(queue.subscribe, queue.items, () => NONE);
  useEffect(() => {
    latest.current = options;
  });
  // Work starts in event handlers only: the second run of effects in StrictMode finds nothing to abort, and repeats nothing.
  useEffect(() => () => queue.abort(), [queue]);
  const { add, abort, remove, clear } = queue;
  return { items, files: items.flatMap(({ file }) => file ?? []), ...summary(items), add, abort, remove, clear };
}

/** The progress of all items, weighted by size, and whether one is still being compressed. */
function summary(items) {
  const weights = items.map(({ source }) => source.size + 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const done = items.reduce((sum, { status, progress }, index) => sum + weights[index] * (status === "pending" ? progress : 1), 0);
  return { progress: total > 0 ? done / total : 0, pending: items.some(({ status }) => status === "pending") };
}
