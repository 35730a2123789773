// The globals of the tests' page: the package, and pictures from the site.
import * as filepress from "./entry.js";
import { oddCalls } from "./odd-calls.mjs";
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

/** What a call for an input comes to. */
async function attempt(input, options) {
  try {
    return await told(await filepress.compress(input, options));
  } catch (error) {
    return failure(error);
  }
}

const compressFile = (path, options) => asPage(async () => attempt(await file(path), options));

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

const oddCallsAt = async (path) => oddCalls(filepress, new Uint8Array(await (await file(path)).arrayBuffer()));

Object.assign(window, { filepress, oddCallsAt, file, attempt, compressFile, outcomeAt, allowsEval, asPage });
