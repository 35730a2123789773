// What the tests' page offers to a test: the package, pictures from the site, and a watch on the main thread.
import * as filepress from "./entry.js";
import { outcomeOf } from "./outcome.mjs";

/** A File of the site. */
async function file(path) {
  return new File([await (await fetch(path)).blob()], path.split("/").pop());
}

/** What a test can be told of a result: its facts, and what the browser itself makes of its bytes. */
async function told(result) {
  const { width, height } = await createImageBitmap(result.blob);
  const { type, name, inputSize, outputSize, keptOriginal } = result;
  return { type, name, inputSize, outputSize, keptOriginal, blobSize: result.blob.size, size: [result.width, result.height], decoded: [width, height] };
}

/** What a test can be told of an error. */
function failure(error) {
  const { name, code, kind, message, retryable, details } = error;
  return { name, code, kind, message, retryable, details, ours: error instanceof filepress.FilepressError };
}

/**
 * Runs `work` as a task of the page's own. What a test calls directly is the debugger's, and for that Chromium does not apply
 * the page's Content-Security-Policy.
 */
const asPage = (work) => new Promise((resolve, reject) => setTimeout(() => work().then(resolve, reject)));

const press = (path, options) =>
  asPage(async () => {
    try {
      return await told(await filepress.compress(await file(path), options));
    } catch (error) {
      return failure(error);
    }
  });

const outcomeAt = (path, options) => asPage(async () => outcomeOf(await filepress.compress(await file(path), options)));

/** Whether text can become code here, which the policy should prevent. */
const allowsEval = () =>
  asPage(async () => {
    try {
      return new Function("return true")();
    } catch {
      return false;
    }
  });

/**
 * The longest time, in milliseconds, that the main thread was taken while `work` ran: by a task (the browser reports those of
 * 50 ms and more), and between two beats of a message that is sent round as fast as it goes.
 */
async function watch(work) {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const { port1, port2 } = new MessageChannel();
  let [beating, last, gap, beats] = [true, performance.now(), 0, 0];
  port1.onmessage = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    [last, beats] = [now, beats + 1];
    if (beating) port2.postMessage(0);
  };
  port2.postMessage(0);
  await asPage(work);
  beating = false;
  // Long tasks are reported a little later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  return { longTask: Math.max(0, ...tasks), gap, beats };
}

Object.assign(window, { filepress, file, press, outcomeAt, allowsEval, asPage, watch });
